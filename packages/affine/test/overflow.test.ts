/** Numbers near 2^53: every function gives the value that bigints give, or refuses. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  affineExpr,
  affineMap,
  binary,
  compileExpr,
  constant,
  dim,
  enclosure,
  evaluate,
  evaluateBigInt,
  ifAffine,
  imageSize,
  isNonNegative,
  linearForm,
  printExpr,
  range,
  simplify,
} from '../src/index.ts';
import type { AffineExpr, Bounds } from '../src/index.ts';

const largest = Number.MAX_SAFE_INTEGER;

describe('near 2^53', () => {
  it.each<[string, Bounds, number, number]>([
    ['(d0 - 9007199254740991) mod 35', [0, 5], 4, 9],
    ['d0 mod 3002399751580331', [1 - largest, 5 - largest], 3, 7],
    // The sum of the shifts of both quotients is beyond 2^53, but not each.
    ['d0 * 9007199254740991 + d0 floordiv 2', [0, 2], 0, Infinity],
    ['(d0 floordiv 2) * 9007199254740991 + d0 * 4503599627370496', [0, 2], 0, 4_503_599_627_370_497],
    ['d0', [0, largest], 0, largest],
    ['d0 + 9007199254740990', [0, 2], 9_007_199_254_740_990, Infinity],
  ])('%s over d0 in %o is within [%d, %d)', (text, d0, lo, hi) => {
    const actual = range(affineExpr(text), { d0 });
    expect(actual.lo).toBe(lo);
    expect(actual.hi).toBe(hi);
    if (hi === Infinity) expect(actual.exact).toBe(false);
  });

  it('a difference is not taken for nonnegative', () => {
    const x = -9_007_199_254_740_990;
    expect(isNonNegative(affineExpr('4 - d0 mod 3002399751580331'), { d0: [x, x + 3] })).toBe(false);
  });

  it('compiled remainders are those of evaluate', () => {
    const expr = affineExpr('(d0 * 2147483648 - 8335903961382911) mod 3002399751580331');
    expect(compileExpr(expr)([16])).toBe(evaluate(expr, [16]));
  });

  it.each([
    ['(d0 * 32765 - 9007199254740623) mod 65530', { d0: [-2, 1] as const }],
    ['(s0 + -9007199254740991) * 4294967296', undefined],
    ['d0 floordiv s0', { s0: [0, 1] as const }],
  ])('simplify leaves %s', (text, over) => {
    expect(printExpr(simplify(affineExpr(text), over))).toBe(printExpr(affineExpr(text)));
  });

  it('an image with more values than numbers count is refused', () => {
    const over = { d0: [0, 2 ** 30], d1: [0, 2 ** 30] } as const;
    expect(imageSize(affineMap('(d0, d1) -> (d0)'), over)).toBe(2 ** 30);
    expect(() => imageSize(affineMap('(d0, d1) -> (d0, d1)'), over)).toThrow(
      expect.objectContaining({ code: 'affine/overflow' }),
    );
  });
});

/** Numbers around which arithmetic on doubles, words and their halves changes. */
const edges = [0, 2 ** 31, 2 ** 32, 2 ** 52, largest, 3_002_399_751_580_331];
const edge = fc
  .tuple(fc.constantFrom(...edges), fc.integer({ min: -3, max: 3 }), fc.boolean())
  .map(([at, by, isNegative]) => (isNegative ? -1 : 1) * Math.min(largest, Math.max(-largest, at + by)));

const { expr: expressions } = fc.letrec<{ expr: AffineExpr; leaf: AffineExpr }>((tie) => ({
  leaf: fc.oneof(fc.constantFrom(dim(0), dim(1)), edge.map(constant)),
  expr: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc
      .tuple(fc.constantFrom('add', 'mul', 'mod', 'floordiv', 'ceildiv'), tie('expr'), edge)
      .map(([kind, lhs, rhs]) => ifAffine(() => binary(kind, lhs, rhs)) ?? lhs),
    fc.tuple(tie('expr'), tie('expr')).map(([lhs, rhs]) => ifAffine(() => binary('add', lhs, rhs)) ?? lhs),
  ),
}));

const extent = fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constantFrom(2 ** 31, 2 ** 53 - 1));

describe('random expressions of such numbers', () => {
  it('have the values of bigints in every function', () => {
    const cases = fc.record({
      expr: expressions,
      lows: fc.tuple(edge, edge),
      extents: fc.tuple(extent, extent),
      places: fc.tuple(fc.nat(9), fc.nat(9)),
    });
    fc.assert(
      fc.property(cases, ({ expr, lows, extents, places }) => {
        const dims = lows.map((lo, i): Bounds => [lo, Math.min(largest, lo + extents[i]!)]);
        fc.pre(dims.every(([lo, hi]) => lo < hi));
        const point = dims.map(([lo, hi], i) =>
          places[i]! < 5 ? Math.min(hi - 1, lo + places[i]!) : hi - 1,
        );
        const value = evaluateBigInt(expr, point.map(BigInt));
        const same = (what: string, found: number | undefined) => {
          if (found !== undefined && BigInt(found) !== value)
            throw new Error(`${what} of ${printExpr(expr)} at ${point.join()}: ${found}, not ${value}`);
        };
        same(
          'evaluate',
          ifAffine(() => evaluate(expr, point)),
        );
        same(
          'compileExpr',
          ifAffine(() => compileExpr(expr)(point)),
        );
        for (const over of [undefined, { dims }]) {
          const simple = simplify(expr, over);
          if (evaluateBigInt(simple, point.map(BigInt)) !== value)
            throw new Error(`${printExpr(expr)} became ${printExpr(simple)}`);
        }
        for (const of of [range, enclosure]) {
          const { lo, hi } = of(expr, { dims });
          if (value < lo || value >= hi)
            throw new Error(`${printExpr(expr)} is ${value} at ${point.join()}, not in [${lo}, ${hi})`);
        }
        const form = ifAffine(() => linearForm(expr));
        if (form === undefined) return;
        const sum = point.reduce(
          (at, x, i) => at + BigInt(x) * BigInt(form.dims[i] ?? 0),
          BigInt(form.constant),
        );
        if (sum !== value) throw new Error(`the linear form of ${printExpr(expr)}`);
      }),
      { seed: Number(process.env['SEED'] ?? 1), numRuns: Number(process.env['RUNS'] ?? 1500) },
    );
  });
});
