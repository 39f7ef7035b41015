/** Pattern sets of slices, reshapes, packings and unit extents, on what they fold and near misses. */
import { stays, testPatterns } from './support/rows.ts';

testPatterns('tensor.drop_redundant_insert_slice_rank_expansion', [
  [
    'a slice of what was expanded',
    '(%s: tensor<3x4xf32>, %d: tensor<3x1x4xf32>) -> tensor<2x4xf32>',
    `%0 = tensor.insert_slice %s into %d[0, 0, 0] [3, 1, 4] [1, 1, 1] : tensor<3x4xf32> into tensor<3x1x4xf32>
    %r = tensor.extract_slice %0[1, 0, 0] [2, 1, 4] [1, 1, 1] : tensor<3x1x4xf32> to tensor<2x4xf32>`,
    'tensor.extract_slice',
    '%arg0[1, 0] [2, 4]',
  ],
  [
    'a slice of a part that was expanded',
    '(%s: tensor<2x4xf32>, %d: tensor<3x1x4xf32>) -> tensor<2x4xf32>',
    `%0 = tensor.insert_slice %s into %d[0, 0, 0] [2, 1, 4] [1, 1, 1] : tensor<2x4xf32> into tensor<3x1x4xf32>
    %r = tensor.extract_slice %0[1, 0, 0] [2, 1, 4] [1, 1, 1] : tensor<3x1x4xf32> to tensor<2x4xf32>`,
    stays,
  ],
  [
    'a slice of what was expanded, and is used',
    '(%s: tensor<3x4xf32>, %d: tensor<3x1x4xf32>) -> (tensor<2x4xf32>, tensor<3x1x4xf32>)',
    `%0 = tensor.insert_slice %s into %d[0, 0, 0] [3, 1, 4] [1, 1, 1] : tensor<3x4xf32> into tensor<3x1x4xf32>
    %r = tensor.extract_slice %0[1, 0, 0] [2, 1, 4] [1, 1, 1] : tensor<3x1x4xf32> to tensor<2x4xf32>
    return %r, %0 : tensor<2x4xf32>, tensor<3x1x4xf32>`,
    stays,
  ],
  [
    'a slice that is expanded again',
    '(%t: tensor<8x5x9xf32>, %i: index, %d: tensor<3x1x4xf32>) -> tensor<3x1x4xf32>',
    `%0 = tensor.extract_slice %t[%i, 2, 1] [3, 1, 4] [1, 1, 1] : tensor<8x5x9xf32> to tensor<3x4xf32>
    %r = tensor.insert_slice %0 into %d[0, 0, 0] [3, 1, 4] [1, 1, 1] : tensor<3x4xf32> into tensor<3x1x4xf32>`,
    'tensor.extract_slice',
    'tensor<8x5x9xf32> to tensor<3x1x4xf32>',
  ],
  [
    'a slice that is expanded elsewhere',
    '(%t: tensor<8x5x9xf32>, %i: index, %d: tensor<3x4x1xf32>) -> tensor<3x4x1xf32>',
    `%0 = tensor.extract_slice %t[%i, 2, 1] [3, 1, 4] [1, 1, 1] : tensor<8x5x9xf32> to tensor<3x4xf32>
    %r = tensor.insert_slice %0 into %d[0, 0, 0] [3, 4, 1] [1, 1, 1] : tensor<3x4xf32> into tensor<3x4x1xf32>`,
    stays,
  ],
  [
    'a slice that is expanded into a larger tensor',
    '(%t: tensor<8x5x9xf32>, %i: index, %d: tensor<4x1x4xf32>) -> tensor<4x1x4xf32>',
    `%0 = tensor.extract_slice %t[%i, 2, 1] [3, 1, 4] [1, 1, 1] : tensor<8x5x9xf32> to tensor<3x4xf32>
    %r = tensor.insert_slice %0 into %d[0, 0, 0] [3, 1, 4] [1, 1, 1] : tensor<3x4xf32> into tensor<4x1x4xf32>`,
    stays,
  ],
]);

