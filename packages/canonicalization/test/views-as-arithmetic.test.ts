/** Views of buffers, sizes of results and packings: pattern sets by what becomes of small functions. */
import { stays, testPatterns } from './support/rows.ts';

const view = 'memref<2x3xi32, strided<[6, 1], offset: ?>>';

testPatterns('memref.fold_memref_alias_ops', [
  [
    'a load of a view',
    '(%m: memref<4x6xi32>, %i: index) -> i32',
    `%j = arith.minui %i, %c2 : index\n  %s = memref.subview %m[%j, 1] [2, 3] [1, 1] : memref<4x6xi32> to ${view}\n  %r = memref.load %s[%c1, %c2] : ${view}`,
    'arith.minui, affine.apply, memref.load',
  ],
  [
    'a store to a view',
    '(%m: memref<4x6xi32>, %x: i32)',
    '%s = memref.subview %m[1, 0] [2, 3] [1, 2] : memref<4x6xi32> to memref<2x3xi32, strided<[6, 2], offset: 6>>\n  memref.store %x, %s[%c1, %c2] : memref<2x3xi32, strided<[6, 2], offset: 6>>',
    'memref.store',
  ],
  [
    'a load of an expansion',
    '(%m: memref<6xi32>) -> i32',
    '%s = memref.expand_shape %m [[0, 1]] output_shape [2, 3] : memref<6xi32> into memref<2x3xi32>\n  %r = memref.load %s[%c1, %c2] : memref<2x3xi32>',
    'memref.load',
  ],
  [
    'a load of a collapse',
    '(%m: memref<2x3xi32>, %i: index) -> i32',
    '%s = memref.collapse_shape %m [[0, 1]] : memref<2x3xi32> into memref<6xi32>\n  %r = memref.load %s[%i] : memref<6xi32>',
    '2 affine.apply, memref.load',
  ],
  [
    'a read of a view',
    '(%m: memref<4x6xi32>) -> vector<2xi32>',
    '%s = memref.subview %m[1, 2] [2, 3] [1, 1] : memref<4x6xi32> to memref<2x3xi32, strided<[6, 1], offset: 8>>\n  %r = vector.transfer_read %s[%c1, %c0], %i7 {in_bounds = [true]} : memref<2x3xi32, strided<[6, 1], offset: 8>>, vector<2xi32>',
    'transfer_read',
  ],
  [
    'a view of a view',
    '(%m: memref<4x6xi32>) -> i32',
    '%s = memref.subview %m[1, 2] [2, 3] [1, 1] : memref<4x6xi32> to memref<2x3xi32, strided<[6, 1], offset: 8>>\n  %t = memref.subview %s[1, 1] [1, 2] [1, 1] : memref<2x3xi32, strided<[6, 1], offset: 8>> to memref<1x2xi32, strided<[6, 1], offset: 15>>\n  %r = memref.load %t[%c0, %c1] : memref<1x2xi32, strided<[6, 1], offset: 15>>',
    'memref.load',
  ],
]);

testPatterns('memref.expand_strided_metadata', [
  [
    'a view',
    '(%m: memref<4x6xi32>, %i: index) -> i32',
    `%j = arith.minui %i, %c2 : index\n  %s = memref.subview %m[%j, 1] [2, 3] [1, 1] : memref<4x6xi32> to ${view}\n  %r = memref.load %s[%c1, %c2] : ${view}`,
    'arith.minui, memref.extract_strided_metadata, affine.apply, memref.reinterpret_cast, memref.load',
  ],
  [
    'an expansion',
    '(%m: memref<6xi32>) -> i32',
    '%s = memref.expand_shape %m [[0, 1]] output_shape [2, 3] : memref<6xi32> into memref<2x3xi32>\n  %r = memref.load %s[%c1, %c2] : memref<2x3xi32>',
    'memref.extract_strided_metadata, memref.reinterpret_cast, memref.load',
  ],
  [
    'a collapse',
    '(%m: memref<2x3xi32>) -> i32',
    '%s = memref.collapse_shape %m [[0, 1]] : memref<2x3xi32> into memref<6xi32>\n  %r = memref.load %s[%c4] : memref<6xi32>',
    'memref.extract_strided_metadata, memref.reinterpret_cast, memref.load',
  ],
]);

