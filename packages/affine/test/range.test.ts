import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { affineExpr, enclosure, isNonNegative, range, rangeWithin } from '../src/index.ts';
import type { Bounds, BoundsOf, Box } from '../src/index.ts';
import { arbitraryBounds, arbitraryExpr } from '../src/arbitraries.ts';

const inf = Infinity;
const spatial = '((d2 floordiv 75) * 2 + d4) * 152 + (d2 mod 75) * 2 + d5';

function box(...dims: (Bounds | undefined)[]): Box {
  return { dims };
}

/** The box as a bounds function. */
const boundsIn =
  (over: Box): BoundsOf =>
  ({ kind, position }) =>
    (kind === 'dim' ? over.dims : over.symbols)?.[position];

/** The extrema by exhaustive search. */
function bruteForce(f: (d2: number, d4: number, d5: number) => number, [lo, hi]: Bounds): Bounds {
  let [min, max] = [inf, -inf];
  for (let d2 = lo; d2 < hi; d2++) {
    for (let d4 = 0; d4 < 3; d4++) {
      for (let d5 = 0; d5 < 3; d5++) {
        min = Math.min(min, f(d2, d4, d5));
        max = Math.max(max, f(d2, d4, d5));
      }
    }
  }
  return [min, max + 1];
}

describe('range', () => {
  it.each<[string, Box, number, number, boolean]>([
    ['d0', box([3, 9]), 3, 9, true],
    ['d0 * -2 + 1', box([3, 9]), -15, -4, true],
    ['d0 floordiv 4', box([-3, 9]), -1, 3, true],
    ['d0 ceildiv 4', box([-3, 9]), 0, 3, true],
    ['d0 mod 75', box([5, 10]), 5, 10, true],
    ['d0 mod 75', box([70, 80]), 0, 75, true],
    ['d0 mod 75', box(), 0, 75, true],
    ['d0 mod -4', box(), -3, 1, true],
    ['d0 * s0', { dims: [[0, 1e6]], symbols: [[1, 1e6]] }, 0, 999_998_000_002, false],
    ['d0 * s0', { dims: [[-1e6, 9]], symbols: [[-3, 1e6]] }, -999_999_000_000, 7_999_993, false],
    ['d0 floordiv s0', { dims: [[-1e6, 1e6]], symbols: [[1, inf]] }, -1_000_000, 1_000_000, false],
    ['d0 ceildiv s0', { dims: [[-7, 1e6]], symbols: [[1e6, inf]] }, 0, 2, false],
    ['d0 floordiv s0', { dims: [[-7, 1e6]], symbols: [[1e6, inf]] }, -1, 1, false],
    ['(d0 * 3) mod 9', box([-inf, 3]), 0, 7, true],
    ['(d0 * 3) mod 9', box([5, inf]), 0, 7, true],
    ['(d0 * 3) mod 9', box([100, 200]), 0, 7, true],
    ['(d0 * 3 + 1) mod 9 + 2', box([100, 102]), 6, 10, true],
    ['d0 - d0 mod 4', box([1, 7]), 0, 5, true],
    ['d0 * 2 + (d0 floordiv 75) * 154', box([0, inf]), 0, inf, true],
    ['d0 - (d0 floordiv 3) * 3', box([-inf, inf]), 0, 3, true],
    ['d0 + d1', box([0, 4], [-2, 2]), -2, 5, true],
    ['(d0 + d1) mod 1000', box([0, 4], [-2, 2]), 0, 1000, true],
    ['(d0 * 3 + d1) mod 9973', box([0, 500], [0, 500]), 0, 1997, true],
    ['((d0 * 1000 + d1 * 7) mod 99991) floordiv 2', box([0, 10000], [0, 10000]), 0, 49996, false],
    ['(d0 * 5 + d1 * 7) mod 99991 + 1', box([-9, 99982], [0, 1e5]), 1, 99992, true],
    ['(d0 * 4 + 1) mod 6', box([0, 6]), 1, 6, true],
  ])('%s over %o is [%d, %d), exact %s', (text, over, lo, hi, exact) => {
    expect(range(affineExpr(text), over)).toEqual({ lo, hi, exact });
    expect(range(affineExpr(text), boundsIn(over))).toEqual({ lo, hi, exact });
    expect(rangeWithin(affineExpr(text), boundsIn(over))).toEqual({ lo, hi, exact });
  });

  it.each<Bounds>([
    [5568, 5616],
    [0, 5625],
    [16, 32],
    [74, 76],
  ])('is exact on the linearised input of a convolution, windows [%d, %d)', (lo, hi) => {
    const expected = bruteForce(
      (d2, d4, d5) => (Math.floor(d2 / 75) * 2 + d4) * 152 + (d2 % 75) * 2 + d5,
      [lo, hi],
    );
    const over = box(undefined, undefined, [lo, hi], undefined, [0, 3], [0, 3]);
    expect(range(affineExpr(spatial), over)).toEqual({ lo: expected[0], hi: expected[1], exact: true });
  });

  it('treats symbols as variables', () => {
    expect(range(affineExpr('d0 * s0'), { dims: [[-2, 3]], symbols: [[2, 5]] })).toEqual({
      lo: -8,
      hi: 9,
      exact: true,
    });
    expect(range(affineExpr('d0 floordiv s0'), { dims: [[0, 9]], symbols: [[0, 5]] }).exact).toBe(false);
  });

  it('takes a variable with one value for a constant, whatever the others are', () => {
    const product = affineExpr('d1 * s0 - s0 * 4');
    const large: Bounds = [0, 1e9];
    const zero = { lo: 0, hi: 1, exact: true };
    expect(range(product, { dims: [large, [4, 5]], symbols: [large] })).toEqual(zero);
    expect(range(product, { dims: [large, large], symbols: [[0, 1], large] })).toEqual(zero);
  });

  it.each<[Box, string]>([
    [box([4, 4]), 'affine/empty-domain'],
    [box([0, 1.5]), 'affine/not-an-integer'],
    [box([NaN, 2]), 'affine/not-an-integer'],
  ])('refuses %o', (over, code) => {
    expect(() => range(affineExpr('d0'), over)).toThrow(expect.objectContaining({ code }));
  });
});