testPatterns('tensor.reassociative_reshape_folding', [
  [
    'a slice that is expanded to its own shape',
    '(%t: tensor<8x5x9xf32>, %i: index) -> tensor<3x1x4xf32>',
    `%0 = tensor.extract_slice %t[%i, 2, 1] [3, 1, 4] [1, 1, 1] : tensor<8x5x9xf32> to tensor<3x4xf32>
    %r = tensor.expand_shape %0 [[0], [1, 2]] output_shape [3, 1, 4] : tensor<3x4xf32> into tensor<3x1x4xf32>`,
    'tensor.extract_slice',
    'to tensor<3x1x4xf32>',
  ],
  [
    'a slice that is expanded to another shape',
    '(%t: tensor<8x5x9xf32>, %i: index) -> tensor<3x4x1xf32>',
    `%0 = tensor.extract_slice %t[%i, 2, 1] [3, 1, 4] [1, 1, 1] : tensor<8x5x9xf32> to tensor<3x4xf32>
    %r = tensor.expand_shape %0 [[0], [1, 2]] output_shape [3, 4, 1] : tensor<3x4xf32> into tensor<3x4x1xf32>`,
    stays,
  ],
  [
    'a collapsed slice',
    '(%t: tensor<8x5x9xf32>, %i: index) -> tensor<3x4xf32>',
    `%0 = tensor.extract_slice %t[%i, 2, 1] [3, 1, 4] [1, 1, 1] : tensor<8x5x9xf32> to tensor<3x1x4xf32>
    %r = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<3x1x4xf32> into tensor<3x4xf32>`,
    'tensor.extract_slice',
  ],
  [
    'a slice that is collapsed to a line',
    '(%t: tensor<8x5x9xf32>, %i: index) -> tensor<3x8xf32>',
    `%0 = tensor.extract_slice %t[%i, 2, 1] [3, 2, 4] [1, 1, 1] : tensor<8x5x9xf32> to tensor<3x2x4xf32>
    %r = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<3x2x4xf32> into tensor<3x8xf32>`,
    stays,
  ],
  [
    'an insertion of what was collapsed',
    '(%s: tensor<3x1x4xf32>, %d: tensor<8x5x9xf32>) -> tensor<8x5x9xf32>',
    `%0 = tensor.collapse_shape %s [[0, 1], [2]] : tensor<3x1x4xf32> into tensor<3x4xf32>
    %r = tensor.insert_slice %0 into %d[1, 2, 3] [3, 1, 4] [1, 1, 1] : tensor<3x4xf32> into tensor<8x5x9xf32>`,
    'tensor.insert_slice',
    'insert_slice %arg0',
  ],
  [
    'an insertion of what was collapsed elsewhere',
    '(%s: tensor<3x1x4xf32>, %d: tensor<8x5x9xf32>) -> tensor<8x5x9xf32>',
    `%0 = tensor.collapse_shape %s [[0, 1], [2]] : tensor<3x1x4xf32> into tensor<3x4xf32>
    %r = tensor.insert_slice %0 into %d[1, 2, 3] [1, 3, 4] [1, 1, 1] : tensor<3x4xf32> into tensor<8x5x9xf32>`,
    stays,
  ],
  [
    'an insertion of what was expanded',
    '(%s: tensor<3x4xf32>, %d: tensor<8x5x9xf32>) -> tensor<8x5x9xf32>',
    `%0 = tensor.expand_shape %s [[0, 1], [2]] output_shape [3, 1, 4] : tensor<3x4xf32> into tensor<3x1x4xf32>
    %r = tensor.insert_slice %0 into %d[1, 2, 3] [3, 1, 4] [1, 1, 1] : tensor<3x1x4xf32> into tensor<8x5x9xf32>`,
    'tensor.insert_slice',
    'insert_slice %arg0',
  ],
  [
    'an insertion of what was split',
    '(%s: tensor<6x4xf32>, %d: tensor<8x5x9xf32>) -> tensor<8x5x9xf32>',
    `%0 = tensor.expand_shape %s [[0, 1], [2]] output_shape [3, 2, 4] : tensor<6x4xf32> into tensor<3x2x4xf32>
    %r = tensor.insert_slice %0 into %d[1, 2, 3] [3, 2, 4] [1, 1, 1] : tensor<3x2x4xf32> into tensor<8x5x9xf32>`,
    stays,
  ],
]);

testPatterns('tensor.fold_into_pack_and_unpack', [
  [
    'a packing of a transposition as a generic op',
    '(%t: tensor<6x8xf32>, %e: tensor<8x6xf32>, %d: tensor<4x2x2x3xf32>) -> tensor<4x2x2x3xf32>',
    `%0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<6x8xf32>) outs(%e : tensor<8x6xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<8x6xf32>
    %r = tensor.pack %0 inner_dims_pos = [0, 1] inner_tiles = [2, 3] into %d : tensor<8x6xf32> -> tensor<4x2x2x3xf32>`,
    'tensor.empty, tensor.pack',
  ],
  [
    'a packing of what is computed and transposed',
    '(%t: tensor<6x8xf32>, %e: tensor<8x6xf32>, %d: tensor<4x2x2x3xf32>) -> tensor<4x2x2x3xf32>',
    `%0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<6x8xf32>) outs(%e : tensor<8x6xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %a : f32
      linalg.yield %s : f32
    } -> tensor<8x6xf32>
    %r = tensor.pack %0 inner_dims_pos = [0, 1] inner_tiles = [2, 3] into %d : tensor<8x6xf32> -> tensor<4x2x2x3xf32>`,
    stays,
  ],
  [
    'a packing of three dimensions, transposed as a generic op',
    '(%t: tensor<4x6x8xf32>, %e: tensor<8x4x6xf32>, %d: tensor<4x4x2x2x3xf32>) -> tensor<4x4x2x2x3xf32>',
    `%0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (k, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t : tensor<4x6x8xf32>) outs(%e : tensor<8x4x6xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<8x4x6xf32>
    %r = tensor.pack %0 inner_dims_pos = [0, 2] inner_tiles = [2, 3] into %d : tensor<8x4x6xf32> -> tensor<4x4x2x2x3xf32>`,
    'tensor.empty, tensor.pack',
  ],
  [
    'a packing of a padding of a constant',
    '(%t: tensor<7xf32>, %d: tensor<2x4xf32>) -> tensor<2x4xf32>',
    `%p = arith.constant 2.0 : f32
    %0 = tensor.pad %t low[0] high[1] {
    ^bb0(%i: index):
      tensor.yield %f2 : f32
    } : tensor<7xf32> to tensor<8xf32>
    %r = tensor.pack %0 padding_value(%p : f32) inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<8xf32> -> tensor<2x4xf32>`,
    'tensor.pack',
  ],
  [
    'a packing of a padding of another constant',
    '(%t: tensor<6xf32>, %d: tensor<2x4xf32>) -> tensor<2x4xf32>',
    `%p = arith.constant 3.0 : f32
    %0 = tensor.pad %t low[0] high[1] {
    ^bb0(%i: index):
      tensor.yield %f2 : f32
    } : tensor<6xf32> to tensor<7xf32>
    %r = tensor.pack %0 padding_value(%p : f32) inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<7xf32> -> tensor<2x4xf32>`,
    stays,
  ],
]);

