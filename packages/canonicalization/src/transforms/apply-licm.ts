/** `transform.apply_licm`. */
import { success, wrongOpKind } from '@sconv/diagnostics';
import { loopLike } from '@sconv/dialects';
import { modelOf } from '@sconv/ir';
import { defineTransformOp, reads, typedTo } from '@sconv/transform';
import { hoistInvariants } from '../passes/loop-invariant-code-motion.ts';

/** `transform.apply_licm`: hoists loop-invariant code out of loops. */
export const applyLicm = defineTransformOp({
  name: 'transform.apply_licm',
  summary: 'Hoists loop-invariant code out of loops.',
  operands: { target: reads('loops') },
  failures: { 'transform/no-loop': { mode: 'silenceable', when: 'a target is not a loop' } },
  assembly: typedTo,
  apply: ({ rewriter }, { target }) => {
    for (const loop of target) {
      if (modelOf(rewriter.registry, loopLike, loop) === undefined)
        return wrongOpKind('transform/no-loop', loop);
      hoistInvariants(rewriter, loop);
    }
    return success({});
  },
});
