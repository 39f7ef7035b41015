/** The transform ops of this package, as functions that record them, and as a list for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { promoteIfOneIteration } from './transforms/promote-if-one-iteration.ts';
import { unroll, unrollAndJam } from './transforms/unrolling.ts';
import { loopOps } from './transforms/loop-ops.ts';

export { promoteIfOneIteration, unroll, unrollAndJam };

/** In the order of the documents. */
export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [
  promoteIfOneIteration,
  unroll,
  unrollAndJam,
  ...loopOps,
];
