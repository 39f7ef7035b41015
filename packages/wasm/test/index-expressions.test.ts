import type { AffineExpr } from '@sconv/affine';
import { add, ceilDiv, constant, evaluate, floorDiv, mod, mul, symbol } from '@sconv/affine';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createIndexVariables, IndexRangeError, termsOf, unboundedIndex } from '../src/index-expressions.ts';
import { i32 } from '../src/instructions.ts';
import { runFunction } from './run-function.ts';

const variables = 3;

const expressions: fc.Arbitrary<AffineExpr> = fc.letrec<{ expr: AffineExpr }>((tie) => ({
  expr: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.nat(variables - 1).map((i) => symbol(i)),
      fc.integer({ min: -9, max: 9 }).map((value) => constant(value)),
      fc.constantFrom(2 ** 31 - 1, -(2 ** 31), 2 ** 20).map((value) => constant(value)),
    ),
    fc.tuple(tie('expr'), tie('expr')).map(([a, b]) => add(a, b)),
    fc.tuple(tie('expr'), fc.integer({ min: -5, max: 5 })).map(([a, b]) => mul(a, b)),
    fc.tuple(tie('expr'), fc.integer({ min: 1, max: 7 })).map(([a, b]) => floorDiv(a, b)),
    fc.tuple(tie('expr'), fc.integer({ min: 1, max: 7 })).map(([a, b]) => ceilDiv(a, b)),
    fc.tuple(tie('expr'), fc.integer({ min: 1, max: 7 })).map(([a, b]) => mod(a, b)),
  ),
})).expr;

const values = fc.tuple(
  ...Array.from({ length: variables }, () =>
    fc.oneof(fc.integer({ min: -9, max: 9 }), fc.integer(), fc.constantFrom(2 ** 31 - 1, -(2 ** 31))),
  ),
);

/** The low 32 bits, and all 64, of an expression on values known only by range. */
const emitted = (expr: AffineExpr, at: readonly number[], ranges: readonly (readonly [number, number])[]) => {
  const { f, memory } = runFunction(['i32', 'i32', 'i32'], ['i32'], (builder, ...locals) => {
    const indices = createIndexVariables(builder);
    locals.forEach((local, i) => indices.of(local, ranges[i]![0], ranges[i]![1]));
    builder.statement([i32.const(0).code, indices.emitWide(expr).code, 0x37, 3, 0]);
    builder.return(indices.emit(expr));
  });
  const low = f(...at);
  return { low, wide: new BigInt64Array(memory.buffer)[0] };
};

it('an expression is right in 64 bits, and in the low 32', () => {
  fc.assert(
    fc.property(expressions, values, fc.boolean(), (expr, at, isKnown) => {
      const value = evaluate(expr, [], at);
      fc.pre(Number.isSafeInteger(value));
      const ranges = at.map((each) =>
        isKnown ? ([each, each + 1] as const) : ([unboundedIndex.lo, unboundedIndex.hi] as const),
      );
      expect(emitted(expr, at, ranges)).toEqual({ low: value | 0, wide: BigInt(value) });
    }),
    { numRuns: 400 },
  );
});

it.each([
  ['a product', mul(mul(symbol(0), symbol(1)), symbol(2))],
  ['a multiple', mul(symbol(0), 2 ** 40)],
])('an expression that 64 bits may not hold is refused: %s', (_, expr) => {
  const unbounded = Array.from({ length: 3 }, () => [unboundedIndex.lo, unboundedIndex.hi] as const);
  expect(() => emitted(expr, [0, 0, 0], unbounded)).toThrow(IndexRangeError);
});

it('a product with a number that is 0 or 1 is as large as the other factors', () => {
  const { lo, hi } = unboundedIndex;
  const bit = [0, 2] as const;
  const expr = mul(mul(symbol(0), symbol(1)), symbol(2));
  const at = [2 ** 31 - 1, 1, -(2 ** 31)];
  expect(emitted(expr, at, [[lo, hi], bit, [lo, hi]]).wide).toBe(-(2n ** 31n - 1n) * 2n ** 31n);
});

it('a quotient and the rest are together what was divided', () => {
  const x = add(mul(symbol(0), 3), symbol(1));
  const [quotient, rest] = [floorDiv(x, 4), mod(x, 4)];
  const parts = (expr: AffineExpr) => {
    const { constant: offset, terms } = termsOf(expr);
    return [...terms.map((term) => `${term.factor} * (${String(term.expr)})`), offset];
  };
  expect(parts(add(mul(quotient, 8), mul(rest, 2)))).toEqual(['6 * (s0)', '2 * (s1)', 0]);
  expect(parts(add(mul(quotient, 4), mul(rest, 2)))).toEqual([
    '4 * ((s0 * 3 + s1) floordiv 4)',
    '2 * ((s0 * 3 + s1) mod 4)',
    0,
  ]);
});
