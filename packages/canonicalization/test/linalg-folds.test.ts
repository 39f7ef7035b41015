/** Canonicalization of structured operations: fills, copies, transposes and casts. */
import { stays, testPatterns } from './support/rows.ts';

testPatterns('canonicalization', [
  [
    'a packed fill',
    '(%x: f32, %t: tensor<6xf32>, %d: tensor<2x3xf32>) -> tensor<2x3xf32>',
    `%0 = linalg.fill ins(%x : f32) outs(%t : tensor<6xf32>) -> tensor<6xf32>
    %r = tensor.pack %0 inner_dims_pos = [0] inner_tiles = [3] into %d : tensor<6xf32> -> tensor<2x3xf32>`,
    'linalg.fill',
  ],
  [
    'a packed fill with other padding',
    '(%x: f32, %y: f32, %t: tensor<5xf32>, %d: tensor<2x3xf32>) -> tensor<2x3xf32>',
    `%0 = linalg.fill ins(%x : f32) outs(%t : tensor<5xf32>) -> tensor<5xf32>
    %r = tensor.pack %0 padding_value(%y : f32) inner_dims_pos = [0] inner_tiles = [3] into %d : tensor<5xf32> -> tensor<2x3xf32>`,
    stays,
  ],
  [
    'a packed fill of constants with the same padding',
    '(%t: tensor<5xf32>, %d: tensor<2x3xf32>) -> tensor<2x3xf32>',
    `%y = arith.constant 2.0 : f32
    %0 = linalg.fill ins(%f2 : f32) outs(%t : tensor<5xf32>) -> tensor<5xf32>
    %r = tensor.pack %0 padding_value(%y : f32) inner_dims_pos = [0] inner_tiles = [3] into %d : tensor<5xf32> -> tensor<2x3xf32>`,
    'linalg.fill',
  ],
  [
    'a padded fill of a size that is not known',
    '(%x: f32, %t: tensor<?x2xf32>, %n: index) -> tensor<?x4xf32>',
    `%0 = linalg.fill ins(%x : f32) outs(%t : tensor<?x2xf32>) -> tensor<?x2xf32>
    %r = tensor.pad %0 low[%n, 1] high[2, 1] {
    ^bb0(%p: index, %q: index):
      tensor.yield %x : f32
    } : tensor<?x2xf32> to tensor<?x4xf32>`,
    'tensor.dim, affine.apply, tensor.empty, linalg.fill',
  ],
  [
    'a fill that is padded with another value',
    '(%x: f32, %y: f32, %t: tensor<2xf32>) -> tensor<4xf32>',
    `%0 = linalg.fill ins(%x : f32) outs(%t : tensor<2xf32>) -> tensor<2xf32>
    %r = tensor.pad %0 low[1] high[1] {
    ^bb0(%p: index):
      tensor.yield %y : f32
    } : tensor<2xf32> to tensor<4xf32>`,
    stays,
  ],
  [
    'a padded tensor in a fill of its padding',
    '(%x: f32, %s: tensor<2x3xf32>, %t: tensor<8x9xf32>) -> tensor<8x9xf32>',
    `%0 = linalg.fill ins(%x : f32) outs(%t : tensor<8x9xf32>) -> tensor<8x9xf32>
    %1 = tensor.pad %s low[1, 0] high[1, 2] {
    ^bb0(%p: index, %q: index):
      tensor.yield %x : f32
    } : tensor<2x3xf32> to tensor<4x5xf32>
    %r = tensor.insert_slice %1 into %0[2, 3] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<8x9xf32>`,
    'linalg.fill, tensor.insert_slice',
    '[3, 3] [2, 3] [1, 1]',
  ],
  [
    'a padded tensor beside another, in a fill of its padding',
    '(%x: f32, %s: tensor<2x3xf32>, %t: tensor<8x9xf32>, %u: tensor<2x9xf32>) -> tensor<8x9xf32>',
    `%0 = linalg.fill ins(%x : f32) outs(%t : tensor<8x9xf32>) -> tensor<8x9xf32>
    %1 = tensor.pad %s low[1, 0] high[1, 2] {
    ^bb0(%p: index, %q: index):
      tensor.yield %x : f32
    } : tensor<2x3xf32> to tensor<4x5xf32>
    %2 = tensor.insert_slice %u into %0[0, 0] [2, 9] [1, 1] : tensor<2x9xf32> into tensor<8x9xf32>
    %3 = tensor.insert_slice %u into %2[6, 0] [2, 9] [1, 1] : tensor<2x9xf32> into tensor<8x9xf32>
    %r = tensor.insert_slice %1 into %3[2, 3] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<8x9xf32>`,
    'linalg.fill, 3 tensor.insert_slice',
    '[3, 3] [2, 3] [1, 1]',
  ],
  [
    'a padded tensor upon another, in a fill of its padding',
    '(%x: f32, %s: tensor<2x3xf32>, %t: tensor<8x9xf32>, %u: tensor<2x9xf32>) -> tensor<8x9xf32>',
    `%0 = linalg.fill ins(%x : f32) outs(%t : tensor<8x9xf32>) -> tensor<8x9xf32>
    %1 = tensor.pad %s low[1, 0] high[1, 2] {
    ^bb0(%p: index, %q: index):
      tensor.yield %x : f32
    } : tensor<2x3xf32> to tensor<4x5xf32>
    %2 = tensor.insert_slice %u into %0[5, 0] [2, 9] [1, 1] : tensor<2x9xf32> into tensor<8x9xf32>
    %r = tensor.insert_slice %1 into %2[2, 3] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<8x9xf32>`,
    stays,
  ],
  [
    'a padded tensor maybe upon another, in a fill of its padding',
    '(%x: f32, %s: tensor<2x3xf32>, %t: tensor<8x9xf32>, %u: tensor<2x9xf32>, %i: index) -> tensor<8x9xf32>',
    `%0 = linalg.fill ins(%x : f32) outs(%t : tensor<8x9xf32>) -> tensor<8x9xf32>
    %1 = tensor.pad %s low[1, 0] high[1, 2] {
    ^bb0(%p: index, %q: index):
      tensor.yield %x : f32
    } : tensor<2x3xf32> to tensor<4x5xf32>
    %2 = tensor.insert_slice %u into %0[%i, 0] [2, 9] [1, 1] : tensor<2x9xf32> into tensor<8x9xf32>
    %r = tensor.insert_slice %1 into %2[2, 3] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<8x9xf32>`,
    stays,
  ],
  [
    'a padded tensor in every other row of a fill',
    '(%x: f32, %s: tensor<2x3xf32>, %t: tensor<8x9xf32>) -> tensor<8x9xf32>',
    `%0 = linalg.fill ins(%x : f32) outs(%t : tensor<8x9xf32>) -> tensor<8x9xf32>
    %1 = tensor.pad %s low[1, 0] high[1, 2] {
    ^bb0(%p: index, %q: index):
      tensor.yield %x : f32
    } : tensor<2x3xf32> to tensor<4x5xf32>
    %r = tensor.insert_slice %1 into %0[1, 3] [4, 5] [2, 1] : tensor<4x5xf32> into tensor<8x9xf32>`,
    stays,
  ],
  [
    'a copy of a fill',
    '(%x: f32, %s: tensor<4xf32>, %t: tensor<4xf32>) -> tensor<4xf32>',
    `%0 = linalg.fill ins(%x : f32) outs(%s : tensor<4xf32>) -> tensor<4xf32>
    %r = linalg.copy ins(%0 : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>`,
    'linalg.fill',
  ],
  [
    'a copy into a fill',
    '(%x: f32, %s: tensor<4xf32>, %t: tensor<4xf32>) -> tensor<4xf32>',
    `%0 = linalg.fill ins(%x : f32) outs(%s : tensor<4xf32>) -> tensor<4xf32>
    %r = linalg.copy ins(%t : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>`,
    'linalg.copy',
  ],
  [
    'a transposed fill',
    '(%x: f32, %s: tensor<4x5xf32>, %t: tensor<5x4xf32>) -> tensor<5x4xf32>',
    `%0 = linalg.fill ins(%x : f32) outs(%s : tensor<4x5xf32>) -> tensor<4x5xf32>
    %r = linalg.transpose ins(%0 : tensor<4x5xf32>) outs(%t : tensor<5x4xf32>) permutation = [1, 0]`,
    'linalg.fill',
  ],
  [
    'transposed twice',
    '(%s: tensor<2x3x4xf32>, %t: tensor<4x2x3xf32>, %u: tensor<2x4x3xf32>) -> tensor<2x4x3xf32>',
    `%0 = linalg.transpose ins(%s : tensor<2x3x4xf32>) outs(%t : tensor<4x2x3xf32>) permutation = [2, 0, 1]
    %r = linalg.transpose ins(%0 : tensor<4x2x3xf32>) outs(%u : tensor<2x4x3xf32>) permutation = [1, 0, 2]`,
    'linalg.transpose',
    'permutation = [0, 2, 1]',
  ],
  [
    'no transposition',
    '(%s: tensor<2x3xf32>, %t: tensor<2x3xf32>) -> tensor<2x3xf32>',
    '%r = linalg.transpose ins(%s : tensor<2x3xf32>) outs(%t : tensor<2x3xf32>) permutation = [0, 1]',
    '',
    'return %arg0',
  ],
  [
    'no broadcast',
    '(%s: tensor<2x3xf32>, %t: tensor<2x3xf32>) -> tensor<2x3xf32>',
    '%r = linalg.broadcast ins(%s : tensor<2x3xf32>) outs(%t : tensor<2x3xf32>) dimensions = []',
    '',
    'return %arg0',
  ],
  [
    'a transposed broadcast',
    '(%s: tensor<2x3xf32>, %t: tensor<2x4x3xf32>, %u: tensor<3x2x4xf32>) -> tensor<3x2x4xf32>',
    `%0 = linalg.broadcast ins(%s : tensor<2x3xf32>) outs(%t : tensor<2x4x3xf32>) dimensions = [1]
    %r = linalg.transpose ins(%0 : tensor<2x4x3xf32>) outs(%u : tensor<3x2x4xf32>) permutation = [2, 0, 1]`,
    'tensor.empty, linalg.transpose, linalg.broadcast',
    'dimensions = [2]',
  ],
  [
    'a transposed broadcast whose source keeps its order',
    '(%s: tensor<2x3xf32>, %t: tensor<2x4x3xf32>, %u: tensor<4x2x3xf32>) -> tensor<4x2x3xf32>',
    `%0 = linalg.broadcast ins(%s : tensor<2x3xf32>) outs(%t : tensor<2x4x3xf32>) dimensions = [1]
    %r = linalg.transpose ins(%0 : tensor<2x4x3xf32>) outs(%u : tensor<4x2x3xf32>) permutation = [1, 0, 2]`,
    'linalg.broadcast',
    'dimensions = [0]',
  ],
  [
    'a transposed broadcast of sizes that are not known',
    '(%s: tensor<?x?xf32>, %t: tensor<?x4x?xf32>, %u: tensor<?x?x4xf32>) -> tensor<?x?x4xf32>',
    `%0 = linalg.broadcast ins(%s : tensor<?x?xf32>) outs(%t : tensor<?x4x?xf32>) dimensions = [1]
    %r = linalg.transpose ins(%0 : tensor<?x4x?xf32>) outs(%u : tensor<?x?x4xf32>) permutation = [2, 0, 1]`,
    '2 tensor.dim, tensor.empty, linalg.transpose, linalg.broadcast',
  ],
  [
    'a result that is cast to a known size',
    '(%s: tensor<?x4xf32>, %t: tensor<?x4xf32>) -> tensor<4x4xf32>',
    `%0 = linalg.exp ins(%s : tensor<?x4xf32>) outs(%t : tensor<?x4xf32>) -> tensor<?x4xf32>
    %r = tensor.cast %0 : tensor<?x4xf32> to tensor<4x4xf32>`,
    '2 tensor.cast, linalg.exp',
  ],
  [
    'a result that is cast, and used',
    '(%s: tensor<?x4xf32>, %t: tensor<?x4xf32>) -> (tensor<4x4xf32>, tensor<?x4xf32>)',
    `%0 = linalg.exp ins(%s : tensor<?x4xf32>) outs(%t : tensor<?x4xf32>) -> tensor<?x4xf32>
    %r = tensor.cast %0 : tensor<?x4xf32> to tensor<4x4xf32>
    return %r, %0 : tensor<4x4xf32>, tensor<?x4xf32>`,
    '3 tensor.cast, linalg.exp',
  ],
  [
    'a result that is cast to an unknown size',
    '(%s: tensor<4x4xf32>, %t: tensor<4x4xf32>) -> tensor<?x4xf32>',
    `%0 = linalg.exp ins(%s : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
    %r = tensor.cast %0 : tensor<4x4xf32> to tensor<?x4xf32>`,
    stays,
  ],
  [
    'an op on a cast buffer',
    '(%s: memref<4xf32>, %t: memref<4xf32>)',
    `%0 = memref.cast %s : memref<4xf32> to memref<?xf32>
    %1 = memref.cast %t : memref<4xf32> to memref<?xf32>
    linalg.exp ins(%0 : memref<?xf32>) outs(%1 : memref<?xf32>)`,
    'linalg.exp',
    'ins(%arg0 : memref<4xf32>) outs(%arg1 : memref<4xf32>)',
  ],
  [
    'a transposition of a cast buffer',
    '(%s: memref<4x4xf32>, %t: memref<?x4xf32>)',
    `%0 = memref.cast %s : memref<4x4xf32> to memref<?x4xf32>
    linalg.transpose ins(%0 : memref<?x4xf32>) outs(%t : memref<?x4xf32>) permutation = [0, 1]`,
    stays,
  ],
  [
    'an op on no elements',
    '(%s: memref<0xf32>, %t: memref<0xf32>)',
    'linalg.exp ins(%s : memref<0xf32>) outs(%t : memref<0xf32>)',
    '',
  ],
  [
    'an op that copies a buffer to itself',
    '(%s: memref<4xf32>)',
    `linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%s : memref<4xf32>) outs(%s : memref<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    }`,
    '',
  ],
  [
    'an op that copies a buffer to another',
    '(%s: memref<4xf32>, %t: memref<4xf32>)',
    `linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%s : memref<4xf32>) outs(%t : memref<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    }`,
    stays,
  ],
  [
    'an op that forwards a tensor',
    '(%s: tensor<4xf32>, %t: tensor<4xf32>) -> tensor<4xf32>',
    `%r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%s : tensor<4xf32>) outs(%t : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<4xf32>`,
    '',
    'return %arg0',
  ],
]);