describe('enclosure', () => {
  it.each<[string, Box, number, number, boolean]>([
    ['7', box(), 7, 8, true],
    ['d0', box([3, 9]), 3, 9, true],
    ['d0 * -2 + 1', box([3, 9]), -15, -4, true],
    ['d0 + d1', box([0, 4], [-2, 2]), -2, 5, false],
    ['d0 - d0', box([0, 4]), 0, 1, true],
    ['d0 - d0 mod 4', box([1, 7]), -2, 7, false],
    ['s0 * 3 + d0', { symbols: [[1, inf]], dims: [[0, 2]] }, 3, inf, false],
  ])('of %s over %o is [%d, %d), exact %s', (text, over, lo, hi, exact) => {
    expect(enclosure(affineExpr(text), over)).toEqual({ lo, hi, exact });
    expect(enclosure(affineExpr(text), boundsIn(over))).toEqual({ lo, hi, exact });
  });

  it('holds the range, whatever the expression', () => {
    const three = fc.tuple(arbitraryBounds(), arbitraryBounds(), arbitraryBounds());
    fc.assert(
      fc.property(arbitraryExpr({ numDims: 2, numSymbols: 1 }), three, (expr, [a, b, c]) => {
        const over = { dims: [a, b], symbols: [c] };
        const [wide, narrow] = [enclosure(expr, over), range(expr, over)];
        expect(wide.lo).toBeLessThanOrEqual(narrow.lo);
        expect(wide.hi).toBeGreaterThanOrEqual(narrow.hi);
      }),
    );
  });

  it.each<[Bounds, string]>([
    [[4, 4], 'affine/empty-domain'],
    [[0, 1.5], 'affine/not-an-integer'],
  ])('refuses %o by whose bounds they are', (bounds, code) => {
    const wrong = { code, message: expect.stringContaining('d1') as string };
    expect(() => enclosure(affineExpr('d1'), box([0, 1], bounds))).toThrow(expect.objectContaining(wrong));
    expect(() => enclosure(affineExpr('d1'), () => bounds)).toThrow(expect.objectContaining(wrong));
  });
});

describe('isNonNegative', () => {
  it.each<[string, Box, boolean]>([
    ['d0', box([0, 5]), true],
    ['d0 - 1', box([0, 5]), false],
    ['d0 mod 3', box(), true],
    ['d0', box(), false],
  ])('%s', (text, over, expected) => {
    expect(isNonNegative(affineExpr(text), over)).toBe(expected);
  });
});
