/** `normalizeContractionOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { consumes, defineTransformOp, produces } from '@sconv/transform';
import { normalizeContractionOp } from '../normalize-contraction-op.ts';

/** `transform.structured.normalize_contraction`. */
export const normalizeContraction = defineTransformOp({
  name: 'transform.structured.normalize_contraction',
  summary:
    'Makes a matrix product, or a two-dimensional convolution, of any contraction: any sum of products.',
  operands: {
    target: consumes('contractions on tensors of static shape without dimensions that are in all operands'),
  },
  results: {
    normalized: produces(
      'the generics with the maps of a matmul, or of a conv_2d_nchw_fchw, conv_2d_nhwc_hwcf or conv_2d_nhwc_fhwc',
      'linalg.generic',
    ),
  },
  failures: {
    'normalize-contraction/not-a-contraction': {
      mode: 'silenceable',
      when:
        'a target is not a sum of products on tensors of static shape, an index is neither a dimension nor the sum ' +
        'of a window and a tap, or a dimension of several indices is in all operands, or in one alone',
    },
  },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  apply: ({ rewriter }, { target }) =>
    mapSuccess(
      collect(target, (operation) => normalizeContractionOp(rewriter, operation)),
      (normalized) => ({ normalized }),
    ),
});
