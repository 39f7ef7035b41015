/** `interchangeOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { constrained, i64ArrayAttribute, withImplicitDefault } from '@sconv/ir';
import { consumes, defineTransformOp, permutationErrors, produces, semiFunctional } from '@sconv/transform';
import { interchangeOp } from '../interchange-op.ts';

const positions = constrained(i64ArrayAttribute, 'whose value is non-negative', (numbers) =>
  numbers.every((number) => number >= 0),
);

/** `transform.structured.interchange`. */
export const interchange = defineTransformOp({
  name: 'transform.structured.interchange',
  summary: 'Interchanges the loops of a generic op.',
  operands: { target: consumes('generic ops') },
  attributes: { iteratorInterchange: withImplicitDefault(positions, []) },
  results: { transformed: produces('the same ops with their loops in the new order') },
  failures: {
    'interchange/not-generic': { mode: 'silenceable', when: 'a target is not a `linalg.generic`' },
    'interchange/length': { mode: 'silenceable', when: 'a target has a different number of loops' },
    'interchange/order': {
      mode: 'silenceable',
      when: 'iterations of a reduction would run in another order, which may change the result',
    },
  },
  assembly: {
    ...semiFunctional('target', 'transformed'),
    format:
      '$target (`iterator_interchange` `=` $iterator_interchange^)? attr-dict `:` ' +
      'custom<SemiFunctionType>(type($target), type($transformed))',
  },
  verify: ({ attributes: { iteratorInterchange } }) =>
    permutationErrors('iterator_interchange', iteratorInterchange),
  apply: ({ rewriter }, { target }, { iteratorInterchange }) =>
    mapSuccess(
      collect(target, (operation) => interchangeOp(rewriter, operation, iteratorInterchange)),
      (transformed) => ({ transformed }),
    ),
});
