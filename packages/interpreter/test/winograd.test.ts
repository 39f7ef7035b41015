import { unwrap } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import type { TensorValue } from '../src/index.ts';
import { elementsOf, interpret, tensor } from '../src/index.ts';
import { parse, trapOf } from './run.ts';

const transform = (what: string, tile: readonly [number, number], from: string, into: string): string =>
  `func.func @f(%a: ${from}, %b: ${into}) -> ${into} {
  %0 = linalg.winograd_${what}_transform m(${tile[0]}) r(${tile[1]}) ins(%a : ${from}) outs(%b : ${into}) -> ${into}
  return %0 : ${into}
}`;

describe('linalg.winograd_*_transform', () => {
  it.each([
    // G g, of a single row.
    ['filter', 'tensor<1x1x3x1xf64>', [1, 2, 4], 'tensor<1x4x1x1xf64>', [-1, 1.5, 3.5, 4]],
    // Two tiles that overlap by two elements: B-transposed times each.
    [
      'input',
      'tensor<1x1x6x1xf64>',
      [1, 2, 4, 8, 16, 32],
      'tensor<1x4x1x2x1x1xf64>',
      [3, 12, 2, 8, 6, 24, 6, 24],
    ],
    // A-transposed times a column.
    ['output', 'tensor<4x1x1x1x1x1xf64>', [1, 2, 4, 8], 'tensor<1x2x1x1xf64>', [7, 10]],
  ])('the %s: %s %s', (what, from, values, into, expected) => {
    const shapeOf = (type: string): number[] => type.slice(7, -5).split('x').map(Number);
    const result = tensor(shapeOf(into), new Float64Array(expected.length));
    const source = tensor(shapeOf(from), Float64Array.from(values));
    const [made] = unwrap(interpret(parse(transform(what, [2, 3], from, into)), 'f', [source, result]));
    expect(Array.from(elementsOf(made as TensorValue), Number)).toEqual(expected);
  });

  it('traps at tensors that do not fit', () => {
    const text = transform('input', [2, 3], 'tensor<1x1x?x1xf32>', 'tensor<1x4x1x?x1x1xf32>');
    const values = [
      [1, 1, 6, 1],
      [1, 4, 1, 3, 1, 1],
    ].map((shape) => tensor(shape, new Float32Array(shape.reduce((a, b) => a * b, 1))));
    expect(trapOf(text, values)).toEqual([
      'interpreter/shape-mismatch',
      "'linalg.winograd_input_transform' has operands of shapes 1x1x6x1 and 1x4x1x3x1x1",
    ]);
  });

  it.each([
    ['F(6, 3)', [6, 3], 'f32', new Float32Array(3), 8],
    ['floating-point', [2, 3], 'i32', new Int32Array(3), 4],
  ] as const)('has no %s', (reason, tile, element, values, alpha) => {
    const text = transform('filter', tile, `tensor<1x1x3x1x${element}>`, `tensor<1x${alpha}x1x1x${element}>`);
    const zeros = element === 'f32' ? new Float32Array(alpha) : new Int32Array(alpha);
    const trap = trapOf(text, [tensor([1, 1, 3, 1], values), tensor([1, alpha, 1, 1], zeros)]);
    expect(trap[0]).toBe('interpreter/invalid-ir');
    expect(trap[1]).toContain(reason);
  });
});
