import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { geometricMean, spreadOf } from '../../src/bench/statistics.ts';

describe('median and quartiles', () => {
  it.each([
    ['one value', [3], 3, 3, 3],
    ['two values', [4, 2], 2.5, 3, 3.5],
    ['an odd number', [5, 1, 3, 2, 4], 2, 3, 4],
    ['neighbours that differ', [10, 0, 20, 40], 7.5, 15, 25],
  ])('%s', (_, values, low, median, high) => {
    expect(spreadOf(values)).toEqual({ low, median, high, samples: values.length });
  });
  it('lie between the least and the greatest value, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1 }), (values) => {
        const { low, median, high } = spreadOf(values);
        const line = [Math.min(...values), low, median, high, Math.max(...values)];
        expect(line).toEqual([...line].sort((a, b) => a - b));
      }),
      { seed: 1 },
    );
  });
  it('are refused of nothing', () => {
    expect(() => spreadOf([])).toThrow(RangeError);
  });
});

describe('the geometric mean', () => {
  it('is the root of the product', () => {
    expect(geometricMean([2, 8])).toBeCloseTo(4, 12);
    expect(geometricMean([])).toBeUndefined();
  });
  it('of ratios does not care which side is the first', () => {
    const ratios = [0.5, 1.25, 3];
    expect(geometricMean(ratios.map((ratio) => 1 / ratio))).toBeCloseTo(1 / geometricMean(ratios)!, 12);
  });
});
