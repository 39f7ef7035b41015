/** Examples of this package's transforms: text and code that give the same IR. */
import { getConsumersOfResult } from '@sconv/transform';
import type { TransformExample } from '@sconv/transform/testing';
import {
  fuse,
  fuseEpilogue,
  fuseIntoContaining,
  gatherOperand,
  continuousTileSizes,
  multitileSizes,
  tileReductionUsingFor,
  tileReductionUsingForall,
  scalarize,
  tileUsingFor,
  tileUsingForall,
  swapInductionVars,
  makeMemrefLoopIndependent,
  makeTensorLoopIndependent,
} from '../src/transforms.ts';

/** Two channels of twelve windows of a linearised image with rows of 8, four windows a row. */
const windows = `func.func @windows(%in: tensor<2x56xf32>, %out: tensor<2x12xf32>) -> tensor<2x12xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, (d1 floordiv 4) * 8 + d1 mod 4)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<2x56xf32>) outs(%out : tensor<2x12xf32>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  } -> tensor<2x12xf32>
  return %0 : tensor<2x12xf32>
}
`;

const matchGeneric = `%op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op`;
const gather = `%gather = transform.structured.gather_operand %op {operand = 0 : i64} : (!transform.any_op) -> !transform.op<"linalg.generic">`;
const tile = `%tile, %loops:2 = transform.structured.tile_using_for %gather tile_sizes [1, 3] {exact} : (!transform.op<"linalg.generic">) -> (!transform.op<"linalg.generic">, !transform.any_op, !transform.any_op)`;

const gatherOperandExamples: readonly TransformExample[] = [
  {
    title: 'The linearised input is read in the body',
    payload: windows,
    script: `${matchGeneric}\n${gather}`,
    record: (recorder) => {
      const op = recorder.match('linalg.generic');
      gatherOperand({ target: op }, { operand: 0 });
    },
  },
];

export const tileUsingForExamples: readonly TransformExample[] = [
  {
    title: 'Tiles that straddle rows, the gathered input unsliced',
    payload: windows,
    script: `${matchGeneric}\n${gather}\n${tile}`,
    record: (recorder) => {
      const op = recorder.match('linalg.generic');
      const { gathering } = gatherOperand({ target: op }, { operand: 0 });
      tileUsingFor({ target: gathering }, { staticSizes: [1, 3], exact: true });
    },
  },
];

const convolution = `func.func @f(%x: tensor<1x2x6x6xf32>, %k: tensor<4x2x3x3xf32>, %o: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %k : tensor<1x2x6x6xf32>, tensor<4x2x3x3xf32>) outs(%o : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}
`;

const tileUsingForallExamples: readonly TransformExample[] = [
  {
    title: 'The rows of a convolution, for two threads',
    payload: convolution,
    script: `%op = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
%tile, %loop = transform.structured.tile_using_forall %op num_threads [0, 0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)`,
    record: (recorder) => {
      const target = recorder.match('linalg.conv_2d_nchw_fchw');
      tileUsingForall({ target }, { staticNumThreads: [0, 0, 2] });
    },
  },
];

const swapInductionVarsExamples: readonly TransformExample[] = [
  {
    title: 'The loop over windows goes outside',
    payload: windows,
    script: `${matchGeneric}\n${gather}\n${tile}\ntransform.loop.swap_induction_vars %loops#0 : !transform.any_op`,
    record: (recorder) => {
      const op = recorder.match('linalg.generic');
      const { gathering } = gatherOperand({ target: op }, { operand: 0 });
      const { loops } = tileUsingFor({ target: gathering }, { staticSizes: [1, 3], exact: true });
      swapInductionVars({ outer: loops[0]! });
    },
  },
];

const chain = `func.func @f(%x: f32, %a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.exp ins(%0 : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
`;

const fuseExamples: readonly TransformExample[] = [
  {
    title: 'An op and the one that it reads, in tiles',
    payload: chain,
    script: `%op = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
%tile, %loop = transform.structured.fuse %op {tile_sizes = [3]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)`,
    record: (recorder) => {
      fuse({ target: recorder.match('linalg.exp') }, { tileSizes: [3] });
    },
  },
];

