/** Examples of this package's transforms: text and code that give the same IR. */
import { allocTensor } from '@sconv/dialects/bufferization';
import type { Rewriter } from '@sconv/ir';
import { f32, tensorType } from '@sconv/ir';
import type { Recorder } from '@sconv/transform';
import type { TransformExample } from '@sconv/transform/testing';
import { exampleConvolution, matchConvolution } from '@sconv/transform/testing';
import {
  convertConv2dToImg2col,
  decompose,
  decomposeInterface,
  decomposeWinograd,
  delinearize,
  dropUnitGroup,
  flattenElementwise,
  foldPad,
  generalize,
  insertSliceToCopy,
  interchange,
  linearize,
  normalizeContraction,
  replace,
  specialize,
  transposeConv2d,
  transposeMatmul,
  winogradConv2d,
} from '../src/transforms.ts';

const convolution = (recorder: Recorder) => recorder.match('linalg.conv_2d_nchw_fchw');

const generalizeExamples: readonly TransformExample[] = [
  {
    title: 'A named convolution becomes generic',
    payload: exampleConvolution,
    script: `${matchConvolution}
%generic = transform.structured.generalize %conv : (!transform.any_op) -> !transform.op<"linalg.generic">`,
    record: (recorder) => {
      generalize({ target: convolution(recorder) });
    },
  },
];

const linearizeExamples: readonly TransformExample[] = [
  {
    title: 'Height and width become one dimension of windows',
    payload: exampleConvolution,
    script: `${matchConvolution}
%generic = transform.structured.generalize %conv : (!transform.any_op) -> !transform.op<"linalg.generic">
%linear = transform.structured.linearize %generic : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.generic">`,
    record: (recorder) => {
      const { transformed } = generalize({ target: convolution(recorder) });
      linearize({ target: transformed });
    },
  },
];

/** Six windows of one row-major image of 7x8, gathered from its linearised form. */
const gather = `func.func @gather(%in: tensor<1x2x7x8xf32>, %out: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %linear = tensor.collapse_shape %in [[0], [1], [2, 3]] : tensor<1x2x7x8xf32> into tensor<1x2x56xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%out : tensor<2x6xf32>) {
  ^bb0(%old: f32):
    %c0 = arith.constant 0 : index
    %c = linalg.index 0 : index
    %w = linalg.index 1 : index
    %i = affine.apply affine_map<(d0) -> ((d0 floordiv 3) * 8 + d0 mod 3)>(%w)
    %x = tensor.extract %linear[%c0, %c, %i] : tensor<1x2x56xf32>
    linalg.yield %x : f32
  } -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}
`;

export const delinearizeExamples: readonly TransformExample[] = [
  {
    title: 'A linear index becomes row and column, without a division by the width',
    payload: gather,
    script: `%gather = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
transform.structured.delinearize %gather : !transform.any_op`,
    record: (recorder) => {
      delinearize({ target: recorder.match('linalg.generic') });
    },
  },
];

/** Windows of a row of 5 with a zero on either side. */
const paddedRow = `func.func @row(%in: tensor<5xf32>, %out: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %in low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<5xf32> to tensor<7xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%out : tensor<3x5xf32>) {
  ^bb0(%old: f32):
    %tap = linalg.index 0 : index
    %w = linalg.index 1 : index
    %column = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%w, %tap)
    %x = tensor.extract %padded[%column] : tensor<7xf32>
    linalg.yield %x : f32
  } -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
`;

const foldPadExamples: readonly TransformExample[] = [
  {
    title: 'Windows of a padded row read the row',
    payload: paddedRow,
    script: `%gather = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
transform.structured.fold_pad %gather : !transform.any_op`,
    record: (recorder) => {
      foldPad({ target: recorder.match('linalg.generic') });
    },
  },
];

const img2colExamples: readonly TransformExample[] = [
  {
    title: 'The windows of a convolution become the columns of a matrix',
    payload: exampleConvolution,
    script: `${matchConvolution}
%windows, %product = transform.structured.convert_conv2d_to_img2col %conv : (!transform.any_op) -> (!transform.any_op, !transform.any_op)`,
    record: (recorder) => {
      convertConv2dToImg2col({ target: convolution(recorder) });
    },
  },
  {
    title: 'Expanded, they are copied as they lie',
    payload: exampleConvolution,
    script: `${matchConvolution}
%windows, %product = transform.structured.convert_conv2d_to_img2col %conv {expanded} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)`,
    record: (recorder) => {
      convertConv2dToImg2col({ target: convolution(recorder) }, { expanded: true });
    },
  },
];

const rows = `func.func @rows(%in: tensor<4x6xf32>, %out: tensor<4xindex>) -> tensor<4xindex> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<4x6xf32>) outs(%out : tensor<4xindex>) {
  ^bb0(%x: f32, %old: index):
    %column = linalg.index 1 : index
    %sum = arith.addi %old, %column : index
    linalg.yield %sum : index
  } -> tensor<4xindex>
  return %0 : tensor<4xindex>
}
`;

