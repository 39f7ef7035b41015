/** fold-memref-alias-ops on accesses to views. */
import { foldMemrefAliasOps } from '../src/index.ts';
import type { Row } from './support/table.ts';
import { testRows } from './support/table.ts';

const rows: readonly Row[] = [
  {
    name: 'a subview that is read',
    arguments: '%m: memref<8x8xf32>, %i: index',
    results: 'f32',
    before: `
      %0 = memref.subview %m[2, %i] [4, 1] [1, 1] : memref<8x8xf32> to memref<4x1xf32, strided<[8, 1], offset: ?>>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %1 = memref.load %0[%c1, %c0] : memref<4x1xf32, strided<[8, 1], offset: ?>>
      return %1 : f32`,
    after: `
      %c3 = arith.constant 3 : index
      %0 = memref.load %arg0[%c3, %arg1] : memref<8x8xf32>
      return %0 : f32`,
    isNotExecuted: true,
  },
  {
    name: 'an expanded buffer that is written',
    arguments: '%m: memref<12xf32>, %i: index, %j: index, %x: f32',
    before: `
      %0 = memref.expand_shape %m [[0, 1]] output_shape [3, 4] : memref<12xf32> into memref<3x4xf32>
      memref.store %x, %0[%i, %j] : memref<3x4xf32>
      return`,
    after: `
      %0 = affine.apply affine_map<()[s0, s1] -> (s0 * 4 + s1)>()[%arg1, %arg2]
      memref.store %arg3, %arg0[%0] : memref<12xf32>
      return`,
    isNotExecuted: true,
  },
  {
    name: 'a collapsed buffer that is read',
    arguments: '%m: memref<3x4xf32>, %i: index',
    results: 'f32',
    before: `
      %0 = memref.collapse_shape %m [[0, 1]] : memref<3x4xf32> into memref<12xf32>
      %1 = affine.load %0[%i + 1] : memref<12xf32>
      return %1 : f32`,
    after: `
      %0 = affine.apply affine_map<()[s0] -> ((s0 + 1) floordiv 4)>()[%arg1]
      %1 = affine.apply affine_map<()[s0] -> (s0 - ((s0 + 1) floordiv 4) * 4 + 1)>()[%arg1]
      %2 = affine.load %arg0[%0, %1] : memref<3x4xf32>
      return %2 : f32`,
  },
  {
    name: 'a subview of a subview',
    arguments: '%m: memref<16xf32>',
    results: 'f32',
    before: `
      %0 = memref.subview %m[3] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 3>>
      %1 = memref.subview %0[2] [4] [1] : memref<8xf32, strided<[1], offset: 3>> to memref<4xf32, strided<[1], offset: 5>>
      %c0 = arith.constant 0 : index
      %2 = memref.load %1[%c0] : memref<4xf32, strided<[1], offset: 5>>
      return %2 : f32`,
    after: `
      %c5 = arith.constant 5 : index
      %0 = memref.load %arg0[%c5] : memref<16xf32>
      return %0 : f32`,
  },
  {
    name: 'vectors in a subview',
    arguments: '%m: memref<8x8xf32>',
    results: 'vector<4xf32>',
    before: `
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %mask = arith.constant dense<[true, false, true, true]> : vector<4xi1>
      %0 = memref.subview %m[2, 1] [3, 7] [2, 1] : memref<8x8xf32> to memref<3x7xf32, strided<[16, 1], offset: 17>>
      %1 = vector.load %0[%c1, %c2] : memref<3x7xf32, strided<[16, 1], offset: 17>>, vector<4xf32>
      vector.store %1, %0[%c2, %c1] : memref<3x7xf32, strided<[16, 1], offset: 17>>, vector<4xf32>
      %2 = vector.maskedload %0[%c1, %c1], %mask, %1 : memref<3x7xf32, strided<[16, 1], offset: 17>>, vector<4xi1>, vector<4xf32> into vector<4xf32>
      vector.maskedstore %0[%c1, %c1], %mask, %1 : memref<3x7xf32, strided<[16, 1], offset: 17>>, vector<4xi1>, vector<4xf32>
      return %2 : vector<4xf32>`,
    after: `
      %c2 = arith.constant 2 : index
      %c6 = arith.constant 6 : index
      %cst = arith.constant dense<[true, false, true, true]> : vector<4xi1>
      %c4 = arith.constant 4 : index
      %c3 = arith.constant 3 : index
      %0 = vector.load %arg0[%c4, %c3] : memref<8x8xf32>, vector<4xf32>
      vector.store %0, %arg0[%c6, %c2] : memref<8x8xf32>, vector<4xf32>
      %1 = vector.maskedload %arg0[%c4, %c2], %cst, %0 : memref<8x8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
      vector.maskedstore %arg0[%c4, %c2], %cst, %0 : memref<8x8xf32>, vector<4xi1>, vector<4xf32>
      return %1 : vector<4xf32>`,
  },
  {
    name: 'a vector of rows that do not follow each other',
    arguments: '%m: memref<6x8xf32>',
    results: 'vector<2x4xf32>',
    before: `
      %c0 = arith.constant 0 : index
      %0 = memref.subview %m[0, 1] [3, 7] [2, 1] : memref<6x8xf32> to memref<3x7xf32, strided<[16, 1], offset: 1>>
      %1 = vector.load %0[%c0, %c0] : memref<3x7xf32, strided<[16, 1], offset: 1>>, vector<2x4xf32>
      return %1 : vector<2x4xf32>`,
    after: `
      %c0 = arith.constant 0 : index
      %subview = memref.subview %arg0[0, 1] [3, 7] [2, 1] : memref<6x8xf32> to memref<3x7xf32, strided<[16, 1], offset: 1>>
      %0 = vector.load %subview[%c0, %c0] : memref<3x7xf32, strided<[16, 1], offset: 1>>, vector<2x4xf32>
      return %0 : vector<2x4xf32>`,
  },
  {
    name: 'vectors in an expanded buffer, and in one that is collapsed to rows',
    arguments: '%m: memref<24xf32>, %n: memref<1x32xf32>, %i: index',
    before: `
      %c0 = arith.constant 0 : index
      %0 = memref.expand_shape %m [[0, 1]] output_shape [3, 8] : memref<24xf32> into memref<3x8xf32>
      %1 = memref.collapse_shape %n [[0, 1]] : memref<1x32xf32> into memref<32xf32>
      %2 = vector.load %0[%i, %c0] : memref<3x8xf32>, vector<8xf32>
      vector.store %2, %1[%i] : memref<32xf32>, vector<8xf32>
      return`,
    after: `
      %0 = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%arg2]
      %1 = vector.load %arg0[%0] : memref<24xf32>, vector<8xf32>
      %2 = affine.apply affine_map<()[s0] -> (s0 floordiv 32)>()[%arg2]
      %3 = affine.apply affine_map<()[s0] -> (s0 mod 32)>()[%arg2]
      vector.store %1, %arg1[%2, %3] : memref<1x32xf32>, vector<8xf32>
      return`,
    isNotExecuted: true,
  },
  {
    name: 'not vectors that continue in the next row of a collapsed buffer',
    arguments: '%m: memref<4x6xf32>',
    results: '(vector<8xf32>)',
    before: `
      %c2 = arith.constant 2 : index
      %c10 = arith.constant 10 : index
      %0 = memref.collapse_shape %m [[0, 1]] : memref<4x6xf32> into memref<24xf32>
      %1 = vector.load %0[%c2] : memref<24xf32>, vector<8xf32>
      vector.store %1, %0[%c10] : memref<24xf32>, vector<8xf32>
      return %1 : vector<8xf32>`,
    after: `
      %c2 = arith.constant 2 : index
      %c10 = arith.constant 10 : index
      %collapse_shape = memref.collapse_shape %arg0 [[0, 1]] : memref<4x6xf32> into memref<24xf32>
      %0 = vector.load %collapse_shape[%c2] : memref<24xf32>, vector<8xf32>
      vector.store %0, %collapse_shape[%c10] : memref<24xf32>, vector<8xf32>
      return %0 : vector<8xf32>`,
  },
  {
    name: 'transfers in a slice that lacks dimensions, in bounds',
    arguments: '%m: memref<2x5x2x6xf32>',
    results: '(vector<3x3xf32>, vector<6xf32>)',
    before: `
      %c1 = arith.constant 1 : index
      %x = arith.constant 0.0 : f32
      %0 = memref.subview %m[1, 1, 0, 0] [1, 4, 1, 6] [1, 1, 1, 1] : memref<2x5x2x6xf32> to memref<4x6xf32, strided<[12, 1], offset: 72>>
      %1 = vector.transfer_read %0[%c1, %c1], %x {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<4x6xf32, strided<[12, 1], offset: 72>>, vector<3x3xf32>
      %2 = vector.transfer_read %0[%c1, %c1], %x : memref<4x6xf32, strided<[12, 1], offset: 72>>, vector<6xf32>
      vector.transfer_write %1, %0[%c1, %c1] {in_bounds = [true, true]} : vector<3x3xf32>, memref<4x6xf32, strided<[12, 1], offset: 72>>
      return %1, %2 : vector<3x3xf32>, vector<6xf32>`,
    after: `
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c1 = arith.constant 1 : index
      %cst = arith.constant 0.000000e+00 : f32
      %subview = memref.subview %arg0[1, 1, 0, 0] [1, 4, 1, 6] [1, 1, 1, 1] : memref<2x5x2x6xf32> to memref<4x6xf32, strided<[12, 1], offset: 72>>
      %0 = vector.transfer_read %arg0[%c1, %c2, %c0, %c1], %cst {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2, d3) -> (d3, d1)>} : memref<2x5x2x6xf32>, vector<3x3xf32>
      %1 = vector.transfer_read %subview[%c1, %c1], %cst : memref<4x6xf32, strided<[12, 1], offset: 72>>, vector<6xf32>
      vector.transfer_write %0, %arg0[%c1, %c2, %c0, %c1] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2, d3) -> (d1, d3)>} : vector<3x3xf32>, memref<2x5x2x6xf32>
      return %0, %1 : vector<3x3xf32>, vector<6xf32>`,
  },
  {
    name: 'a subview that is read under a mask',
    arguments: '%m: memref<8xf32>, %i: index, %k: vector<2xi1>',
    results: 'vector<2xf32>',
    before: `
      %c1 = arith.constant 1 : index
      %z = arith.constant 0.0 : f32
      %0 = memref.subview %m[%i] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
      %1 = vector.mask %k { vector.transfer_read %0[%c1], %z {in_bounds = [true]} : memref<4xf32, strided<[1], offset: ?>>, vector<2xf32> } : vector<2xi1> -> vector<2xf32>
      return %1 : vector<2xf32>`,
    after: `
      %cst = arith.constant 0.000000e+00 : f32
      %0 = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%arg1]
      %1 = vector.mask %arg2 { vector.transfer_read %arg0[%0], %cst {in_bounds = [true]} : memref<8xf32>, vector<2xf32> } : vector<2xi1> -> vector<2xf32>
      return %1 : vector<2xf32>`,
  },
];

testRows('views', foldMemrefAliasOps(), rows);