const activation = `func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>, %bias: tensor<6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = tensor.empty() : tensor<4x6xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0, %bias : tensor<4x6xf32>, tensor<6xf32>) outs(%1 : tensor<4x6xf32>) {
  ^bb0(%x: f32, %w: f32, %old: f32):
    %y = arith.addf %x, %w : f32
    %z = arith.maximumf %y, %zero : f32
    linalg.yield %z : f32
  } -> tensor<4x6xf32>
  return %2 : tensor<4x6xf32>
}
`;

const fuseEpilogueExamples: readonly TransformExample[] = [
  {
    title: 'A bias and an activation, in the last of the blocks that are added to a tile',
    payload: activation,
    script: `%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%behind = transform.get_consumers_of_result %op[0] : (!transform.any_op) -> !transform.any_op
%tile, %loops:3 = transform.structured.tile_using_for %op tile_sizes [2, 3, 4] interchange = [0, 2, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
%fused = transform.structured.fuse_epilogue %behind : (!transform.any_op) -> !transform.any_op`,
    record: (recorder) => {
      const target = recorder.match('linalg.matmul');
      const { consumers } = getConsumersOfResult({ target }, { resultNumber: 0 });
      tileUsingFor({ target }, { staticSizes: [2, 3, 4], interchange: [0, 2, 1] });
      fuseEpilogue({ target: consumers });
    },
  },
];

const fuseIntoContainingExamples: readonly TransformExample[] = [
  {
    title: 'A fill goes into the loop that reads it',
    payload: chain,
    script: `%op = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
%tile, %loop = transform.structured.tile_using_forall %op num_threads [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
%fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
%fused, %same = transform.structured.fuse_into_containing_op %fill into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)`,
    record: (recorder) => {
      const target = recorder.match('linalg.exp');
      const { forallOp } = tileUsingForall({ target }, { staticNumThreads: [2] });
      fuseIntoContaining({ producerOp: recorder.match('linalg.fill'), containingOp: forallOp });
    },
  },
];

const unknown = chain.replaceAll('8xf32', '?xf32');

const scalarizeExamples: readonly TransformExample[] = [
  {
    title: 'An op of unknown size, element by element',
    payload: unknown,
    script: `%op = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
%element = transform.structured.scalarize %op : (!transform.any_op) -> !transform.any_op`,
    record: (recorder) => {
      scalarize({ target: recorder.match('linalg.exp') });
    },
  },
];

const multitileSizesExamples: readonly TransformExample[] = [
  {
    title: 'About three of an unknown number of elements',
    payload: unknown,
    script: `%op = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
%low, %high, %point = transform.structured.multitile_sizes %op {dimension = 0, target_size = 3} : (!transform.any_op) -> !transform.any_op`,
    record: (recorder) => {
      multitileSizes({ target: recorder.match('linalg.exp') }, { dimension: 0, targetSize: 3 });
    },
  },
];

const sums = `func.func @sums(%in: tensor<6x40xf32>, %out: tensor<6xf32>) -> tensor<6xf32> {
  %0 = linalg.reduce ins(%in : tensor<6x40xf32>) outs(%out : tensor<6xf32>) dimensions = [1]
    (%x: f32, %sum: f32) {
      %s = arith.addf %x, %sum : f32
      linalg.yield %s : f32
    }
  return %0 : tensor<6xf32>
}
`;

const matchSums =
  '%op = transform.structured.match ops{["linalg.reduce"]} in %root : (!transform.any_op) -> !transform.any_op';
const reductionTypes =
  '(!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)';

const tileReductionUsingForExamples: readonly TransformExample[] = [
  {
    title: 'Eight partial sums of each row, which tiles of eight elements are added to',
    payload: sums,
    script: `${matchSums}
%fill, %tile, %merging, %loop = transform.structured.tile_reduction_using_for %op by tile_sizes = [0, 8] : ${reductionTypes}`,
    record: (recorder) => {
      tileReductionUsingFor({ target: recorder.match('linalg.reduce') }, { tileSizes: [0, 8] });
    },
  },
];

