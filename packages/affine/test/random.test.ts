import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  affineExpr,
  compileExpr,
  compose,
  evaluate,
  evaluateBigInt,
  makeMap,
  printExpr,
  range,
  simplify,
  sizeOf,
  substitute,
} from '../src/index.ts';
import type { AffineExpr, Bounds, Box } from '../src/index.ts';
import { arbitraryBounds, arbitraryExpr } from '../src/arbitraries.ts';

/** `SEED=7 npx vitest run` draws other cases. */
const seed = Number(process.env['SEED'] ?? 1);
/** Reduce for repeated runs: `RUNS=2000`. */
const numRuns = Number(process.env['RUNS'] ?? (process.env['THOROUGH'] === undefined ? 4000 : 100_000));

/** An expression over three dimensions and two symbols, bounds for all of them, and a point of the box. */
const cases = fc.record({
  expr: fc.oneof(
    { arbitrary: arbitraryExpr(), weight: 3 },
    { arbitrary: arbitraryExpr({ negativeDivisors: true }), weight: 1 },
    { arbitrary: arbitraryExpr({ semiAffine: true }), weight: 1 },
  ),
  bounds: fc.tuple(...Array.from({ length: 3 }, () => arbitraryBounds({ maxExtent: 10 }))),
  // Symbols may be divisors, which simplification assumes positive.
  symbolBounds: fc.tuple(...Array.from({ length: 2 }, () => fc.nat(8).map((lo): Bounds => [lo + 1, lo + 6]))),
  place: fc.array(fc.nat(1000), { minLength: 5, maxLength: 5 }),
  inner: arbitraryExpr({ maxDepth: 2 }),
});

function pick([lo, hi]: Bounds, place: number): number {
  return lo + (place % (hi - lo));
}

describe(`${numRuns} random expressions, seed ${seed}`, () => {
  it('keep their values through simplify, compose, text, range and compilation', () => {
    let exactRanges = 0;
    fc.assert(
      fc.property(cases, ({ expr, bounds, symbolBounds, place, inner }) => {
        const box: Box = { dims: bounds, symbols: symbolBounds };
        const dims = bounds.map((bound, i) => pick(bound, place[i] ?? 0));
        const symbols = symbolBounds.map((bound, i) => pick(bound, place[3 + i] ?? 0));
        const valueOf = (e: AffineExpr) => evaluate(e, dims, symbols);
        const value = valueOf(expr);

        const same = (what: string, actual: number) => {
          if (actual !== value) throw new Error(`${what}: ${actual} instead of ${value}`);
        };

        same('rebuilt', valueOf(substitute(expr, { dims: [undefined] })));
        same('bigint', Number(evaluateBigInt(expr, dims.map(BigInt), symbols.map(BigInt))));
        same('parsed', valueOf(affineExpr(printExpr(expr))));
        same('compiled', compileExpr(expr)(dims, symbols));
        same('closure', compileExpr(expr, { mode: 'closure' })(dims, symbols));
        same('simplified', valueOf(simplify(expr)));

        const bounded = simplify(expr, box);
        same('simplified under bounds', valueOf(bounded));
        if (sizeOf(bounded) > sizeOf(expr)) throw new Error(`larger: ${printExpr(bounded)}`);

        const { lo, hi, exact } = range(expr, box);
        if (value < lo || value >= hi) throw new Error(`${value} is outside of [${lo}, ${hi})`);
        exactRanges += Number(exact);

        const innerMap = makeMap(3, 2, [inner, expr, 7]);
        const between = evaluate(innerMap, dims, symbols);
        const expected = evaluate(expr, between, symbols);
        const [composed] = evaluate(compose(makeMap(3, 2, [expr]), innerMap), dims, [...symbols, ...symbols]);
        if (composed !== expected)
          throw new Error(`composed: ${composed ?? 'nothing'} instead of ${expected}`);
      }),
      { numRuns, seed },
    );
    console.info(`seed ${seed}: ${numRuns} expressions, ${exactRanges} ranges exact`);
    expect(exactRanges).toBeGreaterThan(numRuns / 2);
  });
});
