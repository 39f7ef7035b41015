/** `img2colOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { consumes, defineTransformOp, functional, produces } from '@sconv/transform';
import { img2colOp } from '../img2col-op.ts';

/** `transform.structured.convert_conv2d_to_img2col`. */
export const convertConv2dToImg2col = defineTransformOp({
  name: 'transform.structured.convert_conv2d_to_img2col',
  summary: 'Rewrites a convolution as a matrix product, one of whose operands has a window per row (im2col).',
  operands: { target: consumes('convolutions') },
  results: { img2colTensor: produces('what fills the matrix'), transformed: produces('the product') },
  failures: {
    'img2col/not-a-convolution': {
      mode: 'silenceable',
      when: 'a target is not `linalg.conv_2d_nhwc_hwcf`, `conv_2d_nhwc_fhwc`, `conv_2d_nchw_fchw` or `depthwise_conv_2d_nhwc_hwc`',
    },
    'img2col/shape': {
      mode: 'silenceable',
      when: 'an operand is no tensor of static shape, or has no elements, or 2^53 of them',
    },
  },
  assembly: functional(),
  apply: ({ rewriter }, { target }) =>
    mapSuccess(
      collect(target, (operation) => img2colOp(rewriter, operation)),
      (converted) => ({
        img2colTensor: converted.map(({ windows }) => windows),
        transformed: converted.map(({ result }) => result),
      }),
    ),
});
