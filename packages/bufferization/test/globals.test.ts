import { expect, it } from 'vitest';
import { computed } from './semantics.ts';
import { bufferized } from './support.ts';

it('makes one global of equal constants, and copies what is written or returned', () => {
  const { text } = bufferized(`func.func @f(%i: index, %x: f32) -> (f32, tensor<2xf32>, tensor<2xf32>) {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = tensor.extract %a[%i] : tensor<2xf32>
  %1 = tensor.insert %x into %b[%i] : tensor<2xf32>
  return %0, %1, %a : f32, tensor<2xf32>, tensor<2xf32>
}
memref.global "private" constant @__constant_2xf32 : memref<1xf32> = dense<0.0>`);
  expect(text).toMatchInlineSnapshot(`
    "memref.global "private" constant @__constant_2xf32_0 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}
    func.func @f(%arg0: index, %arg1: f32) -> (f32, memref<2xf32>, memref<2xf32>) {
      %0 = memref.get_global @__constant_2xf32_0 : memref<2xf32>
      %1 = memref.get_global @__constant_2xf32_0 : memref<2xf32>
      %2 = memref.load %0[%arg0] : memref<2xf32>
      %alloc = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
      memref.copy %1, %alloc : memref<2xf32> to memref<2xf32>
      memref.store %arg1, %alloc[%arg0] : memref<2xf32>
      %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
      memref.copy %0, %alloc_0 : memref<2xf32> to memref<2xf32>
      return %2, %alloc, %alloc_0 : f32, memref<2xf32>, memref<2xf32>
    }
    memref.global "private" constant @__constant_2xf32 : memref<1xf32> = dense<0.000000e+00>"
  `);
});

it('makes one global of constants that share their bytes', () => {
  const { text } = bufferized(`func.func @f(%i: index) -> (f32, f32, f32) {
  %a = arith.constant dense_resource<w> : tensor<2xf32>
  %b = arith.constant dense_resource<w> : tensor<2xf32>
  %c = arith.constant dense_resource<v> : tensor<2xf32>
  %0 = tensor.extract %a[%i] : tensor<2xf32>
  %1 = tensor.extract %b[%i] : tensor<2xf32>
  %2 = tensor.extract %c[%i] : tensor<2xf32>
  return %0, %1, %2 : f32, f32, f32
}`);
  expect(text.match(/memref.global.*/g)).toEqual(
    ['_0 : memref<2xf32> = dense_resource<v>', ' : memref<2xf32> = dense_resource<w>'].map(
      (rest) => `memref.global "private" constant @__constant_2xf32${rest} {alignment = 64 : i64}`,
    ),
  );
});

it('gives every content a name of its own', () => {
  const text = `func.func @f() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x1xf32>) {
    %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %b = arith.constant dense<[3.0, 4.0]> : tensor<2xf32>
    %c = arith.constant dense<5.0> : tensor<2xf32>
    %d = arith.constant dense<6.0> : tensor<2x1xf32>
    return %a, %b, %c, %d : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x1xf32>
  }`;
  const { onTensors, onBuffers } = computed(text);
  expect(onBuffers).toEqual(onTensors);
  const names = [...bufferized(text).text.matchAll(/memref.global .* @(\S+) :/g)].map(([, name]) => name);
  // The newest comes first.
  expect(names).toEqual([
    '__constant_2x1xf32',
    '__constant_2xf32_1',
    '__constant_2xf32_0',
    '__constant_2xf32',
  ]);
});

it.each([
  [0, ''],
  [128, ' {alignment = 128 : i64}'],
])('aligns to %d bytes', (bufferAlignment, attribute) => {
  const text = `func.func @f(%i: index) -> f32 {
    %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %0 = tensor.extract %a[%i] : tensor<2xf32>
    return %0 : f32
  }`;
  expect(bufferized(text, { bufferAlignment }).text.split('\n')[0]).toBe(
    `memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]>${attribute}`,
  );
});
