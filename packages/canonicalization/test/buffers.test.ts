/** Canonicalization of buffers, and of what is between tensors and buffers. */
import { stays, testPatterns } from './support/rows.ts';

testPatterns('canonicalization', [
  [
    'a buffer of another memory space',
    '(%m: memref<4xf32>) -> f32',
    `%0 = memref.memory_space_cast %m : memref<4xf32> to memref<4xf32, 1>
    %r = memref.load %0[%c2] : memref<4xf32, 1>`,
    'memref.memory_space_cast, memref.load',
  ],
  [
    'a buffer of another memory space, by way of a third one',
    '(%m: memref<4xf32>) -> f32',
    `%0 = memref.memory_space_cast %m : memref<4xf32> to memref<4xf32, 2>
    %1 = memref.memory_space_cast %0 : memref<4xf32, 2> to memref<4xf32, 1>
    %r = memref.load %1[%c2] : memref<4xf32, 1>`,
    'memref.memory_space_cast, memref.load',
    'memref.memory_space_cast %arg0 : memref<4xf32> to memref<4xf32, 1>',
  ],
  [
    'a buffer of its own memory space',
    '(%m: memref<4xf32>) -> f32',
    `%0 = memref.memory_space_cast %m : memref<4xf32> to memref<4xf32, 2>
    %1 = memref.memory_space_cast %0 : memref<4xf32, 2> to memref<4xf32>
    %r = memref.load %1[%c2] : memref<4xf32>`,
    'memref.load',
  ],
  [
    'a tensor of a buffer of a tensor',
    '(%t: tensor<4xf32>) -> tensor<4xf32>',
    `%0 = bufferization.to_memref %t : memref<4xf32>
    %r = bufferization.to_tensor %0 restrict : memref<4xf32>`,
    '',
  ],
  [
    'a tensor of a buffer of a tensor that was written between',
    '(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32>',
    `%0 = bufferization.to_memref %t : memref<4xf32>
    memref.store %x, %0[%c1] : memref<4xf32>
    %r = bufferization.to_tensor %0 restrict : memref<4xf32>`,
    stays,
  ],
  [
    'an element of a buffer of a tensor',
    '(%t: tensor<4xf32>) -> f32',
    `%0 = bufferization.to_memref %t : memref<4xf32>
    %r = memref.load %0[%c2] : memref<4xf32>`,
    'tensor.extract',
  ],
  [
    'an element of a buffer of a tensor that is written',
    '(%t: tensor<4xf32>, %x: f32) -> f32',
    `%0 = bufferization.to_memref %t : memref<4xf32>
    memref.store %x, %0[%c2] : memref<4xf32>
    %r = memref.load %0[%c2] : memref<4xf32>`,
    stays,
  ],
  [
    'the size of a buffer of a tensor',
    '(%t: tensor<?xf32>) -> index',
    `%0 = bufferization.to_memref %t : memref<?xf32>
    %r = memref.dim %0, %c0 : memref<?xf32>`,
    'tensor.dim',
    'tensor.dim %arg0',
  ],
  [
    'the size of a tensor of a buffer',
    '(%m: memref<?xf32>) -> index',
    `%0 = bufferization.to_tensor %m restrict : memref<?xf32>
    %r = tensor.dim %0, %c0 : tensor<?xf32>`,
    'bufferization.to_tensor, memref.dim',
    'memref.dim %arg0',
  ],
  [
    'a size of an allocated tensor',
    '(%n: index, %m: index) -> index',
    `%0 = bufferization.alloc_tensor(%n, %m) : tensor<?x4x?xf32>
    %r = tensor.dim %0, %c2 : tensor<?x4x?xf32>`,
    'bufferization.alloc_tensor',
    'return %arg1',
  ],
  [
    'the size of a copied tensor',
    '(%t: tensor<?xf32>) -> index',
    `%0 = bufferization.alloc_tensor() copy(%t) : tensor<?xf32>
    %r = tensor.dim %0, %c0 : tensor<?xf32>`,
    stays,
  ],
  [
    'an allocated tensor of sizes of which two are known',
    '(%n: index, %x: f32) -> tensor<?x?x?xf32>',
    `%0 = bufferization.alloc_tensor(%c2, %n, %c3) : tensor<?x?x?xf32>
    %r = linalg.fill ins(%x : f32) outs(%0 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>`,
    'bufferization.alloc_tensor, linalg.fill, tensor.cast',
    'bufferization.alloc_tensor(%arg0) : tensor<2x?x3xf32>',
  ],
  [
    'an allocated tensor of sizes that are not known',
    '(%n: index, %x: f32) -> tensor<?xf32>',
    `%0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
    %r = linalg.fill ins(%x : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>`,
    stays,
  ],
  [
    'a size of a reshaped buffer',
    '(%m: memref<6xf32>) -> index',
    `%s = memref.alloc() : memref<2xindex>
    memref.store %c2, %s[%c0] : memref<2xindex>
    memref.store %c3, %s[%c1] : memref<2xindex>
    %0 = memref.reshape %m(%s) : (memref<6xf32>, memref<2xindex>) -> memref<?x?xf32>
    memref.store %c5, %s[%c1] : memref<2xindex>
    %r = memref.dim %0, %c1 : memref<?x?xf32>`,
    'memref.alloc, 3 memref.store, memref.load',
  ],
  [
    'a size, as an integer, of a reshaped buffer',
    '(%m: memref<6xf32>) -> index',
    `%s = memref.alloc() : memref<1xi32>
    memref.store %i6, %s[%c0] : memref<1xi32>
    %0 = memref.reshape %m(%s) : (memref<6xf32>, memref<1xi32>) -> memref<?xf32>
    %r = memref.dim %0, %c0 : memref<?xf32>`,
    'memref.alloc, memref.store, memref.load, arith.index_cast',
  ],
  [
    'a size of a reshaped buffer, of which later is known which',
    '(%m: memref<6xf32>, %i: i1) -> index',
    `%s = memref.alloc() : memref<2xindex>
    memref.store %c2, %s[%c0] : memref<2xindex>
    memref.store %c3, %s[%c1] : memref<2xindex>
    %0 = memref.reshape %m(%s) : (memref<6xf32>, memref<2xindex>) -> memref<?x?xf32>
    %j = arith.index_castui %i : i1 to index
    %r = memref.dim %0, %j : memref<?x?xf32>`,
    stays,
  ],
  [
    'an allocation of sizes of which one is known',
    '(%n: index, %x: f32) -> f32',
    `%k = arith.addi %n, %c1 : index
    %m = memref.alloc(%c3, %k) : memref<?x?xf32>
    memref.store %x, %m[%c0, %c0] : memref<?x?xf32>
    %r = memref.load %m[%c0, %c0] : memref<?x?xf32>`,
    stays,
    'memref<3x?xf32>',
  ],
  [
    'a view of a known size',
    '(%b: memref<64xi8>, %n: index) -> i8',
    `%m = memref.view %b[%c4][%c5] : memref<64xi8> to memref<?xi8>
    %r = memref.load %m[%c1] : memref<?xi8>`,
    stays,
    'to memref<5xi8>',
  ],
  [
    'an allocation that is only written and freed',
    '(%x: f32)',
    `%m = memref.alloc() : memref<4xf32>
    memref.store %x, %m[%c1] : memref<4xf32>
    memref.dealloc %m : memref<4xf32>`,
    '',
  ],
  ['a copy onto itself', '(%m: memref<4xf32>)', 'memref.copy %m, %m : memref<4xf32> to memref<4xf32>', ''],
  [
    'a copy of nothing',
    '(%m: memref<0xf32>, %o: memref<0xf32>)',
    'memref.copy %m, %o : memref<0xf32> to memref<0xf32>',
    '',
  ],
  [
    'another name of a view from 0 on',
    '(%m: memref<8xf32>) -> f32',
    `%0 = memref.subview %m[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
    %1 = memref.reinterpret_cast %0 to offset: [1], sizes: [3], strides: [2] : memref<4xf32, strided<[1]>> to ` +
      `memref<3xf32, strided<[2], offset: 1>>
    %r = memref.load %1[%c1] : memref<3xf32, strided<[2], offset: 1>>`,
    'memref.reinterpret_cast, memref.load',
    'reinterpret_cast %arg0',
  ],
  [
    'another name of a view from 1 on',
    '(%m: memref<8xf32>) -> f32',
    `%0 = memref.subview %m[1] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 1>>
    %1 = memref.reinterpret_cast %0 to offset: [1], sizes: [3], strides: [2] : memref<4xf32, strided<[1], ` +
      `offset: 1>> to memref<3xf32, strided<[2], offset: 1>>
    %r = memref.load %1[%c1] : memref<3xf32, strided<[2], offset: 1>>`,
    stays,
  ],
  [
    'another name of another name',
    '(%m: memref<8xf32>) -> f32',
    `%0 = memref.reinterpret_cast %m to offset: [1], sizes: [3], strides: [2] : memref<8xf32> to memref<3xf32, ` +
      `strided<[2], offset: 1>>
    %1 = memref.reinterpret_cast %0 to offset: [2], sizes: [2], strides: [1] : memref<3xf32, strided<[2], ` +
      `offset: 1>> to memref<2xf32, strided<[1], offset: 2>>
    %r = memref.load %1[%c1] : memref<2xf32, strided<[1], offset: 2>>`,
    'memref.reinterpret_cast, memref.load',
    'reinterpret_cast %arg0',
  ],
  [
    'another name of a cast',
    '(%m: memref<8xf32>) -> f32',
    `%0 = memref.cast %m : memref<8xf32> to memref<?xf32>
    %1 = memref.reinterpret_cast %0 to offset: [2], sizes: [2], strides: [1] : memref<?xf32> to memref<2xf32, ` +
      `strided<[1], offset: 2>>
    %r = memref.load %1[%c1] : memref<2xf32, strided<[1], offset: 2>>`,
    'memref.reinterpret_cast, memref.load',
    'reinterpret_cast %arg0',
  ],
  [
    'one element by an unknown step, doubled',
    '(%m: memref<8xf32>, %k: index) -> index',
    `%s = arith.minui %k, %c2 : index
    %0 = memref.reinterpret_cast %m to offset: [0], sizes: [1], strides: [%s] : memref<8xf32> to memref<1xf32, ` +
      `strided<[?]>>
    %1 = memref.subview %0[0] [1] [2] : memref<1xf32, strided<[?]>> to memref<1xf32, strided<[?]>>
    %b, %o, %z, %r = memref.extract_strided_metadata %1 : memref<1xf32, strided<[?]>> -> memref<f32>, index, ` +
      `index, index`,
    stays,
  ],
  [
    'another name that is the same',
    '(%m: memref<8xf32>) -> f32',
    `%0 = memref.reinterpret_cast %m to offset: [0], sizes: [8], strides: [1] : memref<8xf32> to memref<8xf32>
    %r = memref.load %0[%c1] : memref<8xf32>`,
    'memref.load',
  ],
  [
    'a buffer that is put together with another size',
    '(%m: memref<?x4xf32>) -> f32',
    `%b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<?x4xf32> -> memref<f32>, index, index, ` +
      `index, index, index
    %0 = memref.reinterpret_cast %b to offset: [0], sizes: [%s#0, 3], strides: [4, 1] : memref<f32> to ` +
      `memref<?x3xf32, strided<[4, 1]>>
    %r = memref.load %0[%c1, %c0] : memref<?x3xf32, strided<[4, 1]>>`,
    stays,
  ],
  [
    'a buffer that is put together with another stride',
    '(%m: memref<?x4xf32>) -> f32',
    `%b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<?x4xf32> -> memref<f32>, index, index, ` +
      `index, index, index
    %0 = memref.reinterpret_cast %b to offset: [0], sizes: [%s#0, 4], strides: [3, 1] : memref<f32> to ` +
      `memref<?x4xf32, strided<[3, 1]>>
    %r = memref.load %0[%c1, %c0] : memref<?x4xf32, strided<[3, 1]>>`,
    stays,
  ],
  [
    'a transposed buffer, transposed',
    '(%m: memref<2x3x4xf32>) -> f32',
    `%0 = memref.transpose %m (i, j, k) -> (k, i, j) : memref<2x3x4xf32> to memref<4x2x3xf32, strided<[1, 12, 4]>>
    %1 = memref.transpose %0 (i, j, k) -> (j, i, k) : memref<4x2x3xf32, strided<[1, 12, 4]>> to ` +
      `memref<2x4x3xf32, strided<[12, 1, 4]>>
    %r = memref.load %1[%c1, %c3, %c2] : memref<2x4x3xf32, strided<[12, 1, 4]>>`,
    'memref.transpose, memref.load',
    'memref.transpose %arg0 (d0, d1, d2) -> (d0, d2, d1)',
  ],
  [
    'a buffer that is transposed to itself',
    '(%m: memref<2x3xf32>) -> f32',
    `%0 = memref.transpose %m (i, j) -> (i, j) : memref<2x3xf32> to memref<2x3xf32>
    %r = memref.load %0[%c1, %c2] : memref<2x3xf32>`,
    'memref.load',
  ],
  [
    'a buffer of a tensor of a buffer',
    '(%m: memref<4xf32>, %o: memref<4xf32>)',
    `%t = bufferization.to_tensor %m restrict : memref<4xf32>
    %0 = bufferization.to_memref %t : memref<4xf32>
    memref.copy %0, %o : memref<4xf32> to memref<4xf32>`,
    'bufferization.to_tensor, memref.copy',
    'memref.copy %arg0, %arg1',
  ],
  [
    'a buffer that is put together again',
    '(%m: memref<?x4xf32>) -> f32',
    `%b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<?x4xf32> -> memref<f32>, index, index, ` +
      `index, index, index
    %0 = memref.reinterpret_cast %b to offset: [%o], sizes: [%s#0, 4], strides: [4, %t#1] : memref<f32> to ` +
      `memref<?x4xf32, strided<[4, ?], offset: ?>>
    %r = memref.load %0[%c0, %c0] : memref<?x4xf32, strided<[4, ?], offset: ?>>`,
    'memref.load',
  ],
  [
    'what a type says of a buffer',
    '(%m: memref<?x4xf32>) -> (index, index, index, index)',
    `%b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<?x4xf32> -> memref<f32>, index, index, ` +
      `index, index, index
    return %o, %s#1, %t#0, %t#1 : index, index, index, index`,
    '',
    'return %c0, %c4, %c4, %c1',
  ],
]);
