/** The transform ops of this package: functions that record them, and a list for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { promoteIfOneIteration } from './transforms/promote-if-one-iteration.ts';
import { unroll, unrollAndJam } from './transforms/unrolling.ts';
import {
  coalesce,
  convertToLoops,
  forallToFor,
  forallToParallel,
  fuseSibling,
  outline,
  peel,
  pipeline,
  takeAssumedBranch,
} from './transforms/loop-ops.ts';

export {
  coalesce,
  convertToLoops,
  forallToFor,
  forallToParallel,
  fuseSibling,
  outline,
  peel,
  pipeline,
  promoteIfOneIteration,
  takeAssumedBranch,
  unroll,
  unrollAndJam,
};

/** In documentation order. */
export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [
  promoteIfOneIteration,
  unroll,
  unrollAndJam,
  peel,
  pipeline,
  coalesce,
  outline,
  forallToFor,
  forallToParallel,
  takeAssumedBranch,
  convertToLoops,
  fuseSibling,
];
