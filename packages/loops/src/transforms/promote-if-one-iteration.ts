/** `promoteIfOneIterationOp` as a transform. */
import { success, wrongOpKind } from '@sconv/diagnostics';
import { loopLike } from '@sconv/dialects';
import { modelOf } from '@sconv/ir';
import { consumes, defineTransformOp, typed } from '@sconv/transform';
import { promoteIfOneIterationOp } from '../promote-if-one-iteration-op.ts';

/** `transform.loop.promote_if_one_iteration`. */
export const promoteIfOneIteration = defineTransformOp({
  name: 'transform.loop.promote_if_one_iteration',
  summary: 'Replaces an `scf.for` or `scf.forall` that is known to have one iteration by its body.',
  operands: { target: consumes('loops') },
  failures: { 'loop/kind': { mode: 'silenceable', when: 'a target is not a loop' } },
  assembly: typed(),
  apply: ({ rewriter }, { target }) => {
    for (const loop of target) {
      if (modelOf(rewriter.registry, loopLike, loop) === undefined) return wrongOpKind('loop/kind', loop);
      promoteIfOneIterationOp(rewriter, loop);
    }
    return success({});
  },
});
