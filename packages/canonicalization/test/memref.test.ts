/** Canonicalization of buffers. */
import { canonicalize } from '../src/index.ts';
import type { Row } from './support/table.ts';
import { testRows } from './support/table.ts';

const rows: readonly Row[] = [
  {
    name: 'an allocation of a constant size',
    arguments: '',
    results: 'memref<?xf32>',
    before: `
      %c4 = arith.constant 4 : index
      %0 = memref.alloc(%c4) : memref<?xf32>
      return %0 : memref<?xf32>`,
    after: `
      %alloc = memref.alloc() : memref<4xf32>
      %cast = memref.cast %alloc : memref<4xf32> to memref<?xf32>
      return %cast : memref<?xf32>`,
    isNotExecuted: true,
  },
  {
    name: 'an allocation that is only written',
    arguments: '%x: f32, %i: index',
    before: `
      %0 = memref.alloc() : memref<4xf32>
      memref.store %x, %0[%i] : memref<4xf32>
      memref.dealloc %0 : memref<4xf32>
      return`,
    after: `
      return`,
  },
  {
    name: 'accesses look through casts',
    arguments: '%m: memref<4xf32>, %i: index',
    results: 'f32',
    before: `
      %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
      %1 = memref.load %0[%i] : memref<?xf32>
      return %1 : f32`,
    after: `
      %0 = memref.load %arg0[%arg1] : memref<4xf32>
      return %0 : f32`,
  },
  {
    name: 'the size of a view of lower rank',
    arguments: '%m: memref<?x?xf32>, %i: index, %n: index',
    results: 'index',
    before: `
      %c0 = arith.constant 0 : index
      %0 = memref.subview %m[%i, 0] [1, %n] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
      %1 = memref.dim %0, %c0 : memref<?xf32, strided<[1], offset: ?>>
      return %1 : index`,
    after: `
      return %arg2 : index`,
    isNotExecuted: true,
  },
  {
    name: 'a view by constants',
    arguments: '%m: memref<8x8xf32>',
    results: 'memref<?x8xf32, strided<[8, 1], offset: ?>>',
    before: `
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %0 = memref.subview %m[%c1, 0] [%c4, 8] [1, 1] : memref<8x8xf32> to memref<?x8xf32, strided<[8, 1], offset: ?>>
      return %0 : memref<?x8xf32, strided<[8, 1], offset: ?>>`,
    after: `
      %subview = memref.subview %arg0[1, 0] [4, 8] [1, 1] : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1], offset: 8>>
      %cast = memref.cast %subview : memref<4x8xf32, strided<[8, 1], offset: 8>> to memref<?x8xf32, strided<[8, 1], offset: ?>>
      return %cast : memref<?x8xf32, strided<[8, 1], offset: ?>>`,
  },
  {
    name: 'a copy to itself',
    arguments: '%m: memref<4xf32>',
    before: `
      memref.copy %m, %m : memref<4xf32> to memref<4xf32>
      return`,
    after: `
      return`,
  },
  {
    name: 'transposed twice',
    arguments: '%m: memref<2x3x4xf32>',
    results: 'memref<2x3x4xf32>',
    before: `
      %0 = memref.transpose %m (a, b, c) -> (b, c, a) : memref<2x3x4xf32> to memref<3x4x2xf32, strided<[4, 1, 12]>>
      %1 = memref.transpose %0 (a, b, c) -> (c, a, b) : memref<3x4x2xf32, strided<[4, 1, 12]>> to memref<2x3x4xf32>
      return %1 : memref<2x3x4xf32>`,
    after: `
      return %arg0 : memref<2x3x4xf32>`,
  },
];

testRows('memref', canonicalize(), rows);
