/** The transform ops of this package, as functions that record them, and as a list for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { structuredOps } from './transforms/structured-ops.ts';
import { generalize } from './transforms/generalize.ts';
import { linearize } from './transforms/linearize.ts';
import { delinearize } from './transforms/delinearize.ts';

export { generalize, linearize, delinearize };

/** In the order of the pipeline, then upstream's. */
export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [
  generalize,
  linearize,
  delinearize,
  ...structuredOps,
];
