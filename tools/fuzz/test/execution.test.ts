import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { parseModule } from '@sconv/ir';
import { defaultRegistry as registry } from 'sconv';
import { argumentsOf, difference, execute } from '../src/execution.ts';

const parse = (text: string) => unwrap(parseModule(text, { registry }));

describe('argumentsOf', () => {
  it('gives each argument small integers of its type, and unknown sizes the sizes that are said', () => {
    const subject = {
      payload: 'func.func @f(%a: tensor<2x?xf32>, %b: tensor<?xi64>, %c: tensor<3xi1>, %d: f32) { return }',
      dynamicSizes: [3, 1],
    };
    const values = argumentsOf(parse(subject.payload), subject);
    expect(values.map(({ shape }) => shape)).toEqual([[2, 3], [1], [3], undefined]);
    expect(values[0]!.numbers.every((value) => Number.isInteger(value) && Math.abs(Number(value)) <= 4)).toBe(
      true,
    );
    expect(values[1]!.numbers.map((value) => typeof value)).toEqual(['bigint']);
    expect(values[2]!.numbers.every((value) => value === 0 || value === 1)).toBe(true);
  });
});

describe('execute', () => {
  it('gives results, and what is in the buffers afterwards', () => {
    const payload = `func.func @f(%a: memref<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
      %c = arith.constant 7.0 : f32
      %i = arith.constant 1 : index
      memref.store %c, %a[%i] : memref<2xf32>
      return %b : tensor<2xf32>
    }`;
    const module = parse(payload);
    const values = argumentsOf(module, { payload, dynamicSizes: [] });
    const { results, buffers } = unwrap(execute(module, values));
    expect(results).toEqual([values[1]!.numbers]);
    expect(buffers).toEqual([[values[0]!.numbers[0], 7]]);
  });
});

describe('difference', () => {
  it.each([
    ['equal results', [[1, 2], [3]], [], [[1, 2], [3]]],
    ['equal big integers', [[1n]], [], [[1n]]],
    ['results that are no number alike', [[NaN]], [], [[NaN]]],
    ['zeros of either sign', [[-0]], [], [[0]]],
    ['a result that was written into an argument', [[3]], [[1, 2]], [[1, 2], [3]]],
    ['all results in arguments', [], [[3], [1, 2]], [[1, 2], [3]]],
  ])('takes %s', (_, results, buffers, expected) => {
    expect(difference({ results, buffers }, expected)).toBeUndefined();
  });

  it.each([
    ['another element', [[1, 2]], [], [[1, 3]]],
    ['an element less', [[1]], [], [[1, 2]]],
    ['a number for a big integer', [[1]], [], [[1n]]],
    ['results in another order', [[3], [1, 2]], [], [[1, 2], [3]]],
    ['a result that is nowhere', [[3]], [[1, 1]], [[1, 2], [3]]],
    ['a result too many', [[1], [2]], [], [[1]]],
  ])('finds %s', (_, results, buffers, expected) => {
    expect(difference({ results, buffers }, expected)).toEqual(expect.any(String));
  });
});
