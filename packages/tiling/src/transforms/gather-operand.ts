/** `gatherOperandOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { i64Attribute } from '@sconv/ir';
import { consumes, defineTransformOp, produces } from '@sconv/transform';
import { gatherOperandOp } from '../gather-operand-op.ts';

/** `transform.structured.gather_operand`. */
export const gatherOperand = defineTransformOp({
  name: 'transform.structured.gather_operand',
  summary: 'Makes the target read an input in its body, so that tiling does not slice it.',
  paper: ['ST §5.3, with the deviation that tiling reads the input unsliced'],
  operands: { target: consumes('generic ops on tensors', 'linalg.generic') },
  attributes: { operand: i64Attribute },
  results: { gathering: produces('the ops that gather', 'linalg.generic') },
  failures: {
    'gather/not-generic': { mode: 'silenceable', when: 'a target is not a linalg.generic' },
    'gather/no-operand': { mode: 'silenceable', when: 'a target has no tensor input of this number' },
    'gather/loop-range': {
      mode: 'silenceable',
      when: 'no other operand is indexed by one of the loops alone, so that its range would be unknown',
    },
  },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  apply: ({ rewriter }, { target }, { operand }) =>
    mapSuccess(
      collect(target, (operation) => gatherOperandOp(rewriter, operation, operand)),
      (gathering) => ({ gathering }),
    ),
});
