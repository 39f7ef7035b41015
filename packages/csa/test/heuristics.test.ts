import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binarySearch, candidateSizes, divisors, halving } from '../src/heuristics.ts';

const upTo = (limit: number) => (value: number) => value <= limit;

describe('searches', () => {
  it.each([
    [351, 99, 87, 99, 39],
    [32, 100, 32, 32, 32],
    [288, 32, 18, 32, 32],
    [97, 50, 48, 50, 1],
    [7, 0, 1, 1, 1],
    [0, 5, 1, 1, 1],
  ])(
    'of 1..%i with up to %i fitting: halving %i, binary search %i, divisors %i',
    (largest, limit, halved, searched, divisor) => {
      expect(halving(largest, upTo(limit))).toBe(halved);
      expect(binarySearch(largest, upTo(limit))).toBe(searched);
      expect(divisors(largest, upTo(limit))).toBe(divisor);
    },
  );

  it('find the largest value, and the largest divisor', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), fc.nat({ max: 4000 }), (largest, limit) => {
        const fitting = Array.from({ length: largest }, (_, index) => index + 1).filter(upTo(limit));
        expect(binarySearch(largest, upTo(limit))).toBe(fitting.at(-1) ?? 1);
        expect(divisors(largest, upTo(limit))).toBe(fitting.findLast((value) => largest % value === 0) ?? 1);
      }),
    );
  });
});

describe('candidateSizes', () => {
  it.each([-1, 1.5, NaN, 1e300])('has none of %d', (size) => {
    expect(() => candidateSizes(size, 4)).toThrow(`expected a size of at least 0, not ${size}`);
  });

  it('holds one value a number of blocks, and the halves', () => {
    expect(candidateSizes(10, 100)).toEqual([10, 5, 4, 3, 2, 1]);
  });

  it('misses no number of blocks without a limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), (size) => {
        const blocks = (values: readonly number[]) => new Set(values.map((value) => Math.ceil(size / value)));
        const all = Array.from({ length: size }, (_, index) => index + 1);
        expect(blocks(candidateSizes(size, 1000))).toEqual(blocks(all));
      }),
    );
  });

  it('keeps both ends and all that halving tries under a limit', () => {
    const sizes = candidateSizes(4096, 8);
    expect(sizes.length).toBeLessThanOrEqual(8 + 13);
    for (let value = 4096; value > 0; value = Math.floor(value / 2)) expect(sizes).toContain(value);
  });
});
