/** `transform.loop.hoist_loop_invariant_subsets`. */
import { success, wrongOpKind } from '@sconv/diagnostics';
import { loopLike } from '@sconv/dialects';
import { modelOf } from '@sconv/ir';
import { defineTransformOp, reads, typed } from '@sconv/transform';
import { carriesValues, hoistSubsets } from '../hoist-subsets.ts';

/**
 * `transform.loop.hoist_loop_invariant_subsets`: hoists reads and writes of a loop-invariant part of a carried
 * tensor: the loop carries the part instead.
 */
export const hoistLoopInvariantSubsets = defineTransformOp({
  name: 'transform.loop.hoist_loop_invariant_subsets',
  summary:
    'Hoists reads and writes of a loop-invariant part of a carried tensor: the loop carries the part instead.',
  operands: { target: reads('loops') },
  failures: { 'hoist-subsets/no-loop': { mode: 'silenceable', when: 'a target is not a loop' } },
  assembly: typed(),
  apply: ({ rewriter }, { target }) => {
    for (const operation of target) {
      if (modelOf(rewriter.registry, loopLike, operation) === undefined)
        return wrongOpKind('hoist-subsets/no-loop', operation);
      if (carriesValues(operation)) hoistSubsets(rewriter, operation);
    }
    return success({});
  },
});
