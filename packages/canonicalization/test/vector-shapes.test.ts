/** Canonicalization of broadcasts, transposes, casts and elements of vectors. */
import { stays, testPatterns } from './support/rows.ts';

testPatterns('canonicalization', [
  [
    'a broadcast of a broadcast',
    '(%x: f32) -> vector<2x3xf32>',
    `%0 = vector.broadcast %x : f32 to vector<3xf32>
    %r = vector.broadcast %0 : vector<3xf32> to vector<2x3xf32>`,
    'broadcast',
    '%arg0 : f32 to vector<2x3xf32>',
  ],
  [
    'equal elements',
    '(%x: f32) -> vector<2xf32>',
    '%r = vector.from_elements %x, %x : vector<2xf32>',
    'splat',
  ],
  [
    'other elements',
    '(%x: f32, %y: f32) -> vector<3xf32>',
    '%r = vector.from_elements %x, %x, %y : vector<3xf32>',
    stays,
  ],
  [
    'a transposed mask',
    '(%n: index, %m: index) -> vector<3x2xi1>',
    `%0 = vector.create_mask %n, %m : vector<2x3xi1>
    %r = vector.transpose %0, [1, 0] : vector<2x3xi1> to vector<3x2xi1>`,
    'create_mask',
    'create_mask %arg1, %arg0',
  ],
  [
    'a transposed constant mask',
    '() -> vector<4x2x3xi1>',
    `%0 = vector.constant_mask [1, 2, 4] : vector<2x3x4xi1>
    %r = vector.transpose %0, [2, 0, 1] : vector<2x3x4xi1> to vector<4x2x3xi1>`,
    'constant_mask',
    'constant_mask [4, 1, 2]',
  ],
  [
    'a transposed broadcast of a number',
    '(%x: f32) -> vector<3x2xf32>',
    `%0 = vector.broadcast %x : f32 to vector<2x3xf32>
    %r = vector.transpose %0, [1, 0] : vector<2x3xf32> to vector<3x2xf32>`,
    'broadcast',
  ],
  [
    'a transposed broadcast of one element',
    '(%x: vector<1xf32>) -> vector<3x2xf32>',
    `%0 = vector.broadcast %x : vector<1xf32> to vector<2x3xf32>
    %r = vector.transpose %0, [1, 0] : vector<2x3xf32> to vector<3x2xf32>`,
    'broadcast',
  ],
  [
    'a transposed broadcast of a row',
    '(%x: vector<3xf32>) -> vector<3x2xf32>',
    `%0 = vector.broadcast %x : vector<3xf32> to vector<2x3xf32>
    %r = vector.transpose %0, [1, 0] : vector<2x3xf32> to vector<3x2xf32>`,
    stays,
  ],
  [
    'a transposed splat',
    '(%x: f32) -> vector<3x2xf32>',
    `%0 = vector.splat %x : vector<2x3xf32>
    %r = vector.transpose %0, [1, 0] : vector<2x3xf32> to vector<3x2xf32>`,
    'splat',
  ],
  [
    'transposed twice',
    '(%x: vector<2x3x4xf32>) -> vector<2x4x3xf32>',
    `%0 = vector.transpose %x, [2, 0, 1] : vector<2x3x4xf32> to vector<4x2x3xf32>
    %r = vector.transpose %0, [1, 0, 2] : vector<4x2x3xf32> to vector<2x4x3xf32>`,
    'transpose',
    'transpose %arg0, [0, 2, 1]',
  ],
  [
    'transposed back',
    '(%x: vector<2x3x4xf32>) -> vector<2x3x4xf32>',
    `%0 = vector.transpose %x, [2, 0, 1] : vector<2x3x4xf32> to vector<4x2x3xf32>
    %r = vector.transpose %0, [1, 2, 0] : vector<4x2x3xf32> to vector<2x3x4xf32>`,
    '',
  ],
  [
    'a constant in another shape',
    '() -> vector<6xi32>',
    `%0 = arith.constant dense<3> : vector<2x3xi32>
    %r = vector.shape_cast %0 : vector<2x3xi32> to vector<6xi32>`,
    '',
    'dense<3> : vector<6xi32>',
  ],
  [
    'other constants in another shape',
    '() -> vector<4xi32>',
    `%0 = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi32>
    %r = vector.shape_cast %0 : vector<2x2xi32> to vector<4xi32>`,
    stays,
  ],
  [
    'a mask of a column as one of a row',
    '(%n: index) -> vector<3xi1>',
    `%0 = vector.create_mask %n, %c1 : vector<3x1xi1>
    %r = vector.shape_cast %0 : vector<3x1xi1> to vector<3xi1>`,
    'create_mask',
    'create_mask %arg0 : vector<3xi1>',
  ],
  [
    'a mask of a column that may be empty',
    '(%n: index, %m: index) -> vector<3xi1>',
    `%0 = vector.create_mask %n, %m : vector<3x1xi1>
    %r = vector.shape_cast %0 : vector<3x1xi1> to vector<3xi1>`,
    stays,
  ],
  [
    'a mask of a row as one of a row',
    '(%n: index) -> vector<3xi1>',
    `%0 = vector.create_mask %c1, %n : vector<1x3xi1>
    %r = vector.shape_cast %0 : vector<1x3xi1> to vector<3xi1>`,
    stays,
  ],
  [
    'a mask of one element',
    '(%n: index) -> vector<1xi1>',
    `%0 = vector.create_mask %n, %c1 : vector<1x1xi1>
    %r = vector.shape_cast %0 : vector<1x1xi1> to vector<1xi1>`,
    'create_mask',
  ],
  [
    'a constant mask of a column',
    '() -> vector<3xi1>',
    `%0 = vector.constant_mask [2, 1] : vector<3x1xi1>
    %r = vector.shape_cast %0 : vector<3x1xi1> to vector<3xi1>`,
    'constant_mask',
    'constant_mask [2] : vector<3xi1>',
  ],
  [
    'an empty constant mask of a column',
    '() -> vector<3xi1>',
    `%0 = vector.constant_mask [0, 0] : vector<3x1xi1>
    %r = vector.shape_cast %0 : vector<3x1xi1> to vector<3xi1>`,
    stays,
  ],
  [
    'a broadcast row in another shape',
    '(%x: vector<3xf32>) -> vector<2x1x3xf32>',
    `%0 = vector.broadcast %x : vector<3xf32> to vector<2x3xf32>
    %r = vector.shape_cast %0 : vector<2x3xf32> to vector<2x1x3xf32>`,
    'broadcast',
    '%arg0 : vector<3xf32> to vector<2x1x3xf32>',
  ],
  [
    'a row that is broadcast once, as a column',
    '(%x: vector<3xf32>) -> vector<3x1xf32>',
    `%0 = vector.broadcast %x : vector<3xf32> to vector<1x3xf32>
    %r = vector.shape_cast %0 : vector<1x3xf32> to vector<3x1xf32>`,
    'shape_cast',
  ],
  [
    'broadcast rows as one',
    '(%x: vector<3xf32>) -> vector<6xf32>',
    `%0 = vector.broadcast %x : vector<3xf32> to vector<2x3xf32>
    %r = vector.shape_cast %0 : vector<2x3xf32> to vector<6xf32>`,
    stays,
  ],
  [
    'a broadcast number in another shape',
    '(%x: f32) -> vector<6xf32>',
    `%0 = vector.broadcast %x : f32 to vector<2x3xf32>
    %r = vector.shape_cast %0 : vector<2x3xf32> to vector<6xf32>`,
    'broadcast',
  ],
  [
    'a row of a constant',
    '() -> vector<3xi32>',
    `%0 = arith.constant dense<3> : vector<2x3xi32>
    %r = vector.extract %0[1] : vector<3xi32> from vector<2x3xi32>`,
    '',
    'dense<3> : vector<3xi32>',
  ],
  [
    'a row of constants',
    '() -> vector<3xi32>',
    `%0 = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>
    %r = vector.extract %0[1] : vector<3xi32> from vector<2x3xi32>`,
    '',
    'dense<[4, 5, 6]> : vector<3xi32>',
  ],
  [
    'one of constants',
    '() -> f32',
    `%0 = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : vector<2x3xf32>
    %r = vector.extract %0[1, 1] : f32 from vector<2x3xf32>`,
    '',
    '5.000000e+00 : f32',
  ],
  [
    'a row of constants at a computed place',
    '(%i: i1) -> vector<3xi32>',
    `%j = arith.index_castui %i : i1 to index
    %0 = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>
    %r = vector.extract %0[%j] : vector<3xi32> from vector<2x3xi32>`,
    stays,
  ],
  [
    'a row of broadcast rows',
    '(%x: vector<3xf32>) -> vector<4x3xf32>',
    `%0 = vector.broadcast %x : vector<3xf32> to vector<2x4x3xf32>
    %r = vector.extract %0[1] : vector<4x3xf32> from vector<2x4x3xf32>`,
    'broadcast',
    '%arg0 : vector<3xf32> to vector<4x3xf32>',
  ],
  [
    'an element of a broadcast vector without dimensions',
    '(%x: vector<f32>) -> f32',
    `%0 = vector.broadcast %x : vector<f32> to vector<2xf32>
    %r = vector.extract %0[1] : f32 from vector<2xf32>`,
    'extractelement',
  ],
  [
    'an element of broadcast rows',
    '(%x: vector<3xf32>) -> f32',
    `%0 = vector.broadcast %x : vector<3xf32> to vector<2x3xf32>
    %r = vector.extract %0[1, 2] : f32 from vector<2x3xf32>`,
    'extract',
  ],
  [
    'a row of a splat',
    '(%x: f32) -> vector<3xf32>',
    `%0 = vector.splat %x : vector<2x3xf32>
    %r = vector.extract %0[1] : vector<3xf32> from vector<2x3xf32>`,
    'broadcast',
  ],
  [
    'the first row of a mask',
    '(%n: index) -> vector<3xi1>',
    `%0 = vector.create_mask %c1, %n : vector<2x3xi1>
    %r = vector.extract %0[0] : vector<3xi1> from vector<2x3xi1>`,
    'create_mask',
  ],
  [
    'the second row of a mask of one',
    '(%n: index) -> vector<3xi1>',
    `%0 = vector.create_mask %c1, %n : vector<2x3xi1>
    %r = vector.extract %0[1] : vector<3xi1> from vector<2x3xi1>`,
    '',
    'dense<false> : vector<3xi1>',
  ],
  [
    'some row of a mask of all',
    '(%n: index, %k: i1) -> vector<3xi1>',
    `%j = arith.index_castui %k : i1 to index
    %0 = vector.create_mask %c2, %n : vector<2x3xi1>
    %r = vector.extract %0[%j] : vector<3xi1> from vector<2x3xi1>`,
    'create_mask',
  ],
  [
    'some row of a mask of one',
    '(%n: index, %k: i1) -> vector<3xi1>',
    `%j = arith.index_castui %k : i1 to index
    %0 = vector.create_mask %c1, %n : vector<2x3xi1>
    %r = vector.extract %0[%j] : vector<3xi1> from vector<2x3xi1>`,
    stays,
  ],
  [
    'a row of a mask of unknown rows',
    '(%n: index, %m: index) -> vector<3xi1>',
    `%0 = vector.create_mask %m, %n : vector<2x3xi1>
    %r = vector.extract %0[0] : vector<3xi1> from vector<2x3xi1>`,
    stays,
  ],
  [
    'a row of a mask without columns',
    '(%n: index) -> vector<3xi1>',
    `%0 = vector.create_mask %n, %c0 : vector<2x3xi1>
    %r = vector.extract %0[0] : vector<3xi1> from vector<2x3xi1>`,
    '',
  ],
  [
    'an element of a mask',
    '(%n: index, %m: index) -> i1',
    `%0 = vector.create_mask %m, %n : vector<2x3xi1>
    %r = vector.extract %0[0, 1] : i1 from vector<2x3xi1>`,
    stays,
  ],
  [
    'all of what is in another shape',
    '(%x: vector<2x3xf32>) -> vector<6xf32>',
    `%0 = vector.shape_cast %x : vector<2x3xf32> to vector<1x6xf32>
    %r = vector.extract %0[0] : vector<6xf32> from vector<1x6xf32>`,
    'shape_cast',
  ],
  [
    'a part of what is in another shape',
    '(%x: vector<6xf32>) -> vector<3xf32>',
    `%0 = vector.shape_cast %x : vector<6xf32> to vector<2x3xf32>
    %r = vector.extract %0[1] : vector<3xf32> from vector<2x3xf32>`,
    stays,
  ],
  [
    'a row of elements',
    '(%x: f32, %y: f32, %z: f32) -> vector<2xf32>',
    `%0 = vector.from_elements %x, %y, %z, %x : vector<2x2xf32>
    %r = vector.extract %0[1] : vector<2xf32> from vector<2x2xf32>`,
    'from_elements',
    'from_elements %arg2, %arg0',
  ],
  [
    'a row of elements at a computed place',
    '(%x: f32, %y: f32, %z: f32, %i: index) -> vector<2xf32>',
    `%0 = vector.from_elements %x, %y, %z, %x : vector<2x2xf32>
    %j = arith.minui %i, %c1 : index
    %r = vector.extract %0[%j] : vector<2xf32> from vector<2x2xf32>`,
    stays,
  ],
]);
