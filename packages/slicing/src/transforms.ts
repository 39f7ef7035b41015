/** The transform ops of this package, for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { assertExtents } from './assert-extents.ts';
import { packGreedilyOp } from './pack-greedily-op.ts';
import { sconvOp } from './sconv-op.ts';

export { assertExtents, packGreedilyOp, sconvOp };

/** All of them. */
export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [
  assertExtents,
  sconvOp,
  packGreedilyOp,
];
