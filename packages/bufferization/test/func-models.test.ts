import { describe, expect, it } from 'vitest';
import { bufferized } from './support.ts';

describe('calls', () => {
  const callee = `func.func private @put(%t: tensor<4xf32>, %i: index, %x: f32) -> tensor<4xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
`;

  it('use the buffer that the callee changed', () => {
    const { text } = bufferized(`func.func @f(%t: tensor<4xf32>, %i: index, %x: f32) -> f32 {
  %0 = call @put(%t, %i, %x) : (tensor<4xf32>, index, f32) -> tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}
${callee}`);
    expect(text).toContain('call @put(%arg0, %arg1, %arg2) : (memref<4xf32>, index, f32) -> ()');
    expect(text).toContain('memref.load %arg0[%arg1]');
  });

  it('copy an operand that is read afterwards and that the callee writes', () => {
    const { text, copies } = bufferized(`${callee}func.func @f(%t: tensor<4xf32>, %i: index, %x: f32) -> f32 {
  %0 = call @put(%t, %i, %x) : (tensor<4xf32>, index, f32) -> tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %1 : f32
}`);
    expect(copies).toBe(1);
    expect(text).toContain('call @put(%alloc, %arg1, %arg2)');
    expect(text).toContain('memref.load %arg0[%arg1]');
  });

  it('bring a part into the layout of the boundary, and back', () => {
    const { text } =
      bufferized(`${callee}func.func @f(%t: tensor<8x2xf32>, %i: index, %x: f32) -> tensor<8x2xf32> {
  %0 = tensor.extract_slice %t[0, 1] [4, 1] [2, 1] : tensor<8x2xf32> to tensor<4xf32>
  %1 = call @put(%0, %i, %x) : (tensor<4xf32>, index, f32) -> tensor<4xf32>
  %2 = tensor.insert_slice %1 into %t[0, 1] [4, 1] [2, 1] : tensor<4xf32> into tensor<8x2xf32>
  return %2 : tensor<8x2xf32>
}`);
    expect(text.split('\n').slice(4)).toEqual([
      'func.func @f(%arg0: memref<8x2xf32>, %arg1: index, %arg2: f32) {',
      '  %subview = memref.subview %arg0[0, 1] [4, 1] [2, 1] : memref<8x2xf32> to memref<4xf32, strided<[4], offset: 1>>',
      '  %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>',
      '  memref.copy %subview, %alloc : memref<4xf32, strided<[4], offset: 1>> to memref<4xf32>',
      '  call @put(%alloc, %arg1, %arg2) : (memref<4xf32>, index, f32) -> ()',
      '  %subview_0 = memref.subview %arg0[0, 1] [4, 1] [2, 1] : memref<8x2xf32> to memref<4xf32, strided<[4], offset: 1>>',
      '  memref.copy %alloc, %subview_0 : memref<4xf32> to memref<4xf32, strided<[4], offset: 1>>',
      '  return',
      '}',
    ]);
  });

  it('assume that an unknown function reads, writes and returns everything', () => {
    const { copies } = bufferized(`func.func private @g(tensor<4xf32>) -> tensor<4xf32>
func.func @f(%t: tensor<4xf32>, %i: index) -> f32 {
  %0 = call @g(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %1 : f32
}`);
    expect(copies).toBe(1);
  });
});
