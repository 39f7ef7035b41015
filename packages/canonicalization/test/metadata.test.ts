/** expand-strided-metadata on views. */
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
    name: 'a buffer of which two sizes are not known after expanding',
    arguments: '%m: memref<?xf32>, %n: index, %k: index',
    results: '(f32, index)',
    before: `
      %0 = memref.expand_shape %m [[0, 1, 2]] output_shape [%n, %k, 2] : memref<?xf32> into memref<?x?x2xf32>
      %c1 = arith.constant 1 : index
      %1 = memref.load %0[%c1, %c1, %c1] : memref<?x?x2xf32>
      %2 = memref.dim %0, %c1 : memref<?x?x2xf32>
      return %1, %2 : f32, index`,
    after: `
      %c1 = arith.constant 1 : index
      %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<?xf32> -> memref<f32>, index, index, index
      %0 = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%arg2]
      %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [0], sizes: [%arg1, %arg2, 2], strides: [%0, 2, 1] : memref<f32> to memref<?x?x2xf32>
      %1 = memref.load %reinterpret_cast[%c1, %c1, %c1] : memref<?x?x2xf32>
      return %1, %arg2 : f32, index`,
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
  {
    name: 'a collapsed buffer with strides that are not known',
    arguments: '%m: memref<2x3x1x1xf32, strided<[?, ?, ?, 4], offset: ?>>, %n: memref<?x?x6xf32>',
    results: '(memref<6x1xf32, strided<[?, ?], offset: ?>>, memref<?x6xf32>)',
    before: `
      %0 = memref.collapse_shape %m [[0, 1], [2, 3]] : memref<2x3x1x1xf32, strided<[?, ?, ?, 4], offset: ?>> into memref<6x1xf32, strided<[?, ?], offset: ?>>
      %1 = memref.collapse_shape %n [[0, 1], [2]] : memref<?x?x6xf32> into memref<?x6xf32>
      return %0, %1 : memref<6x1xf32, strided<[?, ?], offset: ?>>, memref<?x6xf32>`,
    after: `
      %base_buffer, %offset, %sizes:4, %strides:4 = memref.extract_strided_metadata %arg0 : memref<2x3x1x1xf32, strided<[?, ?, ?, 4], offset: ?>> -> memref<f32>, index, index, index, index, index, index, index, index, index
      %0 = affine.min affine_map<()[s0, s1] -> (s0, s1)>()[%strides#0, %strides#1]
      %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%offset], sizes: [6, 1], strides: [%0, %strides#2] : memref<f32> to memref<6x1xf32, strided<[?, ?], offset: ?>>
      %base_buffer_0, %offset_1, %sizes_2:3, %strides_3:3 = memref.extract_strided_metadata %arg1 : memref<?x?x6xf32> -> memref<f32>, index, index, index, index, index, index, index
      %1 = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%sizes_2#0, %sizes_2#1]
      %2 = affine.min affine_map<()[s0] -> (s0, 6)>()[%strides_3#0]
      %reinterpret_cast_4 = memref.reinterpret_cast %base_buffer_0 to offset: [0], sizes: [%1, 6], strides: [%2, 1] : memref<f32> to memref<?x6xf32>
      return %reinterpret_cast, %reinterpret_cast_4 : memref<6x1xf32, strided<[?, ?], offset: ?>>, memref<?x6xf32>`,
    isNotExecuted: true,
  },
];

testRows('metadata', expandStridedMetadata(), rows);
