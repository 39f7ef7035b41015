/** `img2colOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { documented, unitAttributeKind } from '@sconv/ir';
import { consumes, defineTransformOp, functional, produces } from '@sconv/transform';
import { img2colOp } from '../img2col-op.ts';

/** `transform.structured.convert_conv2d_to_img2col`. */
export const convertConv2dToImg2col = defineTransformOp({
  name: 'transform.structured.convert_conv2d_to_img2col',
  summary: 'Rewrites a convolution as a matrix product, with one window per row of an operand (im2col).',
  operands: { target: consumes('convolutions') },
  attributes: {
    expanded: documented(
      unitAttributeKind,
      'copies rows or channels as they lie to a tensor with a dimension for each index, which is collapsed to the ' +
        'matrix, instead of computing indices; not for depthwise convolutions',
    ),
  },
  results: {
    img2colTensor: produces(
      'the op that fills the matrix; with `expanded` and one tap, it may be the reshape of the input',
    ),
    transformed: produces(
      'the op that replaces the convolution: a `tensor.expand_shape` of the product, or a transpose of that',
    ),
  },
  failures: {
    'img2col/not-a-convolution': {
      mode: 'silenceable',
      when:
        'a target is not `linalg.conv_2d_nhwc_hwcf`, `conv_2d_nhwc_fhwc`, `conv_2d_nchw_fchw` or ' +
        '`depthwise_conv_2d_nhwc_hwc`',
    },
    'img2col/shape': {
      mode: 'silenceable',
      when: 'an operand is not a tensor of static shape, or is empty, or has 2^53 or more elements',
    },
  },
  assembly: functional(),
  apply: ({ rewriter }, { target }, { expanded }) =>
    mapSuccess(
      collect(target, (operation) => img2colOp(rewriter, operation, { expanded })),
      (converted) => ({
        img2colTensor: converted.map(({ windows }) => windows),
        transformed: converted.map(({ result }) => result),
      }),
    ),
});
