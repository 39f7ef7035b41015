/** Canonicalization of reshapes of reshapes. */
import { stays, testPatterns } from './support/rows.ts';

testPatterns('canonicalization', [
  [
    'collapsed twice',
    '(%t: tensor<2x3x4x5xf32>) -> tensor<24x5xf32>',
    `%0 = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<2x3x4x5xf32> into tensor<6x4x5xf32>
    %r = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<6x4x5xf32> into tensor<24x5xf32>`,
    'tensor.collapse_shape',
    '[[0, 1, 2], [3]]',
  ],
  [
    'expanded twice',
    '(%t: tensor<24x5xf32>) -> tensor<2x3x4x5xf32>',
    `%0 = tensor.expand_shape %t [[0, 1], [2]] output_shape [6, 4, 5] : tensor<24x5xf32> into tensor<6x4x5xf32>
    %r = tensor.expand_shape %0 [[0, 1], [2], [3]] output_shape [2, 3, 4, 5] : tensor<6x4x5xf32> into tensor<2x3x4x5xf32>`,
    'tensor.expand_shape',
    '[[0, 1, 2], [3]]',
  ],
  [
    'collapsed and expanded back',
    '(%t: tensor<?x3x4xf32>, %n: index) -> tensor<?x3x4xf32>',
    `%d = tensor.dim %t, %c0 : tensor<?x3x4xf32>
    %0 = tensor.collapse_shape %t [[0, 1], [2]] : tensor<?x3x4xf32> into tensor<?x4xf32>
    %r = tensor.expand_shape %0 [[0, 1], [2]] output_shape [%d, 3, 4] : tensor<?x4xf32> into tensor<?x3x4xf32>`,
    '',
    'return %arg0',
  ],
  [
    'expanded and collapsed back, of sizes that are not known',
    '(%t: tensor<?x?xf32>) -> tensor<?x?xf32>',
    `%a = tensor.dim %t, %c0 : tensor<?x?xf32>
    %b = tensor.dim %t, %c1 : tensor<?x?xf32>
    %0 = tensor.expand_shape %t [[0], [1, 2]] output_shape [%a, %b, 1] : tensor<?x?xf32> into tensor<?x?x1xf32>
    %r = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<?x?x1xf32> into tensor<?x?xf32>`,
    '',
    'return %arg0',
  ],
  [
    'expanded and collapsed to other sizes that are not known',
    '(%t: tensor<?x?xf32>, %i: i1) -> tensor<?x?xf32>',
    `%a = tensor.dim %t, %c0 : tensor<?x?xf32>
    %b = tensor.dim %t, %c1 : tensor<?x?xf32>
    %j = arith.index_castui %i : i1 to index
    %one = arith.maxui %j, %c1 : index
    %0 = tensor.expand_shape %t [[0], [1, 2]] output_shape [%a, %b, %one] : tensor<?x?xf32> into tensor<?x?x?xf32>
    %r = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<?x?x?xf32> into tensor<?x?xf32>`,
    stays,
  ],
  [
    'expanded and collapsed less',
    '(%t: tensor<24xf32>) -> tensor<2x12xf32>',
    `%0 = tensor.expand_shape %t [[0, 1, 2]] output_shape [2, 3, 4] : tensor<24xf32> into tensor<2x3x4xf32>
    %r = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<2x3x4xf32> into tensor<2x12xf32>`,
    'tensor.expand_shape',
    'output_shape [2, 12]',
  ],
  [
    'expanded and collapsed more',
    '(%t: tensor<6x4xf32>) -> tensor<24xf32>',
    `%0 = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
    %r = tensor.collapse_shape %0 [[0, 1, 2]] : tensor<2x3x4xf32> into tensor<24xf32>`,
    'tensor.collapse_shape',
    'tensor<6x4xf32> into tensor<24xf32>',
  ],
  [
    'expanded and collapsed across',
    '(%t: tensor<6x4xf32>) -> tensor<2x12xf32>',
    `%0 = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
    %r = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<2x3x4xf32> into tensor<2x12xf32>`,
    stays,
  ],
  [
    'collapsed and expanded with ones between',
    '(%t: tensor<2x3x1x4xf32>) -> tensor<6x1x1x4xf32>',
    `%0 = tensor.collapse_shape %t [[0, 1, 2], [3]] : tensor<2x3x1x4xf32> into tensor<6x4xf32>
    %r = tensor.expand_shape %0 [[0], [1, 2, 3]] output_shape [6, 1, 1, 4] : tensor<6x4xf32> into tensor<6x1x1x4xf32>`,
    stays,
  ],
  [
    'collapsed to a line, and expanded to fewer dimensions',
    '(%t: tensor<2x3x4xf32>) -> tensor<6x4xf32>',
    `%0 = tensor.collapse_shape %t [[0, 1, 2]] : tensor<2x3x4xf32> into tensor<24xf32>
    %r = tensor.expand_shape %0 [[0, 1]] output_shape [6, 4] : tensor<24xf32> into tensor<6x4xf32>`,
    'tensor.collapse_shape',
    'collapse_shape %arg0 [[0, 1], [2]]',
  ],
  [
    'collapsed to a line, and expanded to more dimensions',
    '(%t: tensor<6x4xf32>) -> tensor<2x3x4xf32>',
    `%0 = tensor.collapse_shape %t [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
    %r = tensor.expand_shape %0 [[0, 1, 2]] output_shape [2, 3, 4] : tensor<24xf32> into tensor<2x3x4xf32>`,
    'tensor.expand_shape',
    'expand_shape %arg0 [[0, 1], [2]]',
  ],
  [
    'one element in another shape',
    '(%t: tensor<1x1xf32>) -> tensor<1xf32>',
    `%0 = tensor.collapse_shape %t [] : tensor<1x1xf32> into tensor<f32>
    %r = tensor.expand_shape %0 [] output_shape [1] : tensor<f32> into tensor<1xf32>`,
    'tensor.collapse_shape',
  ],
  [
    'an unknown size between known ones, collapsed and expanded',
    '(%t: tensor<2x?x3x1xf32>, %n: index) -> tensor<?x3xf32>',
    `%d = tensor.dim %t, %c1 : tensor<2x?x3x1xf32>
    %k = arith.muli %d, %c2 : index
    %0 = tensor.collapse_shape %t [[0, 1, 2, 3]] : tensor<2x?x3x1xf32> into tensor<?xf32>
    %r = tensor.expand_shape %0 [[0, 1]] output_shape [%k, 3] : tensor<?xf32> into tensor<?x3xf32>`,
    'tensor.collapse_shape',
  ],
  [
    'a splat in another shape',
    '(%x: f32) -> tensor<6xf32>',
    `%0 = tensor.splat %x : tensor<2x3xf32>
    %r = tensor.collapse_shape %0 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>`,
    'tensor.splat',
  ],
  [
    'elements in another shape',
    '(%x: f32, %y: f32) -> tensor<2x2xf32>',
    `%0 = tensor.from_elements %x, %y, %y, %x : tensor<4xf32>
    %r = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>`,
    'tensor.from_elements',
  ],
  [
    'buffers, collapsed twice',
    '(%t: memref<2x3x4xf32>) -> f32',
    `%0 = memref.collapse_shape %t [[0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>
    %1 = memref.collapse_shape %0 [[0, 1]] : memref<6x4xf32> into memref<24xf32>
    %r = memref.load %1[%c7] : memref<24xf32>`,
    'memref.collapse_shape, memref.load',
    'collapse_shape %arg0 [[0, 1, 2]]',
  ],
]);
