/** What expand-strided-metadata makes of views. */
import { expandStridedMetadata } from '../src/index.ts';
import type { Row } from './support/table.ts';
import { testRows } from './support/table.ts';

const rows: readonly Row[] = [
  {
    name: 'a subview',
    arguments: '%m: memref<8x8xf32>',
    results: 'f32',
    before: `
      %0 = memref.subview %m[2, 3] [4, 2] [2, 1] : memref<8x8xf32> to memref<4x2xf32, strided<[16, 1], offset: 19>>
      %c1 = arith.constant 1 : index
      %1 = memref.load %0[%c1, %c1] : memref<4x2xf32, strided<[16, 1], offset: 19>>
      return %1 : f32`,
    after: `
      %c1 = arith.constant 1 : index
      %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<8x8xf32> -> memref<f32>, index, index, index, index, index
      %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [19], sizes: [4, 2], strides: [16, 1] : memref<f32> to memref<4x2xf32, strided<[16, 1], offset: 19>>
      %0 = memref.load %reinterpret_cast[%c1, %c1] : memref<4x2xf32, strided<[16, 1], offset: 19>>
      return %0 : f32`,
    isNotExecuted: true,
  },
  {
    name: 'an expanded buffer of a dynamic size',
    arguments: '%m: memref<?xf32>, %n: index',
    results: 'f32',
    before: `
      %0 = memref.expand_shape %m [[0, 1]] output_shape [%n, 2] : memref<?xf32> into memref<?x2xf32>
      %c1 = arith.constant 1 : index
      %1 = memref.load %0[%c1, %c1] : memref<?x2xf32>
      return %1 : f32`,
    after: `
      %c1 = arith.constant 1 : index
      %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<?xf32> -> memref<f32>, index, index, index
      %0 = affine.apply affine_map<()[s0] -> (s0 floordiv 2)>()[%sizes]
      %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [0], sizes: [%0, 2], strides: [2, 1] : memref<f32> to memref<?x2xf32>
      %1 = memref.load %reinterpret_cast[%c1, %c1] : memref<?x2xf32>
      return %1 : f32`,
    isNotExecuted: true,
  },
  {
    name: 'a collapsed buffer',
    arguments: '%m: memref<2x3xf32>',
    results: 'f32',
    before: `
      %0 = memref.collapse_shape %m [[0, 1]] : memref<2x3xf32> into memref<6xf32>
      %c4 = arith.constant 4 : index
      %1 = memref.load %0[%c4] : memref<6xf32>
      return %1 : f32`,
    after: `
      %c4 = arith.constant 4 : index
      %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<2x3xf32> -> memref<f32>, index, index, index, index, index
      %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [0], sizes: [6], strides: [1] : memref<f32> to memref<6xf32>
      %0 = memref.load %reinterpret_cast[%c4] : memref<6xf32>
      return %0 : f32`,
    isNotExecuted: true,
  },
];

testRows('metadata', expandStridedMetadata(), rows);
