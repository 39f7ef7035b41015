import { expect, it } from 'vitest';
import { memref, tensor } from '../src/index.ts';
import { failure, run } from './run.ts';

it('a tensor keeps the elements that the buffer had', () => {
  const text = `func.func @f(%m: memref<2xf32>, %x: f32) -> (tensor<2xf32>, f32) {
    %c0 = arith.constant 0 : index
    %t = bufferization.to_tensor %m restrict writable : memref<2xf32>
    memref.store %x, %m[%c0] : memref<2xf32>
    %n = bufferization.to_memref %t : memref<2xf32>
    %0 = memref.load %n[%c0] : memref<2xf32>
    return %t, %0 : tensor<2xf32>, f32
  }`;
  const data = new Float32Array([1, 2]);
  expect(run(text, [memref([2], data), 9])).toEqual([[[2], [1, 2]], 1]);
  expect(data[0]).toBe(9);
});

it('alloc_tensor is undefined, or a copy', () => {
  const text = `func.func @f(%t: tensor<2xf32>, %n: index) -> (tensor<?xf32>, tensor<2xf32>) {
    %0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
    %1 = bufferization.alloc_tensor() copy(%t) : tensor<2xf32>
    return %0, %1 : tensor<?xf32>, tensor<2xf32>
  }`;
  expect(run(text, [tensor([2], new Float32Array([1, 2])), 1])).toEqual([
    [[1], [NaN]],
    [[2], [1, 2]],
  ]);
});

it('materialize_in_destination gives the source, and writes a buffer', () => {
  const text = `func.func @f(%t: tensor<2xf32>, %d: tensor<2xf32>, %m: memref<2xf32>) -> tensor<2xf32> {
    %0 = bufferization.materialize_in_destination %t in %d : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    bufferization.materialize_in_destination %t in restrict writable %m : (tensor<2xf32>, memref<2xf32>) -> ()
    return %0 : tensor<2xf32>
  }`;
  const data = new Float32Array(2);
  const values = [tensor([2], new Float32Array([1, 2])), tensor([2], new Float32Array(2)), memref([2], data)];
  expect(run(text, values)).toEqual([[[2], [1, 2]]]);
  expect([...data]).toEqual([1, 2]);
});

it('materialize_in_destination into a tensor of another shape is an error', () => {
  const text = `func.func @f(%t: tensor<?xf32>, %d: tensor<?xf32>) -> tensor<?xf32> {
    %0 = bufferization.materialize_in_destination %t in %d : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }`;
  const values = [tensor([2], new Float32Array(2)), tensor([3], new Float32Array(3))];
  expect(failure(text, values)).toMatchObject({
    code: 'interpreter/shape-mismatch',
    message: "'bufferization.materialize_in_destination' puts 2 into 3",
  });
});

it('a buffer is laid out as its type says', () => {
  const text = (
    layout: string,
  ) => `func.func @f(%t: tensor<2x2xf32>) -> (memref<2x2xf32, strided<${layout}>>, f32) {
    %n = bufferization.to_memref %t : memref<2x2xf32, strided<${layout}>>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = memref.load %n[%c0, %c1] : memref<2x2xf32, strided<${layout}>>
    return %n, %0 : memref<2x2xf32, strided<${layout}>>, f32
  }`;
  const values = [tensor([2, 2], Float32Array.of(1, 2, 3, 4))];
  expect(run(text('[1, 2]'), values)).toMatchObject([{ offset: 0, strides: [1, 2] }, 2]);
  expect(run(text('[8, 1], offset: 9'), values)).toMatchObject([{ offset: 9, strides: [8, 1] }, 2]);
  expect(failure(text('[-2, 1], offset: 2'), values).code).toBe('interpreter/shape-mismatch');
});

it('the size hint of alloc_tensor is no size', () => {
  const text = `func.func @f(%n: index, %h: index) -> index {
    %c = arith.constant 0 : index
    %0 = bufferization.alloc_tensor(%n) size_hint=%h : tensor<?xf32>
    %1 = tensor.dim %0, %c : tensor<?xf32>
    return %1 : index
  }`;
  expect(run(text, [3, 9])).toEqual([3]);
});
