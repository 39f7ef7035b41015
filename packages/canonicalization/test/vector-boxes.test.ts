/** Canonicalization of insertions, boxes and shuffles of vectors. */
import { stays, testPatterns } from './support/rows.ts';

testPatterns('canonicalization', [
  [
    'an insertion of all',
    '(%x: vector<3xf32>, %y: vector<1x3xf32>) -> vector<1x3xf32>',
    '%r = vector.insert %x, %y[0] : vector<3xf32> into vector<1x3xf32>',
    'broadcast',
  ],
  [
    'an insertion of a row',
    '(%x: vector<3xf32>, %y: vector<2x3xf32>) -> vector<2x3xf32>',
    '%r = vector.insert %x, %y[0] : vector<3xf32> into vector<2x3xf32>',
    stays,
  ],
  [
    'a splat in the same',
    '(%x: f32) -> vector<2x3xf32>',
    `%0 = vector.splat %x : vector<3xf32>
    %1 = vector.splat %x : vector<2x3xf32>
    %r = vector.insert %0, %1[1] : vector<3xf32> into vector<2x3xf32>`,
    'splat',
  ],
  [
    'a splat in another',
    '(%x: f32, %y: f32) -> vector<2x3xf32>',
    `%0 = vector.splat %x : vector<3xf32>
    %1 = vector.splat %y : vector<2x3xf32>
    %r = vector.insert %0, %1[1] : vector<3xf32> into vector<2x3xf32>`,
    stays,
  ],
  [
    'a constant among others',
    '() -> vector<3xi32>',
    `%0 = arith.constant dense<[1, 2, 3]> : vector<3xi32>
    %r = vector.insert %i7, %0[1] : i32 into vector<3xi32>`,
    '',
    'dense<[1, 7, 3]>',
  ],
  [
    'constants among equal ones',
    '() -> vector<3x2xi32>',
    `%0 = arith.constant dense<1> : vector<3x2xi32>
    %1 = arith.constant dense<[4, 5]> : vector<2xi32>
    %r = vector.insert %1, %0[1] : vector<2xi32> into vector<3x2xi32>`,
    '',
  ],
  [
    'a value among constants',
    '(%x: i32) -> vector<3xi32>',
    `%0 = arith.constant dense<[1, 2, 3]> : vector<3xi32>
    %r = vector.insert %x, %0[1] : i32 into vector<3xi32>`,
    stays,
  ],
  [
    'a constant among many, which stay',
    '() -> (vector<300xi32>, vector<300xi32>)',
    `%0 = arith.constant dense<1> : vector<300xi32>
    %1 = vector.insert %i7, %0[1] : i32 into vector<300xi32>
    return %0, %1 : vector<300xi32>, vector<300xi32>`,
    stays,
  ],
  [
    'a constant among many, which do not stay',
    '() -> i32',
    `%0 = arith.constant dense<1> : vector<300xi32>
    %1 = vector.insert %i7, %0[1] : i32 into vector<300xi32>
    %r = vector.reduction <add>, %1 : vector<300xi32> into i32`,
    'reduction',
  ],
  [
    'a constant among 256, which stay',
    '() -> (vector<256xi32>, vector<256xi32>)',
    `%0 = arith.constant dense<1> : vector<256xi32>
    %1 = vector.insert %i7, %0[1] : i32 into vector<256xi32>
    return %0, %1 : vector<256xi32>, vector<256xi32>`,
    '',
  ],
  [
    'a box of a splat in the same',
    '(%x: f32) -> vector<4x4xf32>',
    `%0 = vector.splat %x : vector<2xf32>
    %1 = vector.splat %x : vector<4x4xf32>
    %r = vector.insert_strided_slice %0, %1 {offsets = [1, 2], strides = [1]} : vector<2xf32> into vector<4x4xf32>`,
    'splat',
  ],
  [
    'a box of a splat in another',
    '(%x: f32, %y: f32) -> vector<4x4xf32>',
    `%0 = vector.splat %x : vector<2xf32>
    %1 = vector.splat %y : vector<4x4xf32>
    %r = vector.insert_strided_slice %0, %1 {offsets = [1, 2], strides = [1]} : vector<2xf32> into vector<4x4xf32>`,
    stays,
  ],
  [
    'a box where it was',
    '(%x: vector<4x4xf32>) -> vector<4x4xf32>',
    `%0 = vector.extract_strided_slice %x {offsets = [1, 2], sizes = [2, 2], strides = [1, 1]} : vector<4x4xf32> to vector<2x2xf32>
    %r = vector.insert_strided_slice %0, %x {offsets = [1, 2], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>`,
    '',
  ],
  [
    'a box elsewhere',
    '(%x: vector<4x4xf32>) -> vector<4x4xf32>',
    `%0 = vector.extract_strided_slice %x {offsets = [1, 2], sizes = [2, 2], strides = [1, 1]} : vector<4x4xf32> to vector<2x2xf32>
    %r = vector.insert_strided_slice %0, %x {offsets = [1, 1], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>`,
    stays,
  ],
  [
    'a box of another vector',
    '(%x: vector<4x4xf32>, %y: vector<4x4xf32>) -> vector<4x4xf32>',
    `%0 = vector.extract_strided_slice %x {offsets = [1, 2], sizes = [2, 2], strides = [1, 1]} : vector<4x4xf32> to vector<2x2xf32>
    %r = vector.insert_strided_slice %0, %y {offsets = [1, 2], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>`,
    stays,
  ],
  [
    'a box of constants among others',
    '() -> vector<3x3xi32>',
    `%0 = arith.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : vector<3x3xi32>
    %1 = arith.constant dense<[[10, 11], [12, 13]]> : vector<2x2xi32>
    %r = vector.insert_strided_slice %1, %0 {offsets = [1, 0], strides = [1, 1]} : vector<2x2xi32> into vector<3x3xi32>`,
    '',
    '[10, 11, 6], [12, 13, 9]',
  ],
  [
    'a box of a mask',
    '() -> vector<2x2xi1>',
    `%0 = vector.constant_mask [2, 3] : vector<4x4xi1>
    %r = vector.extract_strided_slice %0 {offsets = [1, 2], sizes = [2, 2], strides = [1, 1]} : vector<4x4xi1> to vector<2x2xi1>`,
    'constant_mask',
    'constant_mask [1, 1]',
  ],
  [
    'a box beside a mask',
    '() -> vector<2x2xi1>',
    `%0 = vector.constant_mask [2, 2] : vector<4x4xi1>
    %r = vector.extract_strided_slice %0 {offsets = [1, 2], sizes = [2, 2], strides = [1, 1]} : vector<4x4xi1> to vector<2x2xi1>`,
    'constant_mask',
    'constant_mask [0, 0]',
  ],
  [
    'rows of a mask',
    '() -> vector<2x4xi1>',
    `%0 = vector.constant_mask [2, 3] : vector<4x4xi1>
    %r = vector.extract_strided_slice %0 {offsets = [1], sizes = [2], strides = [1]} : vector<4x4xi1> to vector<2x4xi1>`,
    'constant_mask',
    'constant_mask [1, 3]',
  ],
  [
    'a box of a constant',
    '() -> vector<2x2xi32>',
    `%0 = arith.constant dense<3> : vector<4x4xi32>
    %r = vector.extract_strided_slice %0 {offsets = [1, 2], sizes = [2, 2], strides = [1, 1]} : vector<4x4xi32> to vector<2x2xi32>`,
    '',
  ],
  [
    'rows of constants',
    '() -> vector<2x2xi32>',
    `%0 = arith.constant dense<[[1, 2], [3, 4], [5, 6]]> : vector<3x2xi32>
    %r = vector.extract_strided_slice %0 {offsets = [1], sizes = [2], strides = [1]} : vector<3x2xi32> to vector<2x2xi32>`,
    '',
    '[3, 4], [5, 6]',
  ],
  [
    'a column of constants',
    '() -> vector<2x1xi32>',
    `%0 = arith.constant dense<[[1, 2], [3, 4], [5, 6]]> : vector<3x2xi32>
    %r = vector.extract_strided_slice %0 {offsets = [0, 1], sizes = [2, 1], strides = [1, 1]} : vector<3x2xi32> to vector<2x1xi32>`,
    '',
  ],
  [
    'rows of broadcast rows',
    '(%x: vector<4xf32>) -> vector<2x4xf32>',
    `%0 = vector.broadcast %x : vector<4xf32> to vector<3x4xf32>
    %r = vector.extract_strided_slice %0 {offsets = [1], sizes = [2], strides = [1]} : vector<3x4xf32> to vector<2x4xf32>`,
    'broadcast',
  ],
  [
    'a box of broadcast rows',
    '(%x: vector<4xf32>) -> vector<2x2xf32>',
    `%0 = vector.broadcast %x : vector<4xf32> to vector<3x4xf32>
    %r = vector.extract_strided_slice %0 {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<3x4xf32> to vector<2x2xf32>`,
    'extract_strided_slice, broadcast',
    'offsets = [1], sizes = [2]',
  ],
  [
    'a box of a broadcast column',
    '(%x: vector<4x1xf32>) -> vector<2x2xf32>',
    `%0 = vector.broadcast %x : vector<4x1xf32> to vector<4x3xf32>
    %r = vector.extract_strided_slice %0 {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x3xf32> to vector<2x2xf32>`,
    'extract_strided_slice, broadcast',
    'offsets = [1, 0], sizes = [2, 1]',
  ],
  [
    'a box of a broadcast number',
    '(%x: f32) -> vector<2x2xf32>',
    `%0 = vector.broadcast %x : f32 to vector<4x3xf32>
    %r = vector.extract_strided_slice %0 {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x3xf32> to vector<2x2xf32>`,
    'broadcast',
  ],
  [
    'a box of a broadcast element',
    '(%x: vector<1xf32>) -> vector<2x2xf32>',
    `%0 = vector.broadcast %x : vector<1xf32> to vector<4x3xf32>
    %r = vector.extract_strided_slice %0 {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x3xf32> to vector<2x2xf32>`,
    'broadcast',
  ],
  [
    'a box of a splat',
    '(%x: f32) -> vector<2x2xf32>',
    `%0 = vector.splat %x : vector<4x3xf32>
    %r = vector.extract_strided_slice %0 {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x3xf32> to vector<2x2xf32>`,
    'splat',
  ],
  [
    'a shuffle of equal elements',
    '(%x: f32) -> vector<3xf32>',
    `%0 = vector.splat %x : vector<2xf32>
    %r = vector.shuffle %0, %0 [0, 3, 1] : vector<2xf32>, vector<2xf32>`,
    'splat',
  ],
  [
    'a shuffle of other elements',
    '(%x: f32, %y: f32) -> vector<3xf32>',
    `%0 = vector.splat %x : vector<2xf32>
    %1 = vector.splat %y : vector<2xf32>
    %r = vector.shuffle %0, %1 [0, 3, 1] : vector<2xf32>, vector<2xf32>`,
    stays,
  ],
  [
    'a shuffle that takes turns',
    '(%x: vector<3xf32>, %y: vector<3xf32>) -> vector<6xf32>',
    '%r = vector.shuffle %x, %y [0, 3, 1, 4, 2, 5] : vector<3xf32>, vector<3xf32>',
    'interleave',
  ],
  [
    'a shuffle that takes turns, the second first',
    '(%x: vector<3xf32>, %y: vector<3xf32>) -> vector<6xf32>',
    '%r = vector.shuffle %x, %y [3, 0, 4, 1, 5, 2] : vector<3xf32>, vector<3xf32>',
    stays,
  ],
  [
    'a shuffle that takes turns in halves',
    '(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32>',
    '%r = vector.shuffle %x, %y [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>',
    stays,
  ],
  [
    'a shuffle that takes turns in rows',
    '(%x: vector<2x3xf32>, %y: vector<2x3xf32>) -> vector<4x3xf32>',
    '%r = vector.shuffle %x, %y [0, 2, 1, 3] : vector<2x3xf32>, vector<2x3xf32>',
    stays,
  ],
  [
    'a shuffle of the first of two elements',
    '(%x: vector<f32>, %y: vector<f32>) -> vector<1xf32>',
    '%r = vector.shuffle %x, %y [0] : vector<f32>, vector<f32>',
    'broadcast',
    'broadcast %arg0',
  ],
  [
    'a shuffle of the second of two elements',
    '(%x: vector<f32>, %y: vector<f32>) -> vector<1xf32>',
    '%r = vector.shuffle %x, %y [1] : vector<f32>, vector<f32>',
    'broadcast',
    'broadcast %arg1',
  ],
  [
    'a shuffle of two elements',
    '(%x: vector<f32>, %y: vector<f32>) -> vector<2xf32>',
    '%r = vector.shuffle %x, %y [1, 0] : vector<f32>, vector<f32>',
    stays,
  ],
  [
    'a constant among others at a computed place',
    '(%i: i1) -> vector<2xi32>',
    `%j = arith.index_castui %i : i1 to index
    %0 = arith.constant dense<[1, 2]> : vector<2xi32>
    %r = vector.insert %i7, %0[%j] : i32 into vector<2xi32>`,
    stays,
  ],
]);
