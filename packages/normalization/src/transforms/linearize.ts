/** `linearizeOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { documented, unitAttributeKind } from '@sconv/ir';
import { consumes, defineTransformOp, produces } from '@sconv/transform';
import { linearizeOp } from '../linearize-op.ts';

/** `transform.structured.linearize`. */
export const linearize = defineTransformOp({
  name: 'transform.structured.linearize',
  summary:
    'Gives generic convolutions one dimension of windows: rows and columns, or the rows of a matrix product.',
  paper: ['ST §5.1, task 1b', 'ST Listing 2'],
  operands: {
    target: consumes(
      'generic convolutions in NCHW/FCHW, NHWC/HWCF or NHWC/FHWC, or matrix products',
      'linalg.generic',
    ),
  },
  attributes: {
    apart: documented(unitAttributeKind, 'keeps rows and columns apart, and the shapes of all tensors'),
  },
  results: {
    linearized: produces(
      'the generics over (N, F, windows, C, FH, FW), or with `apart` over (N, F, rows, columns, C, FH, FW)',
      'linalg.generic',
    ),
  },
  failures: {
    'linearize/not-a-convolution': {
      mode: 'silenceable',
      when:
        'a target is not a `linalg.generic` with the maps of a conv_2d_nchw_fchw, conv_2d_nhwc_hwcf or ' +
        'conv_2d_nhwc_fhwc, or, without `apart`, of a matmul, on tensors of static shape',
    },
    'linearize/arithmetic': {
      mode: 'silenceable',
      when: 'an image is empty, or has more than 2^53 elements in a channel',
    },
    'linearize/index': {
      mode: 'silenceable',
      when: 'the body uses the index of a dimension that linearization renumbers',
    },
    'linearize/order': {
      mode: 'silenceable',
      when:
        'channels are the last of the dimensions of a target, and the body does not sum up: running ' +
        'them first may change the result',
    },
  },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  apply: ({ rewriter }, { target }, { apart }) =>
    mapSuccess(
      collect(target, (operation) => linearizeOp(rewriter, operation, apart)),
      (linearized) => ({ linearized }),
    ),
});
