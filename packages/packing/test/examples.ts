/** Examples of this package's transforms: text and code that give the same IR. */
import { f32, floatAttribute } from '@sconv/ir';
import { match } from '@sconv/transform';
import type { Recorder } from '@sconv/transform';
import type { TransformExample } from '@sconv/transform/testing';
import {
  packWindows,
  packFilters,
  formMicrokernel,
  multipack,
  pack,
  packPlanes,
  packTranspose,
  lowerPack,
  lowerUnpack,
  hoistPad,
  hoistPadBuildPackingLoopNest,
  pad,
  promote,
} from '../src/transforms.ts';

/** A linearised convolution of 4 filters of 2x3x3 over 2x7x8, in tiles of 2 filters and 6 windows, its input gathered. */
const tiled = `func.func @conv(%in: tensor<1x2x56xf32>, %filters: tensor<4x2x3x3xf32>, %out: tensor<1x4x30xf32>) -> tensor<1x4x30xf32> {
  %c0 = arith.constant 0 : index
  %c30 = arith.constant 30 : index
  %c6 = arith.constant 6 : index
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %0 = scf.for %w = %c0 to %c30 step %c6 iter_args(%outer = %out) -> (tensor<1x4x30xf32>) {
    %1 = scf.for %f = %c0 to %c4 step %c2 iter_args(%inner = %outer) -> (tensor<1x4x30xf32>) {
      %tile_f = tensor.extract_slice %filters[%f, 0, 0, 0] [2, 2, 3, 3] [1, 1, 1, 1] : tensor<4x2x3x3xf32> to tensor<2x2x3x3xf32>
      %tile_o = tensor.extract_slice %inner[0, %f, %w] [1, 2, 6] [1, 1, 1] : tensor<1x4x30xf32> to tensor<1x2x6xf32>
      %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%tile_f : tensor<2x2x3x3xf32>) outs(%tile_o : tensor<1x2x6xf32>) {
      ^bb0(%filter: f32, %sum: f32):
        %n = linalg.index 0 : index
        %iw = linalg.index 2 : index
        %c = linalg.index 3 : index
        %fh = linalg.index 4 : index
        %fw = linalg.index 5 : index
        %i = affine.apply affine_map<(d0, d1, d2, d3) -> (((d0 + d1) floordiv 6 + d2) * 8 + (d0 + d1) mod 6 + d3)>(%iw, %w, %fh, %fw)
        %x = tensor.extract %in[%n, %c, %i] : tensor<1x2x56xf32>
        %3 = arith.mulf %x, %filter : f32
        %4 = arith.addf %sum, %3 : f32
        linalg.yield %4 : f32
      } -> tensor<1x2x6xf32>
      %put = tensor.insert_slice %2 into %inner[0, %f, %w] [1, 2, 6] [1, 1, 1] : tensor<1x2x6xf32> into tensor<1x4x30xf32>
      scf.yield %put : tensor<1x4x30xf32>
    }
    scf.yield %1 : tensor<1x4x30xf32>
  }
  return %0 : tensor<1x4x30xf32>
}
`;

const generics = '(!transform.op<"linalg.generic">, !transform.op<"linalg.generic">)';
const matchTile = `%tile = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op`;
const packWindowsText = `%windows, %t1 = transform.structured.pack_windows %tile : (!transform.any_op) -> ${generics}`;
const packFiltersText = `%filters, %t2 = transform.structured.pack_filters %t1 : (!transform.op<"linalg.generic">) -> ${generics}`;
const oneGeneric = '(!transform.op<"linalg.generic">) -> !transform.op<"linalg.generic">';

const recordWindows = (recorder: Recorder) => packWindows({ target: recorder.match('linalg.generic') });

const recordFilters = (recorder: Recorder) => packFilters({ target: recordWindows(recorder).packed });

export const packWindowsExamples: readonly TransformExample[] = [
  {
    title: 'The windows of a tile are packed before the loop over filters, which they do not depend on',
    payload: tiled,
    script: `${matchTile}\n${packWindowsText}`,
    record: (recorder) => {
      recordWindows(recorder);
    },
  },
];

const packFiltersExamples: readonly TransformExample[] = [
  {
    title: 'The filters of a tile are packed in its loop',
    payload: tiled,
    script: `${matchTile}\n${packWindowsText}\n${packFiltersText}`,
    record: (recorder) => {
      recordFilters(recorder);
    },
  },
];

const formMicrokernelExamples: readonly TransformExample[] = [
  {
    title: 'A tile with packed operands becomes a microkernel with K = 2x3x3',
    payload: tiled,
    script: `${matchTile}\n${packWindowsText}\n${packFiltersText}
%kernel = transform.structured.form_microkernel %t2 : ${oneGeneric}`,
    record: (recorder) => {
      formMicrokernel({ target: recordFilters(recorder).packed });
    },
  },
];

