/** `delinearizeOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { defineTransformOp, reads } from '@sconv/transform';
import { delinearizeOp } from '../delinearize-op.ts';

/** `transform.structured.delinearize`. */
export const delinearize = defineTransformOp({
  name: 'transform.structured.delinearize',
  summary: 'Makes ops that read a linearised tensor in their body read the original one by row and column.',
  paper: ['ST §5.4, task 4c'],
  operands: { target: reads('generic ops with a `tensor.extract` in their body', 'linalg.generic') },
  failures: {
    'delinearize/not-generic': { mode: 'silenceable', when: 'a target is not a linalg.generic' },
    'delinearize/arithmetic': { mode: 'silenceable', when: 'an index of the source lies beyond 2^53' },
  },
  assembly: { format: '$target attr-dict `:` type($target)' },
  apply: ({ rewriter }, { target }) =>
    mapSuccess(
      collect(target, (operation) => delinearizeOp(rewriter, operation)),
      () => ({}),
    ),
});
