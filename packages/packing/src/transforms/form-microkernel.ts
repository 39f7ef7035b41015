/** `formMicrokernelOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { documented, unitAttributeKind } from '@sconv/ir';
import { consumes, defineTransformOp, produces } from '@sconv/transform';
import { formMicrokernelOp } from '../form-microkernel-op.ts';

/** `transform.structured.form_microkernel`. */
export const formMicrokernel = defineTransformOp({
  name: 'transform.structured.form_microkernel',
  summary: 'Turns tiles with packed operands into microkernels with one reduction dimension.',
  paper: ['ST §5.4, Listing 8'],
  operands: { target: consumes('tiles with packed windows and filters', 'linalg.generic') },
  attributes: {
    pairs: documented(
      unitAttributeKind,
      'computes i32 sums two channels per step, as i16, if both operands fit',
    ),
  },
  results: { microkernel: produces('the microkernels', 'linalg.generic') },
  failures: {
    'form-microkernel/not-packed': {
      mode: 'silenceable',
      when: 'a target does not have packed windows and filters',
    },
    'form-microkernel/body': {
      mode: 'silenceable',
      when: 'the body does not multiply both inputs and add to the output',
    },
  },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  apply: ({ rewriter }, { target }, { pairs }) =>
    mapSuccess(
      collect(target, (operation) => formMicrokernelOp(rewriter, operation, { pairs })),
      (microkernel) => ({ microkernel }),
    ),
});
