/** Examples of this package's transforms: text and code that give the same IR. */
import type { TransformExample } from '@sconv/transform/testing';
import { exampleConvolution, matchConvolution } from '@sconv/transform/testing';
import { match } from '@sconv/transform';
import { assertExtents, packGreedily, structuredSconv } from '../src/transforms.ts';

const sconvExamples: readonly TransformExample[] = [
  {
    title: 'A convolution of 30 windows and 4 filters in tiles of 8 windows and 2 filters',
    payload: exampleConvolution,
    script: `${matchConvolution}
%kernels, %loops = transform.structured.sconv %conv {mk_info = [8, 2]} : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.any_op)`,
    record: (recorder) => {
      structuredSconv({ target: recorder.match('linalg.conv_2d_nchw_fchw') }, { mkInfo: [8, 2] });
    },
  },
];

const assertExtentsExamples: readonly TransformExample[] = [
  {
    title: 'A convolution that is sliced if it has 30 windows and 4 filters, as the sizes are chosen for',
    payload: exampleConvolution,
    script: `${matchConvolution}
transform.structured.assert_extents %conv {batch = 1, channels = 2, filters = 4, windows = 30} : !transform.any_op
%kernels, %loops = transform.structured.sconv %conv {mk_info = [8, 2]} : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.any_op)`,
    record: (recorder) => {
      const target = recorder.match('linalg.conv_2d_nchw_fchw');
      assertExtents({ target }, { batch: 1, channels: 2, windows: 30, filters: 4 });
      structuredSconv({ target }, { mkInfo: [8, 2] });
    },
  },
];

const packGreedilyExamples: readonly TransformExample[] = [
  {
    title: 'A product in tiles of 4 by 2 by 8',
    payload: `func.func @f(%a: tensor<16x32xf32>, %b: tensor<32x6xf32>, %c: tensor<16x6xf32>) -> tensor<16x6xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<16x32xf32>, tensor<32x6xf32>) outs(%c : tensor<16x6xf32>) -> tensor<16x6xf32>
  return %0 : tensor<16x6xf32>
}
`,
    script: `%matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%packed = transform.structured.pack_greedily %matmul matmul_packed_sizes = [4, 2, 8] matmul_inner_dims_order = [0, 1, 2] : (!transform.any_op) -> !transform.any_op`,
    record: ({ root }) => {
      const { results: target } = match({ target: root }, { ops: ['linalg.matmul'] });
      packGreedily(
        { target, matmulPackedSizes: [] },
        { staticMatmulPackedSizes: [4, 2, 8], matmulInnerDimsOrder: [0, 1, 2] },
      );
    },
  },
];

/** By the op that they show. */
export const examples: Readonly<Record<string, readonly TransformExample[]>> = {
  [assertExtents.definition.name]: assertExtentsExamples,
  [structuredSconv.definition.name]: sconvExamples,
  [packGreedily.definition.name]: packGreedilyExamples,
};
