/** The transform ops of this package, for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { assertExtents } from './assert-extents.ts';
import { packGreedily } from './pack-greedily-op.ts';
import { structuredSconv } from './sconv-op.ts';

export { assertExtents, packGreedily, structuredSconv };

/** All of them. */
export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [
  assertExtents,
  structuredSconv,
  packGreedily,
];