const multipackExamples: readonly TransformExample[] = [
  {
    title: 'All filters are packed once, before both loops',
    payload: tiled,
    script: `${matchTile}\n${packWindowsText}\n${packFiltersText}
%all = transform.structured.multipack %filters : ${oneGeneric}`,
    record: (recorder) => {
      multipack({ target: recordFilters(recorder).packing });
    },
  },
];

/** The product of a 6x10 and a 10x8 matrix. */
const product = `func.func @product(%a: tensor<6x10xf32>, %b: tensor<10x8xf32>, %c: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<6x10xf32>, tensor<10x8xf32>) outs(%c : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}
`;

const matchOps = (name: string): string =>
  `%op = transform.structured.match ops{["${name}"]} in %root : (!transform.any_op) -> !transform.any_op`;
const packText = `${matchOps('linalg.matmul')}
%packed = transform.structured.pack %op packed_sizes = [2, 4, 3] : (!transform.any_op) -> !transform.op<"linalg.generic">`;

const recordPack = (recorder: Recorder) =>
  pack({ target: recorder.match('linalg.matmul'), packedSizes: [] }, { staticPackedSizes: [2, 4, 3] });

const packExamples: readonly TransformExample[] = [
  {
    title: 'Tiles of a product of matrices are packed; the last one of ten is padded',
    payload: product,
    script: packText,
    record: (recorder) => {
      recordPack(recorder);
    },
  },
];

const packTransposeExamples: readonly TransformExample[] = [
  {
    title: 'The tiles of a result are stored column by column',
    payload: product,
    script: `${packText}
%unpacks = transform.structured.match ops{["tensor.unpack"]} in %root : (!transform.any_op) -> !transform.op<"tensor.unpack">
%transposed, %packs, %after = transform.structured.pack_transpose %unpacks with_compute_op(%packed) inner_perm = [1, 0] : (!transform.op<"tensor.unpack">, !transform.op<"linalg.generic">) -> (!transform.any_op, !transform.any_op, !transform.any_op)`,
    record: (recorder) => {
      const { packedOp } = recordPack(recorder);
      packTranspose(
        { targetPackOrUnPackOp: recorder.match('tensor.unpack'), targetLinalgOp: packedOp },
        { innerPerm: [1, 0] },
      );
    },
  },
];

const lowerPackExamples: readonly TransformExample[] = [
  {
    title: 'Tiles are made by reshaping the padded matrix, and put behind each other by a transposition',
    payload: `func.func @pack(%a: tensor<6x10xf32>, %b: tensor<3x4x2x3xf32>, %zero: f32) -> tensor<3x4x2x3xf32> {
  %0 = tensor.pack %a padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 3] into %b : tensor<6x10xf32> -> tensor<3x4x2x3xf32>
  return %0 : tensor<3x4x2x3xf32>
}
`,
    script: `%op = transform.structured.match ops{["tensor.pack"]} in %root : (!transform.any_op) -> !transform.op<"tensor.pack">
%pad, %expand, %transpose = transform.structured.lower_pack %op : (!transform.op<"tensor.pack">) -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)`,
    record: (recorder) => {
      lowerPack({ target: recorder.match('tensor.pack') });
    },
  },
];

const lowerUnpackExamples: readonly TransformExample[] = [
  {
    title: 'Tiles are put side by side by a transposition; what a reshape has beyond the matrix is cut off',
    payload: `func.func @unpack(%a: tensor<3x4x2x3xf32>, %b: tensor<6x10xf32>) -> tensor<6x10xf32> {
  %0 = tensor.unpack %a inner_dims_pos = [0, 1] inner_tiles = [2, 3] into %b : tensor<3x4x2x3xf32> -> tensor<6x10xf32>
  return %0 : tensor<6x10xf32>
}
`,
    script: `%op = transform.structured.match ops{["tensor.unpack"]} in %root : (!transform.any_op) -> !transform.op<"tensor.unpack">
%empty, %transpose, %collapse, %slice = transform.structured.lower_unpack %op : (!transform.op<"tensor.unpack">) -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">)`,
    record: (recorder) => {
      lowerUnpack({ target: recorder.match('tensor.unpack') });
    },
  },
];

const padExamples: readonly TransformExample[] = [
  {
    title: 'The operands of a product are padded to multiples of four',
    payload: product,
    script: `${matchOps('linalg.matmul')}
%padded, %pads, %copy = transform.structured.pad %op pad_to_multiple_of [4, 4] {padding_dimensions = [0, 2], padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)`,
    record: (recorder) => {
      const zero = floatAttribute(0, f32);
      pad(
        { target: recorder.match('linalg.matmul'), padToMultipleOf: [] },
        {
          paddingDimensions: [0, 2],
          paddingValues: [zero, zero, zero],
          staticPadToMultipleOf: [4, 4],
        },
      );
    },
  },
];