testPatterns('linalg.fold_unit_extent_dims_via_slices', [
  [
    'ones in all operands',
    '(%a: tensor<4x1x3xf32>, %b: tensor<1x3xf32>, %c: tensor<4x1x3xf32>) -> tensor<4x1x3xf32>',
    `%r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a, %b : tensor<4x1x3xf32>, tensor<1x3xf32>) outs(%c : tensor<4x1x3xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %k = arith.addi %i, %j : index
      %l = arith.index_cast %k : index to i32
      %m = arith.sitofp %l : i32 to f32
      %s = arith.addf %x, %y : f32
      %t = arith.mulf %s, %m : f32
      linalg.yield %t : f32
    } -> tensor<4x1x3xf32>`,
    '3 tensor.extract_slice, linalg.generic, linalg.index, arith.index_cast, arith.sitofp, arith.addf, arith.mulf, tensor.insert_slice',
  ],
  [
    'ones in buffers',
    '(%a: memref<4x1x3xf32>, %c: memref<4x1x3xf32>)',
    `linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : memref<4x1x3xf32>) outs(%c : memref<4x1x3xf32>) {
    ^bb0(%x: f32, %z: f32):
      %t = arith.subf %x, %z : f32
      linalg.yield %t : f32
    }`,
    '2 memref.subview, linalg.generic, arith.subf',
  ],
]);

testPatterns('linalg.fold_unit_extent_dims_via_reshapes', [
  [
    'ones in buffers, as shapes',
    '(%a: memref<4x1x3xf32>, %c: memref<4x1x3xf32>)',
    `linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : memref<4x1x3xf32>) outs(%c : memref<4x1x3xf32>) {
    ^bb0(%x: f32, %z: f32):
      %t = arith.subf %x, %z : f32
      linalg.yield %t : f32
    }`,
    '2 memref.collapse_shape, linalg.generic, arith.subf',
  ],
  [
    'slices and insertions of ones',
    '(%t: tensor<8x5x9xf32>, %d: tensor<8x5x9xf32>, %i: index) -> tensor<8x5x9xf32>',
    `%0 = tensor.extract_slice %t[%i, 2, 1] [3, 1, 4] [1, 1, 1] : tensor<8x5x9xf32> to tensor<3x1x4xf32>
    %r = tensor.insert_slice %0 into %d[1, 2, 3] [3, 1, 4] [1, 1, 1] : tensor<3x1x4xf32> into tensor<8x5x9xf32>`,
    stays,
  ],
]);

const tiles = 'inner_dims_pos = [0, 1] inner_tiles = [2, 3] into';

testPatterns('canonicalization', [
  [
    'a packing of a constant of one value',
    '(%d: tensor<4x2x2x3xf32>) -> tensor<4x2x2x3xf32>',
    `%s = arith.constant dense<1.5> : tensor<8x6xf32>
    %r = tensor.pack %s ${tiles} %d : tensor<8x6xf32> -> tensor<4x2x2x3xf32>`,
    '',
    'dense<1.500000e+00> : tensor<4x2x2x3xf32>',
  ],
  [
    'a packing of a constant of one value with another around it',
    '(%d: tensor<4x2x2x3xf32>) -> tensor<4x2x2x3xf32>',
    `%s = arith.constant dense<1.5> : tensor<7x6xf32>
    %p = arith.constant 2.5 : f32
    %r = tensor.pack %s padding_value(%p : f32) ${tiles} %d : tensor<7x6xf32> -> tensor<4x2x2x3xf32>`,
    stays,
  ],
]);
