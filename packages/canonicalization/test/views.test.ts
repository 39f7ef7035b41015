/** What fold-memref-alias-ops makes of accesses to views. */
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
];

testRows('views', foldMemrefAliasOps(), rows);
