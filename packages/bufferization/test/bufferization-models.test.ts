import { describe, expect, it } from 'vitest';
import { bufferized } from './support.ts';

describe('what operations become', () => {
  it.each([
    [
      'buffers that the program names are used as they are',
      `func.func @f(%m: memref<4xf32>, %x: f32) {
  %0 = bufferization.to_tensor %m restrict writable : memref<4xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %1 in writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}`,
      `func.func @f(%arg0: memref<4xf32>, %arg1: f32) {
  linalg.fill ins(%arg1 : f32) outs(%arg0 : memref<4xf32>)
  return
}`,
    ],
    [
      'alloc_tensor copies, to_memref hands out the buffer',
      `func.func @f(%t: tensor<4xf32>, %x: f32) -> (memref<4xf32>, tensor<4xf32>) {
  %0 = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
  %1 = bufferization.to_memref %0 : memref<4xf32>
  return %1, %t : memref<4xf32>, tensor<4xf32>
}`,
      `func.func @f(%arg0: memref<4xf32>, %arg1: f32) -> memref<4xf32> {
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  memref.copy %arg0, %alloc : memref<4xf32> to memref<4xf32>
  return %alloc : memref<4xf32>
}`,
    ],
  ])('%s', (_, before, after) => {
    const { text, diagnostics } = bufferized(before);
    expect(diagnostics).toBe('');
    expect(text).toBe(after);
  });
});
