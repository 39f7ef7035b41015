/** Canonicalization of buffers. */
import { canonicalize } from '../src/index.ts';
import type { Row } from './support/table.ts';
import { testRows } from './support/table.ts';

const anyView = 'memref<4xf32, strided<[?], offset: ?>>';

const rows: readonly Row[] = [
  {
    name: 'a reinterpret_cast between equal types that may have other strides and another offset',
    arguments: '%m: memref<16xf32>, %c: i1',
    results: 'f32',
    before: `
      %c2 = arith.constant 2 : index
      %0 = memref.subview %m[5] [4] [3] : memref<16xf32> to memref<4xf32, strided<[3], offset: 5>>
      %1 = memref.cast %0 : memref<4xf32, strided<[3], offset: 5>> to ${anyView}
      %2 = memref.subview %m[2] [4] [2] : memref<16xf32> to memref<4xf32, strided<[2], offset: 2>>
      %3 = memref.cast %2 : memref<4xf32, strided<[2], offset: 2>> to ${anyView}
      %4 = arith.select %c, %1, %3 : ${anyView}
      %5 = memref.reinterpret_cast %4 to offset: [0], sizes: [4], strides: [1] : ${anyView} to ${anyView}
      %6 = memref.load %5[%c2] : ${anyView}
      return %6 : f32`,
    after: `
      %c2 = arith.constant 2 : index
      %subview = memref.subview %arg0[5] [4] [3] : memref<16xf32> to memref<4xf32, strided<[3], offset: 5>>
      %cast = memref.cast %subview : memref<4xf32, strided<[3], offset: 5>> to ${anyView}
      %subview_0 = memref.subview %arg0[2] [4] [2] : memref<16xf32> to memref<4xf32, strided<[2], offset: 2>>
      %cast_1 = memref.cast %subview_0 : memref<4xf32, strided<[2], offset: 2>> to ${anyView}
      %0 = arith.select %arg1, %cast, %cast_1 : ${anyView}
      %reinterpret_cast = memref.reinterpret_cast %0 to offset: [0], sizes: [4], strides: [1] : ${anyView} to ${anyView}
      %1 = memref.load %reinterpret_cast[%c2] : ${anyView}
      return %1 : f32`,
  },
  {
    name: 'a reinterpret_cast to the type, strides and offset that a buffer has',
    arguments: '%m: memref<4xf32, strided<[2], offset: 3>>',
    results: 'memref<4xf32, strided<[2], offset: 3>>',
    before: `
      %0 = memref.reinterpret_cast %m to offset: [3], sizes: [4], strides: [2] : memref<4xf32, strided<[2], offset: 3>> to memref<4xf32, strided<[2], offset: 3>>
      return %0 : memref<4xf32, strided<[2], offset: 3>>`,
    after: `
      return %arg0 : memref<4xf32, strided<[2], offset: 3>>`,
    isNotExecuted: true,
  },
  {
    name: 'a copy looks through casts that forget sizes',
    arguments: '%a: memref<4xf32>, %b: memref<4xf32>',
    before: `
      %0 = memref.cast %a : memref<4xf32> to memref<?xf32>
      memref.copy %0, %b : memref<?xf32> to memref<4xf32>
      return`,
    after: `
      memref.copy %arg0, %arg1 : memref<4xf32> to memref<4xf32>
      return`,
  },
  {
    name: 'casts that contradict each other stay',
    arguments: '%m: memref<4xf32>',
    results: 'memref<5xf32>',
    before: `
      %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
      %1 = memref.cast %0 : memref<?xf32> to memref<5xf32>
      return %1 : memref<5xf32>`,
    after: `
      %cast = memref.cast %arg0 : memref<4xf32> to memref<?xf32>
      %cast_0 = memref.cast %cast : memref<?xf32> to memref<5xf32>
      return %cast_0 : memref<5xf32>`,
    isNotExecuted: true,
  },
  {
    name: 'a cast of a cast, and one that forgets the rank',
    arguments: '%m: memref<4x?xf32>',
    results: '(memref<4x4xf32>, memref<*xf32>)',
    before: `
      %0 = memref.cast %m : memref<4x?xf32> to memref<?x?xf32>
      %1 = memref.cast %0 : memref<?x?xf32> to memref<4x4xf32>
      %2 = memref.cast %0 : memref<?x?xf32> to memref<*xf32>
      return %1, %2 : memref<4x4xf32>, memref<*xf32>`,
    after: `
      %cast = memref.cast %arg0 : memref<4x?xf32> to memref<4x4xf32>
      %cast_0 = memref.cast %arg0 : memref<4x?xf32> to memref<*xf32>
      return %cast, %cast_0 : memref<4x4xf32>, memref<*xf32>`,
    isNotExecuted: true,
  },
  {
    name: 'a scope that ends with the function, and one that allocates nothing',
    arguments: '%x: f32',
    results: 'memref<f32>',
    before: `
      %0 = memref.alloca_scope -> (memref<f32>) {
        %1 = memref.alloc() : memref<f32>
        memref.store %x, %1[] : memref<f32>
        memref.alloca_scope.return %1 : memref<f32>
      }
      memref.alloca_scope {
        %2 = memref.alloca() : memref<f32>
        memref.copy %0, %2 : memref<f32> to memref<f32>
      }
      return %0 : memref<f32>`,
    after: `
      %alloc = memref.alloc() : memref<f32>
      memref.store %arg0, %alloc[] : memref<f32>
      %alloca = memref.alloca() : memref<f32>
      memref.copy %alloc, %alloca : memref<f32> to memref<f32>
      return %alloc : memref<f32>`,
  },
  {
    name: 'an allocation of known size leaves a scope that ends with the function, one of computed size does not',
    arguments: '%c: i1, %x: memref<f32>, %n: index, %y: memref<?xf32>',
    before: `
      scf.if %c {
        %m = arith.addi %n, %n : index
        memref.alloca_scope {
          %0 = memref.alloca() : memref<f32>
          %1 = memref.alloca(%m) : memref<?xf32>
          memref.copy %x, %0 : memref<f32> to memref<f32>
          memref.copy %1, %y : memref<?xf32> to memref<?xf32>
        }
      }
      return`,
    after: `
      %alloca = memref.alloca() : memref<f32>
      scf.if %arg0 {
        %0 = arith.addi %arg2, %arg2 : index
        memref.alloca_scope  {
          %alloca_0 = memref.alloca(%0) : memref<?xf32>
          memref.copy %arg1, %alloca : memref<f32> to memref<f32>
          memref.copy %alloca_0, %arg3 : memref<?xf32> to memref<?xf32>
        }
      }
      return`,
    isNotExecuted: true,
  },
  {
    name: 'a scope before others stays',
    arguments: '%x: memref<f32>, %y: f32',
    before: `
      memref.alloca_scope {
        %0 = memref.alloca() : memref<f32>
        memref.copy %x, %0 : memref<f32> to memref<f32>
      }
      memref.store %y, %x[] : memref<f32>
      return`,
    after: `
      memref.alloca_scope  {
        %alloca = memref.alloca() : memref<f32>
        memref.copy %arg0, %alloca : memref<f32> to memref<f32>
      }
      memref.store %arg1, %arg0[] : memref<f32>
      return`,
    isNotExecuted: true,
  },
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
