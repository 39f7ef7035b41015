import { describe, expect, it } from 'vitest';
import { computed } from './semantics.ts';
import { bufferized } from './support.ts';

describe('what operations become', () => {
  it.each([
    [
      'a slice is a view',
      `func.func @f(%t: tensor<4x8xf32>, %i: index) -> f32 {
  %0 = tensor.extract_slice %t[%i, 2] [2, 3] [1, 2] : tensor<4x8xf32> to tensor<2x3xf32>
  %1 = tensor.extract %0[%i, %i] : tensor<2x3xf32>
  return %1 : f32
}`,
      `func.func @f(%arg0: memref<4x8xf32>, %arg1: index) -> f32 {
  %subview = memref.subview %arg0[%arg1, 2] [2, 3] [1, 2] : memref<4x8xf32> to memref<2x3xf32, strided<[8, 2], offset: ?>>
  %0 = memref.load %subview[%arg1, %arg1] : memref<2x3xf32, strided<[8, 2], offset: ?>>
  return %0 : f32
}`,
    ],
    [
      'a slice of lower rank keeps the strides of the dimensions that stay, and collapses',
      `func.func @f(%t: tensor<4x2x3x5xf32>, %i: index) -> f32 {
  %0 = tensor.extract_slice %t[%i, 0, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : tensor<4x2x3x5xf32> to tensor<2x3x5xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %2 = tensor.extract %1[%i, %i] : tensor<6x5xf32>
  return %2 : f32
}`,
      `func.func @f(%arg0: memref<4x2x3x5xf32>, %arg1: index) -> f32 {
  %subview = memref.subview %arg0[%arg1, 0, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : memref<4x2x3x5xf32> to memref<2x3x5xf32, strided<[15, 5, 1], offset: ?>>
  %collapse_shape = memref.collapse_shape %subview [[0, 1], [2]] : memref<2x3x5xf32, strided<[15, 5, 1], offset: ?>> into memref<6x5xf32, strided<[5, 1], offset: ?>>
  %0 = memref.load %collapse_shape[%arg1, %arg1] : memref<6x5xf32, strided<[5, 1], offset: ?>>
  return %0 : f32
}`,
    ],
    [
      'a slice whose rows are apart is brought together before it collapses',
      `func.func @f(%t: tensor<4x8xf32>, %i: index) -> f32 {
  %0 = tensor.extract_slice %t[0, 0] [4, 3] [1, 1] : tensor<4x8xf32> to tensor<4x3xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x3xf32> into tensor<12xf32>
  %2 = tensor.extract %1[%i] : tensor<12xf32>
  return %2 : f32
}`,
      `func.func @f(%arg0: memref<4x8xf32>, %arg1: index) -> f32 {
  %subview = memref.subview %arg0[0, 0] [4, 3] [1, 1] : memref<4x8xf32> to memref<4x3xf32, strided<[8, 1]>>
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<4x3xf32>
  memref.copy %subview, %alloc : memref<4x3xf32, strided<[8, 1]>> to memref<4x3xf32>
  %collapse_shape = memref.collapse_shape %alloc [[0, 1]] : memref<4x3xf32> into memref<12xf32>
  %0 = memref.load %collapse_shape[%arg1] : memref<12xf32>
  return %0 : f32
}`,
    ],
    [
      'reshaping back gives the buffer itself',
      `func.func @f(%t: tensor<2x3xf32>, %x: f32) -> tensor<2x3xf32> {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}`,
      `func.func @f(%arg0: memref<2x3xf32>, %arg1: f32) {
  %collapse_shape = memref.collapse_shape %arg0 [[0, 1]] : memref<2x3xf32> into memref<6xf32>
  linalg.fill ins(%arg1 : f32) outs(%collapse_shape : memref<6xf32>)
  return
}`,
    ],
  ])('%s', (_, before, after) => {
    const { text, diagnostics } = bufferized(before);
    expect(diagnostics).toBe('');
    expect(text).toBe(after);
  });
});

it.each(['sound', 'upstream'] as const)(
  'several sizes of an expanded dimension are handed on: %s',
  (decisions) => {
    const { text } = bufferized(
      `func.func @f(%t: tensor<?x?xf32>, %i: index, %n: index) -> f32 {
  %e = tensor.expand_shape %t [[0, 1, 2], [3, 4]] output_shape [%i, %n, 2, 3, %n] : tensor<?x?xf32> into tensor<?x?x2x3x?xf32>
  %x = tensor.extract %e[%i, %i, %i, %i, %i] : tensor<?x?x2x3x?xf32>
  return %x : f32
}`,
      { decisions },
    );
    expect(text).toMatch(/output_shape \[%arg1, %arg2, 2, 3, %\w+\]/);
  },
);

