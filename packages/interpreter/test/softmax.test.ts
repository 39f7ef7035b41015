import { describe, expect, it } from 'vitest';
import { elementsOf, interpret, memref, tensor } from '../src/index.ts';
import { parse, trapOf } from './run.ts';

const softmax = (type: string, dimension: number): string =>
  `func.func @f(%a: ${type}, %b: ${type}) -> ${type} {
  %0 = linalg.softmax dimension(${dimension}) ins(%a : ${type}) outs(%b : ${type}) -> ${type}
  return %0 : ${type}
}`;
const matrix = [1, 2, 3, 1000, 1000, 1000];

describe('linalg.softmax', () => {
  it.each([
    [0, [0, 0, 0, 1, 1, 1]],
    [
      1,
      [
        1 / (1 + Math.E + Math.E ** 2),
        Math.E / (1 + Math.E + Math.E ** 2),
        1 / (1 + 1 / Math.E + Math.E ** -2),
        1 / 3,
        1 / 3,
        1 / 3,
      ],
    ],
  ])('divides powers by their sum along dimension %i', (dimension, expected) => {
    const values = [tensor([2, 3], Float64Array.from(matrix)), tensor([2, 3], new Float64Array(6))];
    const outcome = interpret(parse(softmax('tensor<2x3xf64>', dimension)), 'f', values);
    if (outcome.status !== 'success') throw new Error('it does not run');
    const [result] = outcome.value;
    expect(result).toMatchObject({ shape: [2, 3] });
    for (const [i, value] of [...elementsOf(result as never)].entries())
      expect(value).toBeCloseTo(expected[i]!, 14);
  });

  it('writes a buffer, along a stride', () => {
    const text = `func.func @f(%a: memref<2x3xf32>, %b: memref<2x3xf32>) {
  linalg.softmax dimension(0) ins(%a : memref<2x3xf32>) outs(%b : memref<2x3xf32>)
  return
}`;
    const [a, b] = [memref([2, 3], Float32Array.from(matrix)), memref([2, 3], new Float32Array(6))];
    expect(interpret(parse(text), 'f', [a, b]).status).toBe('success');
    expect([...b.allocation.data]).toEqual([0, 0, 0, 1, 1, 1]);
  });

  it('gives nothing for no elements', () => {
    const empty = tensor([0, 3], new Float32Array(0));
    expect(interpret(parse(softmax('tensor<0x3xf32>', 0)), 'f', [empty, empty]).status).toBe('success');
  });

  it('traps where the shapes differ', () => {
    const [a, b] = [tensor([2], new Float32Array(2)), tensor([3], new Float32Array(3))];
    expect(trapOf(softmax('tensor<?xf32>', 0), [a, b])).toEqual([
      'interpreter/shape-mismatch',
      "'linalg.softmax' has operands of shapes 2 and 3",
    ]);
  });

  it('refuses integers', () => {
    const a = tensor([2], new Int32Array(2));
    expect(trapOf(softmax('tensor<2xi32>', 0), [a, a])).toEqual([
      'interpreter/invalid-ir',
      "'linalg.softmax' has no elements of a floating-point type",
    ]);
  });
});
