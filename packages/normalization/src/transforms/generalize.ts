/** `generalizeOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { defineTransformOp, consumes, produces } from '@sconv/transform';
import { generalizeOp } from '../generalize-op.ts';

/** `transform.structured.generalize`. */
export const generalize = defineTransformOp({
  name: 'transform.structured.generalize',
  summary: 'Transforms a named structured operation into the generic form with the explicit attached region.',
  paper: ['ST §5.1, task 1a'],
  operands: { target: consumes('named structured ops', 'linalg.*') },
  results: { transformed: produces('the generic ops', 'linalg.generic') },
  failures: {
    'generalize/not-structured': {
      mode: 'silenceable',
      when: 'a target is not a structured op, or has no body',
    },
  },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  apply: ({ rewriter }, { target }) =>
    mapSuccess(
      collect(target, (operation) => generalizeOp(rewriter, operation)),
      (transformed) => ({ transformed }),
    ),
});