describe('insertion of a part', () => {
  const insertion = (shape: string, part: string, slice: string): string =>
    `func.func @f(%p: tensor<${part}xf32>, %t: tensor<${shape}xf32>) -> (tensor<${shape}xf32>, tensor<${shape}xf32>) {
      %0 = tensor.insert_slice %p into %t${slice} : tensor<${part}xf32> into tensor<${shape}xf32>
      return %0, %t : tensor<${shape}xf32>, tensor<${shape}xf32>
    }`;

  // The destination is copied with its contents unless it is fully overwritten; the slice is always copied into it.
  it.each([
    ['all', '4x6', '4x6', '[0, 0] [4, 6] [1, 1]', 1],
    ['fewer rows', '4x6', '3x6', '[0, 0] [3, 6] [1, 1]', 2],
    ['fewer columns', '4x6', '4x5', '[0, 0] [4, 5] [1, 1]', 2],
    ['not from the first row', '4x6', '2x6', '[1, 0] [2, 6] [1, 1]', 2],
    ['not from the first column', '4x6', '4x3', '[0, 2] [4, 3] [1, 1]', 2],
    ['every other row', '4x6', '2x6', '[0, 0] [2, 6] [2, 1]', 2],
    ['every other column', '4x6', '4x3', '[0, 0] [4, 3] [1, 2]', 2],
    ['a row as a vector', '4x6', '6', '[2, 0] [1, 6] [1, 1]', 2],
    ['one row that is all', '1x6', '6', '[0, 0] [1, 6] [1, 1]', 1],
  ])('%s', (_, shape, part, slice, copies) => {
    const text = insertion(shape, part, slice);
    const { onTensors, onBuffers } = computed(text);
    expect(onBuffers).toEqual(onTensors);
    expect(bufferized(text).copies).toBe(copies);
  });

  it.each([
    [0, 4],
    [1, 3],
    [0, 2],
    [3, 0],
  ])('from %d on, of size %d, which are not known', (offset, size) => {
    const text = `func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: index, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
      %p = tensor.extract_slice %u[0] [%n] [1] : tensor<4xf32> to tensor<?xf32>
      %0 = tensor.insert_slice %p into %t[%i] [%n] [1] : tensor<?xf32> into tensor<4xf32>
      return %0, %t : tensor<4xf32>, tensor<4xf32>
    }`;
    const { onTensors, onBuffers } = computed(text, [offset, size]);
    expect(onBuffers).toEqual(onTensors);
  });
});

describe('views compute what they did', () => {
  const row = 'tensor<6xf32>';
  const all = 'tensor<4x6xf32>';
  it.each([
    ['a slice is kept while its source is changed', `%s = tensor.extract_slice %t[1, 0] [1, 6] [1, 1] : ${all} to ${row}
      %0 = linalg.fill ins(%x : f32) outs(%t : ${all}) -> ${all}`, '%0', '%s', row],
    ['a slice is changed and its source kept', `%s = tensor.extract_slice %t[1, 0] [1, 6] [1, 1] : ${all} to ${row}
      %r = linalg.fill ins(%x : f32) outs(%s : ${row}) -> ${row}`, '%t', '%r', row],
    ['a slice is put back elsewhere', `%s = tensor.extract_slice %t[1, 0] [1, 6] [1, 1] : ${all} to ${row}
      %0 = tensor.insert_slice %s into %t[2, 0] [1, 6] [1, 1] : ${row} into ${all}`, '%0', '%s', row],
    ['a collapsed part with gaps is changed', `%s = tensor.extract_slice %t[0, 0] [4, 3] [1, 2] : ${all} to tensor<4x3xf32>
      %c = tensor.collapse_shape %s [[0, 1]] : tensor<4x3xf32> into tensor<12xf32>
      %r = tensor.insert %x into %c[%i] : tensor<12xf32>`, '%t', '%r', 'tensor<12xf32>'],
    ['an expanded part with gaps is changed', `%s = tensor.extract_slice %t[1, 0] [1, 3] [1, 2] : ${all} to tensor<3xf32>
      %c = tensor.expand_shape %s [[0, 1]] output_shape [3, 1] : tensor<3xf32> into tensor<3x1xf32>
      %r = linalg.fill ins(%x : f32) outs(%c : tensor<3x1xf32>) -> tensor<3x1xf32>`, '%t', '%r', 'tensor<3x1xf32>'],
    ['collapsed and expanded to another shape', `%c = tensor.collapse_shape %t [[0, 1]] : ${all} into tensor<24xf32>
      %e = tensor.expand_shape %c [[0, 1]] output_shape [6, 4] : tensor<24xf32> into tensor<6x4xf32>
      %r = tensor.insert %x into %e[%i, %i] : tensor<6x4xf32>`, '%t', '%r', 'tensor<6x4xf32>'],
    ['expanded with other groups than collapsed', `%e = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 2, 6] : ${all} into tensor<2x2x6xf32>
      %r = tensor.collapse_shape %e [[0], [1, 2]] : tensor<2x2x6xf32> into tensor<2x12xf32>`, '%t', '%r', 'tensor<2x12xf32>'],
    ['a cast is changed', `%c = tensor.cast %t : ${all} to tensor<?x6xf32>
      %0 = linalg.fill ins(%x : f32) outs(%c : tensor<?x6xf32>) -> tensor<?x6xf32>
      %r = tensor.cast %0 : tensor<?x6xf32> to ${all}`, '%t', '%r', all],
  ])('%s', (_, body, first, second, type) => {
    const text = `func.func @f(%t: ${all}, %i: index, %x: f32) -> (${all}, ${type}) {
      ${body}
      return ${first}, ${second} : ${all}, ${type}
    }`;
    const { onTensors, onBuffers } = computed(text, [1, 9]);
    expect(onBuffers).toEqual(onTensors);
  }); // prettier-ignore
});