const paddedRows = `func.func @f(%a: tensor<7x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %zero = arith.constant 0 : index
  %three = arith.constant 3 : index
  %seven = arith.constant 7 : index
  %v = arith.constant 0.0 : f32
  %0 = scf.for %i = %zero to %seven step %three iter_args(%o = %b) -> (tensor<3x4xf32>) {
    %s = affine.min affine_map<(d0) -> (3, 7 - d0)>(%i)
    %h = affine.apply affine_map<(d0) -> (3 - d0)>(%s)
    %x = tensor.extract_slice %a[%i, 0] [%s, 4] [1, 1] : tensor<7x4xf32> to tensor<?x4xf32>
    %p = tensor.pad %x low[0, 0] high[%h, 0] {
    ^bb0(%j: index, %k: index):
      tensor.yield %v : f32
    } : tensor<?x4xf32> to tensor<3x4xf32>
    %1 = linalg.add ins(%p, %o : tensor<3x4xf32>, tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    scf.yield %1 : tensor<3x4xf32>
  }
  return %0 : tensor<3x4xf32>
}
`;

const hoistPadExamples: readonly TransformExample[] = [
  {
    title: 'Sets of three rows, the last one padded, are packed before they are summed',
    payload: paddedRows,
    script: `${matchOps('tensor.pad')}
%hoisted = transform.structured.hoist_pad %op by 1 loops : (!transform.any_op) -> !transform.op<"tensor.pad">`,
    record: (recorder) => {
      hoistPad({ target: recorder.match('tensor.pad') }, { numLoops: 1 });
    },
  },
];

const packingLoopNestExamples: readonly TransformExample[] = [
  {
    title: 'The loop that packs sets of three rows, transposed',
    payload: paddedRows,
    script: `${matchOps('tensor.pad')}
%loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
%nest = transform.structured.hoist_pad.build_packing_loop_nest %op above %loop, transpose by [1, 0] : (!transform.any_op, !transform.any_op) -> !transform.any_op`,
    record: (recorder) => {
      hoistPadBuildPackingLoopNest(
        { target: recorder.match('tensor.pad'), loop: recorder.match('scf.for') },
        { transpose: [1, 0] },
      );
    },
  },
];

const promoteExamples: readonly TransformExample[] = [
  {
    title: 'A view is copied to a buffer, which the op works on',
    payload: `func.func @f(%m: memref<8x8xf32>, %x: f32) {
  %0 = memref.subview %m[2, 2] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 18>>
  linalg.fill ins(%x : f32) outs(%0 : memref<4x4xf32, strided<[8, 1], offset: 18>>)
  return
}
`,
    script: `%fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
%promoted = transform.structured.promote %fill {use_alloca} : (!transform.any_op) -> !transform.any_op`,
    record: ({ root }) => {
      promote({ target: match({ target: root }, { ops: ['linalg.fill'] }).results }, { useAlloca: true });
    },
  },
];

const packPlanesExamples: readonly TransformExample[] = [
  {
    title: 'A padded depthwise convolution, of which every second window is taken, reads packed planes',
    payload: `func.func @f(%x: tensor<1x4x5x5xf32>, %k: tensor<4x3x3xf32>, %out: tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x4x5x5xf32> to tensor<1x4x7x7xf32>
  %0 = linalg.depthwise_conv_2d_nchw_chw {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%padded, %k : tensor<1x4x7x7xf32>, tensor<4x3x3xf32>) outs(%out : tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
  return %0 : tensor<1x4x3x3xf32>
}
`,
    script: `%conv = transform.structured.match ops{["linalg.depthwise_conv_2d_nchw_chw"]} in %root : (!transform.any_op) -> !transform.any_op
%sums = transform.structured.pack_planes %conv {planes = 2} : (!transform.any_op) -> !transform.op<"linalg.generic">`,
    record: ({ root }) => {
      const ops = ['linalg.depthwise_conv_2d_nchw_chw'];
      packPlanes({ target: match({ target: root }, { ops }).results }, { planes: 2 });
    },
  },
];

/** By the op that they show. */
export const examples: Readonly<Record<string, readonly TransformExample[]>> = {
  [packWindows.definition.name]: packWindowsExamples,
  [packFilters.definition.name]: packFiltersExamples,
  [formMicrokernel.definition.name]: formMicrokernelExamples,
  [multipack.definition.name]: multipackExamples,
  [packPlanes.definition.name]: packPlanesExamples,
  [pack.definition.name]: packExamples,
  [packTranspose.definition.name]: packTransposeExamples,
  [lowerPack.definition.name]: lowerPackExamples,
  [lowerUnpack.definition.name]: lowerUnpackExamples,
  [pad.definition.name]: padExamples,
  [hoistPad.definition.name]: hoistPadExamples,
  [hoistPadBuildPackingLoopNest.definition.name]: packingLoopNestExamples,
  [promote.definition.name]: promoteExamples,
};
