import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { parseModule } from '@sconv/ir';
import { bufferizeModule } from '../src/index.ts';
import { computed } from './semantics.ts';
import { bufferized, registry } from './support.ts';

const id1 = 'affine_map<(d0) -> (d0)>';

/** A generic over d0 with an input of `size` and one output. */
const overOne = (size: number, iterator: string, output: string, type: string, body: string): string => `
  func.func @f(%a: tensor<${size}xf32>, %o: tensor<${type}f32>) -> (tensor<${type}f32>, tensor<${type}f32>) {
    %0 = linalg.generic {indexing_maps = [${id1}, ${output}], iterator_types = ["${iterator}"]}
      ins(%a : tensor<${size}xf32>) outs(%o : tensor<${type}f32>) {
      ^bb0(%x: f32, %y: f32):
        ${body}
    } -> tensor<${type}f32>
    return %0, %o : tensor<${type}f32>, tensor<${type}f32>
  }`;

const takes = 'linalg.yield %x : f32';
const adds = '%s = arith.addf %x, %y : f32 linalg.yield %s : f32';

describe('an output that is read afterwards', () => {
  it.each([
    ['is written whole: not copied', overOne(4, 'parallel', id1, '4x', takes), 0],
    ['is read by the body', overOne(4, 'parallel', id1, '4x', adds), 1],
    ['keeps elements between', overOne(4, 'parallel', 'affine_map<(d0) -> (d0 * 2)>', '7x', takes), 1], // prettier-ignore
    ['is written by the last of several points', overOne(4, 'reduction', 'affine_map<(d0) -> ()>', '', takes), 0], // prettier-ignore
    ['keeps its value where a reduction has no points', overOne(0, 'reduction', 'affine_map<(d0) -> ()>', '', takes), 1], // prettier-ignore
    ['is empty as the loop is', overOne(0, 'parallel', id1, '0x', takes), 0],
  ])('%s', (_, text, copies) => {
    const { onTensors, onBuffers } = computed(text);
    expect(onBuffers).toEqual(onTensors);
    // The second result is copied only where the first is written into its buffer.
    expect(bufferized(text).copies).toBe(copies);
  });

  it('keeps its value where a reduction of unknown size may have no points', () => {
    const text = `func.func @f(%a: tensor<4xf32>, %o: tensor<f32>, %n: index) -> (tensor<f32>, tensor<f32>) {
      %p = tensor.extract_slice %a[0] [%n] [1] : tensor<4xf32> to tensor<?xf32>
      %0 = linalg.generic {indexing_maps = [${id1}, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
        ins(%p : tensor<?xf32>) outs(%o : tensor<f32>) {
        ^bb0(%x: f32, %y: f32):
          linalg.yield %x : f32
      } -> tensor<f32>
      return %0, %o : tensor<f32>, tensor<f32>
    }`;
    for (const n of [0, 1, 3]) {
      const { onTensors, onBuffers } = computed(text, [n]);
      expect(onBuffers).toEqual(onTensors);
    }
  });
});

describe('two outputs', () => {
  const two = (first: string, second: string): string => `
    func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %0:2 = linalg.generic {indexing_maps = [${id1}, ${id1}, ${id1}], iterator_types = ["parallel"]}
        ins(%a : tensor<4xf32>) outs(${first}, ${second} : tensor<4xf32>, tensor<4xf32>) {
        ^bb0(%x: f32, %y: f32, %z: f32):
          %s = arith.addf %x, %y : f32
          %t = arith.subf %z, %x : f32
          linalg.yield %s, %t : f32, f32
      } -> (tensor<4xf32>, tensor<4xf32>)
      return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
    }`;
  it.each([
    ['%b', '%o'],
    ['%o', '%b'],
    ['%o', '%o'],
    ['%a', '%o'],
    ['%o', '%a'],
    ['%a', '%a'],
  ])('%s and %s', (first, second) => {
    const { onTensors, onBuffers } = computed(two(first, second));
    expect(onBuffers).toEqual(onTensors);
  });
});

it('two outputs that are both read afterwards are both copied', () => {
  const type = 'tensor<4xf32>';
  const text = `func.func @f(%a: ${type}, %b: ${type}, %o: ${type}) -> (${type}, ${type}, ${type}, ${type}) {
    %0:2 = linalg.generic {indexing_maps = [${id1}, ${id1}, ${id1}], iterator_types = ["parallel"]}
      ins(%a : ${type}) outs(%b, %o : ${type}, ${type}) {
      ^bb0(%x: f32, %y: f32, %z: f32):
        %s = arith.addf %x, %y : f32
        %t = arith.subf %z, %x : f32
        linalg.yield %s, %t : f32, f32
    } -> (${type}, ${type})
    return %0#0, %0#1, %b, %o : ${type}, ${type}, ${type}, ${type}
  }`;
  const { onTensors, onBuffers } = computed(text);
  expect(onBuffers).toEqual(onTensors);
  expect(bufferized(text).copies).toBe(2);
});

it.each([
  ['in place, element by element', id1, 0],
  ['not in place, in another order', 'affine_map<(d0) -> (3 - d0)>', 1],
])('an operand that is input and output is used %s', (_, map, allocations) => {
  const text = `func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.generic {indexing_maps = [${map}, ${id1}], iterator_types = ["parallel"]}
      ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
      ^bb0(%x: f32, %y: f32):
        %s = arith.addf %x, %x : f32
        linalg.yield %s : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }`;
  const { onTensors, onBuffers } = computed(text);
  expect(onBuffers).toEqual(onTensors);
  expect(bufferized(text).allocations).toBe(allocations);
});

it('a body of linalg.map has no argument for its output', () => {
  const text = `func.func @f(%a: tensor<3xf32>, %o: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
    %0 = linalg.map ins(%a : tensor<3xf32>) outs(%o : tensor<3xf32>) (%x: f32) {
      %s = arith.addf %x, %x : f32
      linalg.yield %s : f32
    }
    return %0, %o : tensor<3xf32>, tensor<3xf32>
  }`;
  const { onTensors, onBuffers } = computed(text);
  expect(onBuffers).toEqual(onTensors);
  expect(bufferized(text).copies).toBe(0);
});

it('an op on both tensors and buffers is rejected', () => {
  // The verifier rejects it too, but a module need not have been verified.
  const text = `func.func @f(%a: memref<3xf32>, %o: tensor<3xf32>) -> tensor<3xf32> {
    %0 = linalg.generic {indexing_maps = [${id1}, ${id1}], iterator_types = ["parallel"]}
      ins(%a : memref<3xf32>) outs(%o : tensor<3xf32>) {
      ^bb0(%x: f32, %y: f32):
        linalg.yield %x : f32
    } -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }`;
  const { diagnostics } = bufferizeModule(unwrap(parseModule(text, { registry, verify: false })), {
    registry,
  });
  expect(diagnostics.map(({ message }) => message)).toContain(
    "'linalg.generic' cannot be bufferized: it has both tensors and buffers as operands",
  );
});
