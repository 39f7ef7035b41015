import { describe, expect, it } from 'vitest';
import { bufferized } from './support.ts';

const read = '%v = vector.transfer_read %t[%i], %z : tensor<4xf32>, vector<4xf32>';

describe('transfers between vectors and tensors', () => {
  it('read and write buffers', () => {
    const { text, diagnostics } =
      bufferized(`func.func @f(%t: tensor<4xf32>, %i: index, %z: f32, %m: vector<4xi1>) -> tensor<4xf32> {
  ${read}
  %0 = vector.transfer_write %v, %t[%i], %m : vector<4xf32>, tensor<4xf32>
  return %0 : tensor<4xf32>
}`);
    expect(diagnostics).toBe('');
    expect(text).toBe(`func.func @f(%arg0: memref<4xf32>, %arg1: index, %arg2: f32, %arg3: vector<4xi1>) {
  %0 = vector.transfer_read %arg0[%arg1], %arg2 : memref<4xf32>, vector<4xf32>
  vector.transfer_write %0, %arg0[%arg1], %arg3 : vector<4xf32>, memref<4xf32>
  return
}`);
  });

  it('copy what is still read', () => {
    const { copies, allocations, diagnostics } =
      bufferized(`func.func @f(%t: tensor<4xf32>, %x: vector<4xf32>, %i: index, %z: f32) -> (tensor<4xf32>, vector<4xf32>) {
  %0 = vector.transfer_write %x, %t[%i] : vector<4xf32>, tensor<4xf32>
  ${read}
  return %0, %v : tensor<4xf32>, vector<4xf32>
}`);
    expect({ copies, allocations, diagnostics }).toEqual({ copies: 1, allocations: 1, diagnostics: '' });
  });

  it('keep nothing of what they overwrite as a whole', () => {
    const { copies, allocations, diagnostics } =
      bufferized(`func.func @f(%t: tensor<4xf32>, %x: vector<4xf32>, %z: f32) -> (tensor<4xf32>, vector<4xf32>) {
  %i = arith.constant 0 : index
  %0 = vector.transfer_write %x, %t[%i] : vector<4xf32>, tensor<4xf32>
  ${read}
  return %0, %v : tensor<4xf32>, vector<4xf32>
}`);
    expect({ copies, allocations, diagnostics }).toEqual({ copies: 0, allocations: 1, diagnostics: '' });
  });
});