const tileReductionUsingForallExamples: readonly TransformExample[] = [
  {
    title: 'Four partial sums of each row at the same time',
    payload: sums,
    script: `${matchSums}
%fill, %tile, %merging, %loop = transform.structured.tile_reduction_using_forall %op by num_threads = [0, 4] : ${reductionTypes}`,
    record: (recorder) => {
      tileReductionUsingForall({ target: recorder.match('linalg.reduce') }, { numThreads: [0, 4] });
    },
  },
];

const continuousTileSizesExamples: readonly TransformExample[] = [
  {
    title: 'Tiles of four, two and one of an unknown number of elements',
    payload: unknown,
    script: `%op = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
%sizes, %chunks = transform.structured.continuous_tile_sizes %op {dimension = 0, target_size = 4} : (!transform.any_op) -> !transform.any_op`,
    record: (recorder) => {
      continuousTileSizes({ target: recorder.match('linalg.exp') }, { dimension: 0, targetSize: 4 });
    },
  },
];

/** Sums of a row of which less is left in each iteration; `body` fills `%row`. */
const shrinkingRows = (body: string, read: string): string => `func.func @f(%x: f32, %init: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %0 = scf.for %i = %c0 to %c9 step %c2 iter_args(%sum = %init) -> (f32) {
    %n = affine.apply affine_map<(d0) -> (9 - d0)>(%i)
    ${body}
    %v = ${read}
    %next = arith.addf %sum, %v : f32
    scf.yield %next : f32
  }
  return %0 : f32
}
`;

const loopIndependentTensorExamples: readonly TransformExample[] = [
  {
    title: 'Each iteration fills a part of nine elements',
    payload: shrinkingRows(
      `%empty = tensor.empty(%n) : tensor<?xf32>
    %row = linalg.fill ins(%x : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>`,
      'tensor.extract %row[%c0] : tensor<?xf32>',
    ),
    script: `%empty = transform.structured.match ops{["tensor.empty"]} in %root : (!transform.any_op) -> !transform.any_op
%slice = transform.tensor.make_loop_independent %empty {num_loops = 1 : i64} : (!transform.any_op) -> !transform.any_op`,
    record: (recorder) => {
      makeTensorLoopIndependent({ target: recorder.match('tensor.empty') }, { numLoops: 1 });
    },
  },
];

const loopIndependentMemrefExamples: readonly TransformExample[] = [
  {
    title: 'Each iteration fills a view of nine elements',
    payload: shrinkingRows(
      `%row = memref.alloca(%n) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%row : memref<?xf32>)`,
      'memref.load %row[%c0] : memref<?xf32>',
    ),
    script: `%row = transform.structured.match ops{["memref.alloca"]} in %root : (!transform.any_op) -> !transform.any_op
%view = transform.memref.make_loop_independent %row {num_loops = 1 : i64} : (!transform.any_op) -> !transform.any_op`,
    record: (recorder) => {
      makeMemrefLoopIndependent({ target: recorder.match('memref.alloca') }, { numLoops: 1 });
    },
  },
];

/** By the op that they show. */
export const examples: Readonly<Record<string, readonly TransformExample[]>> = {
  [gatherOperand.definition.name]: gatherOperandExamples,
  [tileUsingFor.definition.name]: tileUsingForExamples,
  [tileUsingForall.definition.name]: tileUsingForallExamples,
  [scalarize.definition.name]: scalarizeExamples,
  [multitileSizes.definition.name]: multitileSizesExamples,
  [continuousTileSizes.definition.name]: continuousTileSizesExamples,
  [tileReductionUsingFor.definition.name]: tileReductionUsingForExamples,
  [tileReductionUsingForall.definition.name]: tileReductionUsingForallExamples,
  [fuse.definition.name]: fuseExamples,
  [fuseIntoContaining.definition.name]: fuseIntoContainingExamples,
  [fuseEpilogue.definition.name]: fuseEpilogueExamples,
  [swapInductionVars.definition.name]: swapInductionVarsExamples,
  [makeTensorLoopIndependent.definition.name]: loopIndependentTensorExamples,
  [makeMemrefLoopIndependent.definition.name]: loopIndependentMemrefExamples,
};
