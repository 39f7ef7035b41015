import { describe, expect, it } from 'vitest';
import { bufferized } from './support.ts';

describe('what operations become', () => {
  it.each([
    [
      'an element is stored, a size is asked of the buffer',
      `func.func @f(%t: tensor<?xf32>, %i: index, %x: f32) -> (tensor<?xf32>, index) {
  %0 = tensor.insert %x into %t[%i] : tensor<?xf32>
  %1 = tensor.dim %0, %i : tensor<?xf32>
  return %0, %1 : tensor<?xf32>, index
}`,
      `func.func @f(%arg0: memref<?xf32>, %arg1: index, %arg2: f32) -> index {
  memref.store %arg2, %arg0[%arg1] : memref<?xf32>
  %dim = memref.dim %arg0, %arg1 : memref<?xf32>
  return %dim : index
}`,
    ],
    [
      'a size and a rank are asked of a buffer whose content is gone, without a copy',
      `func.func @f(%t: tensor<4xf32>, %i: index, %x: f32) -> (tensor<4xf32>, index, index) {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.dim %t, %i : tensor<4xf32>
  %2 = tensor.rank %t : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, index, index
}`,
      `func.func @f(%arg0: memref<4xf32>, %arg1: index, %arg2: f32) -> (index, index) {
  linalg.fill ins(%arg2 : f32) outs(%arg0 : memref<4xf32>)
  %dim = memref.dim %arg0, %arg1 : memref<4xf32>
  %0 = memref.rank %arg0 : memref<4xf32>
  return %dim, %0 : index, index
}`,
    ],
  ])('%s', (_, before, after) => {
    const { text, diagnostics } = bufferized(before);
    expect(diagnostics).toBe('');
    expect(text).toBe(after);
  });
});