const interchangeExamples: readonly TransformExample[] = [
  {
    title: 'Columns before rows',
    payload: rows,
    script: `%op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
%columns = transform.structured.interchange %op iterator_interchange = [1, 0] : (!transform.any_op) -> !transform.any_op`,
    record: (recorder) => {
      interchange({ target: recorder.match('linalg.generic') }, { iteratorInterchange: [1, 0] });
    },
  },
];

/** A function around one named op on tensors. */
const around = (
  op: string,
  a: string,
  b: string,
  c: string,
): string => `func.func @f(%a: ${a}, %b: ${b}, %c: ${c}) -> ${c} {
  %0 = ${op} ins(%a, %b : ${a}, ${b}) outs(%c : ${c}) -> ${c}
  return %0 : ${c}
}
`;

const onOps = (name: string, transform: string, after = '!transform.any_op'): string =>
  `%op = transform.structured.match ops{["${name}"]} in %root : (!transform.any_op) -> !transform.any_op
%after = transform.structured.${transform} %op : (!transform.any_op) -> ${after}`;

const decomposeExamples: readonly TransformExample[] = [
  {
    title: 'A convolution of one row has one dimension',
    payload: around(
      'linalg.conv_2d_nhwc_hwcf',
      'tensor<2x1x9x3xf32>',
      'tensor<1x3x3x4xf32>',
      'tensor<2x1x7x4xf32>',
    ),
    script: onOps('linalg.conv_2d_nhwc_hwcf', 'decompose'),
    record: (recorder) => {
      decompose({ target: recorder.match('linalg.conv_2d_nhwc_hwcf') });
    },
  },
];

const decomposeInterfaceExamples: readonly TransformExample[] = [
  {
    title: 'A softmax of rows',
    payload: `func.func @f(%a: tensor<4x6xf32>, %b: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.softmax dimension(1) ins(%a : tensor<4x6xf32>) outs(%b : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
`,
    script: onOps('linalg.softmax', 'decompose_interface'),
    record: (recorder) => {
      decomposeInterface({ target: recorder.match('linalg.softmax') });
    },
  },
];

const winogradConvolution = `func.func @f(%i: tensor<1x6x7x2xf32>, %k: tensor<3x3x3x2xf32>) -> tensor<1x4x5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x4x5x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  %0 = linalg.conv_2d_nhwc_fhwc ins(%i, %k : tensor<1x6x7x2xf32>, tensor<3x3x3x2xf32>) outs(%init : tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  return %0 : tensor<1x4x5x3xf32>
}
`;

const winogradExamples: readonly TransformExample[] = [
  {
    title: 'Tiles of 2 by 2 of the output, with a column that fills the last ones',
    payload: winogradConvolution,
    script: onOps('linalg.conv_2d_nhwc_fhwc', 'winograd_conv2d').replace(
      '%op :',
      '%op {m = 2 : i64, r = 3 : i64} :',
    ),
    record: (recorder) => {
      winogradConv2d({ target: recorder.match('linalg.conv_2d_nhwc_fhwc') }, { m: 2, r: 3 });
    },
  },
];

const decomposeWinogradExamples: readonly TransformExample[] = [
  {
    title: 'The transform of the filters',
    payload: `func.func @f(%k: tensor<3x3x3x2xf32>, %out: tensor<4x4x2x3xf32>) -> tensor<4x4x2x3xf32> {
  %0 = linalg.winograd_filter_transform m(2) r(3) ins(%k : tensor<3x3x3x2xf32>) outs(%out : tensor<4x4x2x3xf32>) -> tensor<4x4x2x3xf32>
  return %0 : tensor<4x4x2x3xf32>
}
`,
    script: onOps('linalg.winograd_filter_transform', 'decompose_winograd_op'),
    record: (recorder) => {
      decomposeWinograd({ target: recorder.match('linalg.winograd_filter_transform') });
    },
  },
];

const insertSliceExamples: readonly TransformExample[] = [
  {
    title: 'What is inserted is copied first',
    payload: `func.func @f(%a: tensor<2x3xf32>, %b: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %0 = tensor.insert_slice %a into %b[1, 2] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}
`,
    script: onOps('tensor.insert_slice', 'insert_slice_to_copy'),
    record: (recorder) => {
      insertSliceToCopy({ target: recorder.match('tensor.insert_slice') });
    },
  },
];

const normalizeContractionExamples: readonly TransformExample[] = [
  {
    title: 'Rows of two dimensions become one',
    payload: `func.func @f(%a: tensor<2x3x4xf32>, %b: tensor<4x5xf32>, %c: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, n, k) -> (a, b, k)>, affine_map<(a, b, n, k) -> (k, n)>, affine_map<(a, b, n, k) -> (a, b, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<2x3x4xf32>, tensor<4x5xf32>) outs(%c : tensor<2x3x5xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %z, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}`,
    script: onOps('linalg.generic', 'normalize_contraction', '!transform.op<"linalg.generic">'),
    record: (recorder) => {
      normalizeContraction({ target: recorder.match('linalg.generic') });
    },
  },
  {
    title: 'A matrix in tiles is transposed, as is its product',
    payload: around('linalg.mmt4d', 'tensor<2x3x4x2xf32>', 'tensor<3x3x2x2xf32>', 'tensor<2x3x4x2xf32>'),
    script: onOps('linalg.mmt4d', 'normalize_contraction', '!transform.op<"linalg.generic">'),
    record: (recorder) => {
      normalizeContraction({ target: recorder.match('linalg.mmt4d') });
    },
  },
];

