/** The transform ops of this package: functions that record them, and a list for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { promoteIfOneIteration } from './transforms/promote-if-one-iteration.ts';
import { unroll, unrollAndJam } from './transforms/unrolling.ts';
import {
  coalesce,
  forallToFor,
  forallToParallel,
  fuseSibling,
  hoistLoopInvariantSubsets,
  outline,
  peel,
} from './transforms/loop-ops.ts';

export {
  coalesce,
  forallToFor,
  forallToParallel,
  outline,
  peel,
  promoteIfOneIteration,
  unroll,
  unrollAndJam,
};

/** In documentation order. */
export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [
  promoteIfOneIteration,
  unroll,
  unrollAndJam,
  peel,
  coalesce,
  outline,
  forallToFor,
  forallToParallel,
  fuseSibling,
  hoistLoopInvariantSubsets,
];
