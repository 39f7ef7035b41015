import { describe, expect, it } from 'vitest';
import { errorsOf, inFunction, reprint } from './support.ts';

const values = '%arg0: tensor<4xf32>, %arg1: memref<4xf32>, %arg2: index, %arg3: i1, %arg4: tensor<?xf32>';

describe('text', () => {
  it.each([
    '%0 = bufferization.to_memref %arg0 : memref<4xf32, strided<[1], offset: ?>>',
    '%0 = bufferization.to_memref %arg0 read_only : memref<4xf32>',
    '%0 = bufferization.to_tensor %arg1 restrict writable : memref<4xf32>',
    '%0 = bufferization.alloc_tensor(%arg2) : tensor<?xf32>',
    '%0 = bufferization.alloc_tensor() copy(%arg0) size_hint=%arg2 {memory_space = 1 : i64} : tensor<4xf32>',
    'bufferization.materialize_in_destination %arg0 in restrict writable %arg1 : (tensor<4xf32>, memref<4xf32>) -> ()',
    '%0 = bufferization.materialize_in_destination %arg0 in %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>',
    'bufferization.dealloc_tensor %arg0 : tensor<4xf32>',
    '%0 = bufferization.clone %arg1 : memref<4xf32> to memref<4xf32>',
    '%0 = bufferization.dealloc (%arg1 : memref<4xf32>) if (%arg3) retain (%arg1 : memref<4xf32>)',
  ])('%s', (line) => {
    const text = inFunction(values, line);
    expect(reprint(text)).toBe(text);
  });
});

describe('verifier', () => {
  it.each([
    ['%0 = bufferization.alloc_tensor() : tensor<?xf32>', 'expected 1 dynamic sizes'],
    [
      '%0 = bufferization.alloc_tensor(%arg2) copy(%arg4) : tensor<?xf32>',
      'dynamic sizes not needed when copying a tensor',
    ],
    [
      '"bufferization.to_memref"(%arg4) : (tensor<?xf32>) -> memref<4xf32>',
      "type of 'tensor' is the tensor equivalent of 'memref'",
    ],
  ])('%s', (line, message) => {
    expect(errorsOf(inFunction(values, line)).join('\n')).toContain(message);
  });
});
