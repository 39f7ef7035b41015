/** The transform ops of this package, as functions that record them, and as a list for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { split } from './transforms/split.ts';

export { split };

/** The only one. */
export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [split];
