/** The transform op of this package: a function that records it, and a list for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { lowerToBlas } from './transforms/lower-to-blas.ts';

export { lowerToBlas };

export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [lowerToBlas];
