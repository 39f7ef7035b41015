/** `multipackOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { consumes, defineTransformOp, produces } from '@sconv/transform';
import { multipackOp } from '../multipack-op.ts';

/** `transform.structured.multipack`. */
export const multipack = defineTransformOp({
  name: 'transform.structured.multipack',
  summary: 'Packs the tiles of all iterations of the enclosing loop before that loop.',
  paper: ['ST §4.2.1, Eqs. 3, 13 and 14', 'ST §5.4, task 4b'],
  operands: { target: consumes('packings of one tile, directly in an scf.for', 'linalg.generic') },
  results: { multipacking: produces('the packings of all tiles', 'linalg.generic') },
  failures: {
    'multipack/not-a-packing': {
      mode: 'silenceable',
      when: 'a target does more than copying elements by one `tensor.extract`',
    },
    'multipack/no-loop': { mode: 'silenceable', when: 'a target is not directly in an `scf.for`' },
    'multipack/bounds': {
      mode: 'silenceable',
      when: 'the loop does not run over indices from 0 to a constant bound, by a constant step that divides it',
    },
    'multipack/dependent': {
      mode: 'silenceable',
      when: 'a target reads a value that is computed in the loop',
    },
    'multipack/arithmetic': { mode: 'silenceable', when: 'an index of the source lies beyond 2^53' },
  },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  apply: ({ rewriter }, { target }) =>
    mapSuccess(
      collect(target, (operation) => multipackOp(rewriter, operation)),
      (multipacking) => ({ multipacking }),
    ),
});
