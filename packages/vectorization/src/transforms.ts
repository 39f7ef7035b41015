/** The transform ops of this package: recording functions, and a list for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { vectorizeChildren } from './transforms/vectorize-children.ts';
import { vectorize } from './transforms/vectorize.ts';

export { vectorize, vectorizeChildren };
export { patternSets } from './pattern-sets.ts';

export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [
  vectorize,
  vectorizeChildren,
];
