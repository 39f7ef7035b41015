/** The transform ops of this package, for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { assertExtents } from './assert-extents.ts';
import { sconvOp } from './sconv-op.ts';

export { assertExtents, sconvOp };

/** All of them. */
export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [assertExtents, sconvOp];
