/** `foldPadOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { defineTransformOp, reads } from '@sconv/transform';
import { foldPadOp } from '../fold-pad-op.ts';

/** `transform.structured.fold_pad`. */
export const foldPad = defineTransformOp({
  name: 'transform.structured.fold_pad',
  summary: 'Makes ops that read a padded tensor in their body read the unpadded one, or the padding value.',
  operands: { target: reads('generic ops with a `tensor.extract` in their body', 'linalg.generic') },
  failures: {
    'fold-pad/not-generic': { mode: 'silenceable', when: 'a target is not a linalg.generic' },
    'fold-pad/arithmetic': { mode: 'silenceable', when: 'an index of the unpadded tensor lies beyond 2^53' },
  },
  assembly: { format: '$target attr-dict `:` type($target)' },
  apply: ({ rewriter }, { target }) =>
    mapSuccess(
      collect(target, (operation) => foldPadOp(rewriter, operation)),
      () => ({}),
    ),
});
