/** The transform op of this package, for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { sconvOp } from './sconv-op.ts';

export { sconvOp };

/** The only one. */
export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [sconvOp];
