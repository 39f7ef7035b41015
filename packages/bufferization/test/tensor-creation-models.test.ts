import { describe, expect, it } from 'vitest';
import { computed } from './semantics.ts';
import { bufferized } from './support.ts';

describe('what operations become', () => {
  it.each([
    [
      'a tensor of undefined content is an allocation',
      `func.func @f(%n: index, %x: f32) -> tensor<?x4xf32> {
  %0 = tensor.empty(%n) : tensor<?x4xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}`,
      `func.func @f(%arg0: index, %arg1: f32) -> memref<?x4xf32> {
  %alloc = memref.alloc(%arg0) {alignment = 64 : i64} : memref<?x4xf32>
  linalg.fill ins(%arg1 : f32) outs(%alloc : memref<?x4xf32>)
  return %alloc : memref<?x4xf32>
}`,
    ],
    [
      'elements given one by one are stored, a splat fills',
      `func.func @f(%x: f32, %y: f32) -> (tensor<1x2xf32>, tensor<4xf32>) {
  %0 = tensor.from_elements %x, %y : tensor<1x2xf32>
  %1 = tensor.splat %x : tensor<4xf32>
  return %0, %1 : tensor<1x2xf32>, tensor<4xf32>
}`,
      `func.func @f(%arg0: f32, %arg1: f32) -> (memref<1x2xf32>, memref<4xf32>) {
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<1x2xf32>
  memref.store %arg0, %alloc[%c0, %c0] : memref<1x2xf32>
  memref.store %arg1, %alloc[%c0, %c1] : memref<1x2xf32>
  %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  linalg.fill ins(%arg0 : f32) outs(%alloc_0 : memref<4xf32>)
  return %alloc, %alloc_0 : memref<1x2xf32>, memref<4xf32>
}`,
    ],
    [
      'a computed tensor and a margin are structured operations',
      `func.func @f(%t: tensor<3xf32>, %x: f32) -> tensor<6xf32> {
  %0 = tensor.pad %t low[1] high[2] {
  ^bb0(%i: index):
    %e = tensor.extract %t[%i] : tensor<3xf32>
    tensor.yield %e : f32
  } : tensor<3xf32> to tensor<6xf32>
  return %0 : tensor<6xf32>
}`,
      `func.func @f(%arg0: memref<3xf32>, %arg1: f32) -> memref<6xf32> {
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<6xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%alloc : memref<6xf32>) {
  ^bb0(%out: f32):
    %0 = linalg.index 0 : index
    %1 = memref.load %arg0[%0] : memref<3xf32>
    linalg.yield %1 : f32
  }
  %subview = memref.subview %alloc[1] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: 1>>
  memref.copy %arg0, %subview : memref<3xf32> to memref<3xf32, strided<[1], offset: 1>>
  return %alloc : memref<6xf32>
}`,
    ],
  ])('%s', (_, before, after) => {
    const { text, diagnostics } = bufferized(before);
    expect(diagnostics).toBe('');
    expect(text).toBe(after);
  });
});

it.each([
  [0, 0],
  [1, 2],
  [3, 0],
])('a margin of %d before and %d behind, which are not known, is computed', (low, high) => {
  const text = `func.func @f(%t: tensor<4xf32>, %l: index, %h: index) -> (tensor<?xf32>, tensor<4xf32>) {
  %x = arith.constant 7.0 : f32
  %s = tensor.extract_slice %t[0] [%l] [1] : tensor<4xf32> to tensor<?xf32>
  %0 = tensor.pad %s low[%l] high[%h] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0, %t : tensor<?xf32>, tensor<4xf32>
}`;
  const { onTensors, onBuffers } = computed(text, [low, high]);
  expect(onBuffers).toEqual(onTensors);
});
