/** `formMicrokernelOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { unitAttributeKind } from '@sconv/ir';
import { consumes, defineTransformOp, produces } from '@sconv/transform';
import { formMicrokernelOp } from '../form-microkernel-op.ts';

/** `transform.structured.form_microkernel`. */
export const formMicrokernel = defineTransformOp({
  name: 'transform.structured.form_microkernel',
  summary: 'Turns tiles with packed operands into microkernels with one reduction dimension.',
  paper: ['ST §5.4, Listing 8'],
  operands: { target: consumes('tiles with packed windows and filters', 'linalg.generic') },
  attributes: { pairs: unitAttributeKind },
  results: { microkernel: produces('the microkernels', 'linalg.generic') },
  failures: {
    'form-microkernel/not-packed': {
      mode: 'silenceable',
      when: 'a target does not have packed windows and filters',
    },
    'form-microkernel/body': {
      mode: 'silenceable',
      when: 'the body is not a multiplication of both and an addition to the output',
    },
  },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  apply: ({ rewriter }, { target }, { pairs }) =>
    mapSuccess(
      collect(target, (operation) => formMicrokernelOp(rewriter, operation, { pairs })),
      (microkernel) => ({ microkernel }),
    ),
});
