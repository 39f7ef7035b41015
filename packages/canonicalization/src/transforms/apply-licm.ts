/** `transform.apply_licm`. */
import { error, silenceable, success } from '@sconv/diagnostics';
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
      if (modelOf(rewriter.registry, loopLike, loop) === undefined) {
        const note = { message: 'when applied to this op', location: loop.location };
        return silenceable(
          error('transform/no-loop', 'transform applied to the wrong op kind', loop.location, [note]),
        );
      }
      hoistInvariants(rewriter, loop);
    }
    return success({});
  },
});