const dropUnitGroupExamples: readonly TransformExample[] = [
  {
    title: 'The convolution of the only group',
    payload: around(
      'linalg.conv_2d_ngchw_gfchw',
      'tensor<2x1x3x6x7xf32>',
      'tensor<1x4x3x2x2xf32>',
      'tensor<2x1x4x5x6xf32>',
    ),
    script: onOps(
      'linalg.conv_2d_ngchw_gfchw',
      'drop_unit_group',
      '!transform.op<"linalg.conv_2d_nchw_fchw">',
    ),
    record: (recorder) => {
      dropUnitGroup({ target: recorder.match('linalg.conv_2d_ngchw_gfchw') });
    },
  },
];

const transposeConv2dExamples: readonly TransformExample[] = [
  {
    title: 'Filters become the last dimension',
    payload: around(
      'linalg.conv_2d_nhwc_fhwc',
      'tensor<1x5x6x3xf32>',
      'tensor<4x2x2x3xf32>',
      'tensor<1x4x5x4xf32>',
    ),
    script: onOps('linalg.conv_2d_nhwc_fhwc', 'transpose_conv2d'),
    record: (recorder) => {
      transposeConv2d({ target: recorder.match('linalg.conv_2d_nhwc_fhwc') });
    },
  },
];

const transposeMatmulExamples: readonly TransformExample[] = [
  {
    title: 'The left matrix is read column by column',
    payload: around('linalg.matmul', 'tensor<3x4xf32>', 'tensor<4x5xf32>', 'tensor<3x5xf32>'),
    script: onOps('linalg.matmul', 'transpose_matmul'),
    record: (recorder) => {
      transposeMatmul({ target: recorder.match('linalg.matmul') });
    },
  },
];

const flattenExamples: readonly TransformExample[] = [
  {
    title: 'A sum of matrices as one of vectors',
    payload: around('linalg.add', 'tensor<3x4xf32>', 'tensor<3x4xf32>', 'tensor<3x4xf32>'),
    script: onOps('linalg.add', 'flatten_elementwise'),
    record: (recorder) => {
      flattenElementwise({ target: recorder.match('linalg.add') });
    },
  },
];

const specializeExamples: readonly TransformExample[] = [
  {
    title: 'A product of matrices gets its name',
    payload: `func.func @f(%a: tensor<3x4xf32>, %b: tensor<5x4xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<3x4xf32>, tensor<5x4xf32>) outs(%c : tensor<3x5xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %z, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
`,
    script: onOps('linalg.generic', 'specialize'),
    record: (recorder) => {
      specialize({ target: recorder.match('linalg.generic') });
    },
  },
];

const replaceExamples: readonly TransformExample[] = [
  {
    title: 'Allocated, where it was undefined',
    payload: `func.func @f(%x: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
`,
    script: `%empty = transform.structured.match ops{["tensor.empty"]} in %root : (!transform.any_op) -> !transform.any_op
%0 = transform.structured.replace %empty {
  %t = bufferization.alloc_tensor() : tensor<4xf32>
} : (!transform.any_op) -> !transform.any_op`,
    record: (recorder) => {
      const build = (rewriter: Rewriter): void => {
        rewriter.create(
          allocTensor.state({
            operands: { dynamicSizes: [] },
            resultTypes: [tensorType([4], f32)],
          }),
        );
      };
      replace({ target: recorder.match('tensor.empty') }, {}, { bodies: [{ build }] });
    },
  },
];

/** By the op that they show. */
export const examples: Readonly<Record<string, readonly TransformExample[]>> = {
  [generalize.definition.name]: generalizeExamples,
  [linearize.definition.name]: linearizeExamples,
  [delinearize.definition.name]: delinearizeExamples,
  [foldPad.definition.name]: foldPadExamples,
  [interchange.definition.name]: interchangeExamples,
  [convertConv2dToImg2col.definition.name]: img2colExamples,
  [decompose.definition.name]: decomposeExamples,
  [decomposeInterface.definition.name]: decomposeInterfaceExamples,
  [decomposeWinograd.definition.name]: decomposeWinogradExamples,
  [winogradConv2d.definition.name]: winogradExamples,
  [dropUnitGroup.definition.name]: dropUnitGroupExamples,
  [normalizeContraction.definition.name]: normalizeContractionExamples,
  [flattenElementwise.definition.name]: flattenExamples,
  [insertSliceToCopy.definition.name]: insertSliceExamples,
  [transposeConv2d.definition.name]: transposeConv2dExamples,
  [specialize.definition.name]: specializeExamples,
  [transposeMatmul.definition.name]: transposeMatmulExamples,
  [replace.definition.name]: replaceExamples,
};
