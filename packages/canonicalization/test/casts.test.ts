/** Canonicalization of casts of tensors and buffers. */
import { stays, testPatterns } from './support/rows.ts';

testPatterns('canonicalization', [
  [
    'a buffer, collapsed after a cast',
    '(%t: memref<2x3x4xf32>) -> f32',
    `%0 = memref.cast %t : memref<2x3x4xf32> to memref<?x3x4xf32>
    %1 = memref.collapse_shape %0 [[0, 1], [2]] : memref<?x3x4xf32> into memref<?x4xf32>
    %r = memref.load %1[%c1, %c2] : memref<?x4xf32>`,
    'memref.collapse_shape, memref.load',
  ],
  [
    'a buffer, collapsed after a cast that changes nothing of it',
    '(%t: memref<2x3x?xf32>) -> f32',
    `%0 = memref.cast %t : memref<2x3x?xf32> to memref<?x3x?xf32>
    %1 = memref.collapse_shape %0 [[0, 1, 2]] : memref<?x3x?xf32> into memref<?xf32>
    %r = memref.load %1[%c1] : memref<?xf32>`,
    'memref.collapse_shape, memref.load',
  ],
  [
    'an access of a cast buffer',
    '(%m: memref<4xf32>, %x: f32) -> (f32, index)',
    `%0 = memref.cast %m : memref<4xf32> to memref<?xf32>
    memref.store %x, %0[%c1] : memref<?xf32>
    %a = memref.load %0[%c2] : memref<?xf32>
    %b = memref.dim %0, %c0 : memref<?xf32>
    return %a, %b : f32, index`,
    'memref.store, memref.load',
  ],
  [
    'a copy of cast buffers',
    '(%m: memref<4xf32>, %n: memref<4xf32>)',
    `%0 = memref.cast %m : memref<4xf32> to memref<?xf32>
    %1 = memref.cast %n : memref<4xf32> to memref<?xf32>
    memref.copy %0, %1 : memref<?xf32> to memref<?xf32>`,
    'memref.copy',
    'memref.copy %arg0, %arg1',
  ],
  [
    'a copy of a buffer that is cast to a known size',
    '(%m: memref<?xf32>, %n: memref<4xf32>)',
    `%0 = memref.cast %m : memref<?xf32> to memref<4xf32>
    memref.copy %0, %n : memref<4xf32> to memref<4xf32>`,
    stays,
  ],
  [
    'a cast of a cast buffer',
    '(%m: memref<4x?xf32>) -> f32',
    `%0 = memref.cast %m : memref<4x?xf32> to memref<?x?xf32>
    %1 = memref.cast %0 : memref<?x?xf32> to memref<4x4xf32>
    %2 = memref.cast %1 : memref<4x4xf32> to memref<4x4xf32, strided<[?, 1]>>
    %3 = memref.subview %2[1, 0] [2, 2] [1, 1] : memref<4x4xf32, strided<[?, 1]>> to memref<2x2xf32, strided<[?, 1], offset: ?>>
    %r = memref.load %3[%c1, %c1] : memref<2x2xf32, strided<[?, 1], offset: ?>>`,
    'memref.cast, memref.subview, memref.load',
  ],
  [
    'a slice that is cast to a known size',
    '(%t: tensor<8x9xf32>, %n: index) -> tensor<4x2xf32>',
    `%k = arith.ori %n, %c4 : index
    %l = arith.minui %k, %c4 : index
    %0 = tensor.extract_slice %t[1, 2] [%l, 2] [1, 1] : tensor<8x9xf32> to tensor<?x2xf32>
    %r = tensor.cast %0 : tensor<?x2xf32> to tensor<4x2xf32>`,
    'tensor.extract_slice',
    '[4, 2]',
  ],
  [
    'a slice without a row that is cast to a known size',
    '(%t: tensor<8x9xf32>, %n: index) -> tensor<4xf32>',
    `%k = arith.ori %n, %c4 : index
    %l = arith.minui %k, %c4 : index
    %0 = tensor.extract_slice %t[1, 2] [1, %l] [1, 1] : tensor<8x9xf32> to tensor<?xf32>
    %r = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>`,
    'tensor.extract_slice',
    '[1, 4]',
  ],
  [
    'an empty tensor that is cast',
    '(%n: index, %x: f32) -> tensor<4x?xf32>',
    `%k = arith.maxui %n, %c4 : index
    %l = arith.minui %k, %c4 : index
    %0 = tensor.empty(%l, %n) : tensor<?x?xf32>
    %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<4x?xf32>
    %r = linalg.fill ins(%x : f32) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>`,
    'tensor.empty, linalg.fill',
    'tensor.empty(%arg0) : tensor<4x?xf32>',
  ],
  [
    'an element of a cast tensor',
    '(%t: tensor<4xf32>) -> f32',
    `%0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
    %r = tensor.extract %0[%c1] : tensor<?xf32>`,
    'tensor.extract',
  ],
  [
    'a cast to the same',
    '(%t: tensor<4xf32>) -> tensor<4xf32>',
    '%r = tensor.cast %t : tensor<4xf32> to tensor<4xf32>',
    '',
  ],
]);
