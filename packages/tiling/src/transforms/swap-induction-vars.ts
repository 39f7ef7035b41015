/** `swapInductionVarsOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { defineTransformOp, reads } from '@sconv/transform';
import { swapInductionVarsOp } from '../swap-induction-vars-op.ts';

/** `transform.loop.swap_induction_vars`. */
export const swapInductionVars = defineTransformOp({
  name: 'transform.loop.swap_induction_vars',
  summary: 'Exchanges two perfectly nested loops, if the order of iterations does not matter.',
  paper: ['ST §5.7, task 3c'],
  operands: {
    outer: reads('outer loops; afterwards they iterate over the former inner dimension', 'scf.for'),
  },
  failures: {
    'swap/not-a-loop': { mode: 'silenceable', when: 'a target is not an scf.for' },
    'swap/not-perfect': { mode: 'silenceable', when: 'the two loops are not perfectly nested' },
    'swap/types': { mode: 'silenceable', when: 'the induction variables have different types' },
    'swap/order': {
      mode: 'silenceable',
      when: 'iterations may depend on each other, and would run in another order',
    },
    'swap/dependent-bounds': { mode: 'silenceable', when: 'the inner bounds depend on the outer loop' },
  },
  assembly: { format: '$outer attr-dict `:` type($outer)' },
  apply: ({ rewriter }, { outer }) =>
    mapSuccess(
      collect(outer, (loop) => swapInductionVarsOp(rewriter, loop)),
      () => ({}),
    ),
});
