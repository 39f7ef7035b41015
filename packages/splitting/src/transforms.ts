/** The transform ops of this package, for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { splitOp } from './split.ts';

/** The only one. */
export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [splitOp];