testPatterns('memref.resolve_ranked_shaped_type_result_dims', [
  [
    'a size of a pad',
    '(%t: tensor<?x6xi32>, %x: i32, %n: index) -> index',
    '%p = tensor.pad %t low[%n, 0] high[1, 2] {\n  ^bb0(%i: index, %j: index):\n    tensor.yield %x : i32\n  } : tensor<?x6xi32> to tensor<?x8xi32>\n  %r = tensor.dim %p, %c0 : tensor<?x8xi32>',
    'tensor.dim, affine.apply',
  ],
  [
    'a size of a concatenation',
    '(%a: tensor<4x?xi32>, %b: tensor<4x2xi32>) -> index',
    '%c = tensor.concat dim(1) %a, %b : (tensor<4x?xi32>, tensor<4x2xi32>) -> tensor<4x?xi32>\n  %r = tensor.dim %c, %c1 : tensor<4x?xi32>',
    'tensor.dim, affine.apply',
  ],
  [
    'a size of a result',
    '(%t: tensor<?xi32>, %x: i32) -> index',
    '%f = linalg.fill ins(%x : i32) outs(%t : tensor<?xi32>) -> tensor<?xi32>\n  %r = tensor.dim %f, %c0 : tensor<?xi32>',
    'tensor.dim',
  ],
]);

testPatterns('memref.expand_ops', [
  [
    'a reshape',
    '(%m: memref<6xi32>, %s: memref<2xindex>) -> i32',
    'memref.store %c2, %s[%c0] : memref<2xindex>\n  memref.store %c3, %s[%c1] : memref<2xindex>\n  %n = memref.reshape %m(%s) : (memref<6xi32>, memref<2xindex>) -> memref<?x3xi32>\n  %r = memref.load %n[%c1, %c2] : memref<?x3xi32>',
    '2 memref.store, 2 memref.load, memref.reinterpret_cast',
  ],
]);

testPatterns('tensor.fold_into_pack_and_unpack', [
  [
    'a pack of what is transposed',
    '(%t: tensor<4x6xi32>, %e: tensor<6x4xi32>, %d: tensor<3x4x2xi32>) -> tensor<3x4x2xi32>',
    '%s = linalg.transpose ins(%t : tensor<4x6xi32>) outs(%e : tensor<6x4xi32>) permutation = [1, 0]\n  %r = tensor.pack %s inner_dims_pos = [0] inner_tiles = [2] into %d : tensor<6x4xi32> -> tensor<3x4x2xi32>',
    'tensor.empty, tensor.pack',
  ],
  [
    'a pack that is transposed',
    '(%t: tensor<4x6xi32>, %e: tensor<3x4x2xi32>, %d: tensor<4x3x2xi32>) -> tensor<3x4x2xi32>',
    '%p = tensor.pack %t inner_dims_pos = [1] inner_tiles = [2] into %d : tensor<4x6xi32> -> tensor<4x3x2xi32>\n  %r = linalg.transpose ins(%p : tensor<4x3x2xi32>) outs(%e : tensor<3x4x2xi32>) permutation = [1, 0, 2]',
    'tensor.empty, tensor.pack',
  ],
  [
    'what is unpacked and transposed',
    '(%t: tensor<4x3x2xi32>, %e: tensor<4x6xi32>, %d: tensor<6x4xi32>) -> tensor<6x4xi32>',
    '%u = tensor.unpack %t inner_dims_pos = [1] inner_tiles = [2] into %e : tensor<4x3x2xi32> -> tensor<4x6xi32>\n  %r = linalg.transpose ins(%u : tensor<4x6xi32>) outs(%d : tensor<6x4xi32>) permutation = [1, 0]',
    'tensor.unpack',
  ],
  [
    'what is transposed and unpacked',
    '(%t: tensor<3x4x2xi32>, %f: tensor<4x3x2xi32>, %e: tensor<4x6xi32>) -> tensor<4x6xi32>',
    '%s = linalg.transpose ins(%t : tensor<3x4x2xi32>) outs(%f : tensor<4x3x2xi32>) permutation = [1, 0, 2]\n  %r = tensor.unpack %s inner_dims_pos = [1] inner_tiles = [2] into %e : tensor<4x3x2xi32> -> tensor<4x6xi32>',
    'tensor.empty, tensor.unpack',
  ],
  [
    'what is packed and unpacked, without a transpose',
    '(%t: tensor<4xi32>, %d: tensor<2x2xi32>) -> tensor<2x2xi32>',
    '%r = tensor.pack %t inner_dims_pos = [0] inner_tiles = [2] into %d : tensor<4xi32> -> tensor<2x2xi32>',
    stays,
  ],
]);
