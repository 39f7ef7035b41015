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
    [
      'a buffer that is done with is freed',
      `func.func @f(%x: f32, %n: index) -> f32 {
  %0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %2 = tensor.extract %1[%n] : tensor<?xf32>
  bufferization.dealloc_tensor %1 : tensor<?xf32>
  return %2 : f32
}`,
      `func.func @f(%arg0: f32, %arg1: index) -> f32 {
  %alloc = memref.alloc(%arg1) {alignment = 64 : i64} : memref<?xf32>
  linalg.fill ins(%arg0 : f32) outs(%alloc : memref<?xf32>)
  %0 = memref.load %alloc[%arg1] : memref<?xf32>
  memref.dealloc %alloc : memref<?xf32>
  return %0 : f32
}`,
    ],
    [
      'a buffer that is only read is handed out as it is, one that may be written is a copy',
      `func.func @f(%t: tensor<4xf32>) -> (memref<4xf32>, memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>, tensor<4xf32>) {
  %0 = bufferization.to_memref %t read_only : memref<4xf32>
  %1 = bufferization.to_memref %t read_only : memref<4xf32, strided<[?], offset: ?>>
  %2 = bufferization.to_memref %t : memref<4xf32>
  return %0, %1, %2, %t : memref<4xf32>, memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>, tensor<4xf32>
}`,
      `func.func @f(%arg0: memref<4xf32>) -> (memref<4xf32>, memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>) {
  %cast = memref.cast %arg0 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  memref.copy %arg0, %alloc : memref<4xf32> to memref<4xf32>
  return %arg0, %cast, %alloc : memref<4xf32>, memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>
}`,
    ],
    [
      'a part that has to be contiguous is brought together',
      `func.func @f(%t: tensor<4x2xf32>) -> memref<4xf32> {
  %0 = tensor.extract_slice %t[0, 1] [4, 1] [1, 1] : tensor<4x2xf32> to tensor<4xf32>
  %1 = bufferization.to_memref %0 read_only : memref<4xf32>
  return %1 : memref<4xf32>
}`,
      `func.func @f(%arg0: memref<4x2xf32>) -> memref<4xf32> {
  %subview = memref.subview %arg0[0, 1] [4, 1] [1, 1] : memref<4x2xf32> to memref<4xf32, strided<[2], offset: 1>>
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  memref.copy %subview, %alloc : memref<4xf32, strided<[2], offset: 1>> to memref<4xf32>
  return %alloc : memref<4xf32>
}`,
    ],
    [
      'a tensor is put into the buffer of another',
      `func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = bufferization.materialize_in_destination %t in %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %1, %t : tensor<4xf32>, tensor<4xf32>
}`,
      `func.func @f(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: f32) {
  memref.copy %arg0, %arg1 : memref<4xf32> to memref<4xf32>
  linalg.fill ins(%arg2 : f32) outs(%arg1 : memref<4xf32>)
  return
}`,
    ],
    [
      'a buffer that may not be written is not',
      `func.func @f(%m: memref<4xf32>, %x: f32) -> tensor<4xf32> {
  %0 = bufferization.to_tensor %m restrict : memref<4xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}`,
      `func.func @f(%arg0: memref<4xf32>, %arg1: f32) -> memref<4xf32> {
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  linalg.fill ins(%arg1 : f32) outs(%alloc : memref<4xf32>)
  return %alloc : memref<4xf32>
}`,
    ],
  ])('%s', (_, before, after) => {
    const { text, diagnostics } = bufferized(before);
    expect(diagnostics).toBe('');
    expect(text).toBe(after);
  });
});
