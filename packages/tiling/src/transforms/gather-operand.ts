/** `gatherOperandOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { i64Attribute } from '@sconv/ir';
import { consumes, defineTransformOp, produces } from '@sconv/transform';
import { gatherOperandOp } from '../gather-operand-op.ts';

/** `transform.structured.gather_operand`. */
export const gatherOperand = defineTransformOp({
  name: 'transform.structured.gather_operand',
  summary:
    'Makes the target read an input by `tensor.extract` in its body, so that tiling does not slice it.',
  paper: ['ST §5.3, with the deviation that tiling reads the input unsliced'],
  operands: { target: consumes('generic ops on tensors', 'linalg.generic') },
  attributes: { operand: i64Attribute },
  results: { gathering: produces('the targets with gathered input', 'linalg.generic') },
  failures: {
    'gather/not-generic': { mode: 'silenceable', when: 'a target is not a linalg.generic' },
    'gather/no-operand': { mode: 'silenceable', when: 'a target has no tensor input of that number' },
    'gather/loop-range': {
      mode: 'silenceable',
      when: 'the range of a loop would be unknown, since no other operand is indexed by that loop alone',
    },
  },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  apply: ({ rewriter }, { target }, { operand }) =>
    mapSuccess(
      collect(target, (operation) => gatherOperandOp(rewriter, operation, operand)),
      (gathering) => ({ gathering }),
    ),
});
