import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  affineExpr,
  affineMap,
  contains,
  evaluate,
  evaluateBigInt,
  integerSet,
  makeSet,
} from '../src/index.ts';
import { arbitraryExpr } from '../src/arbitraries.ts';

describe('numbers and bigints', () => {
  const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 3, maxLength: 3 });
  const divisors = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 2, maxLength: 2 });

  it('give the same value of an expression', () => {
    const exprs = arbitraryExpr({ semiAffine: true, negativeDivisors: true });
    fc.assert(
      fc.property(exprs, values, divisors, (expr, dims, symbols) => {
        const big = evaluateBigInt(expr, dims.map(BigInt), symbols.map(BigInt));
        expect(big).toBe(BigInt(evaluate(expr, dims, symbols)));
      }),
    );
  });

  it('give the same values of a map', () => {
    const map = affineMap('(d0, d1)[s0] -> (d1 - d0, d0 mod s0, 7)');
    expect(evaluate(map, [5, 2], [3])).toEqual([-3, 2, 7]);
    expect(evaluateBigInt(map, [5n, 2n], [3n])).toEqual([-3n, 2n, 7n]);
  });
});

describe('contains', () => {
  const triangle = integerSet('(d0, d1)[s0] : (d0 >= 0, d1 - d0 >= 0, s0 - d1 - 1 >= 0)');
  const diagonal = integerSet('(d0, d1) : (d0 - d1 == 0, d0 >= 0)');

  it.each([
    [triangle, [0, 0], [1], true],
    [triangle, [2, 4], [5], true],
    [triangle, [-1, 4], [5], false],
    [triangle, [3, 2], [5], false],
    [triangle, [2, 5], [5], false],
    [diagonal, [3, 3], [], true],
    [diagonal, [3, 2], [], false],
    [diagonal, [2, 3], [], false],
    [diagonal, [-1, -1], [], false],
    // An empty list of constraints is written 0 == 0.
    [makeSet(1, 0, []), [7], [], true],
  ])('%s at %j %j: %s', (set, dims, symbols, expected) => {
    expect(contains(set, dims, symbols)).toBe(expected);
  });
});

describe('a point that does not fit', () => {
  const map = affineMap('(d0)[s0] -> (d0 + s0)');
  const set = integerSet('(d0)[s0] : (d0 + s0 >= 0)');
  const expr = affineExpr('d0 + s0');

  it.each([
    ['a map', () => evaluate(map, [1, 2], [3]), 'the map has 1 dimensions, the point has 2'],
    ['a map', () => evaluate(map, [1], []), 'the map has 1 symbols, the point has 0'],
    ['a map of bigints', () => evaluateBigInt(map, [], [3n]), 'the map has 1 dimensions, the point has 0'],
    ['a set', () => contains(set, [1, 2], [3]), 'the set has 1 dimensions, the point has 2'],
    ['a set', () => contains(set, [1]), 'the set has 1 symbols, the point has 0'],
    ['an expression', () => evaluate(expr, [], [3]), 'd0 is used, but the point has only 0 such values'],
    ['an expression', () => evaluate(expr, [1], []), 's0 is used, but the point has only 0 such values'],
    ['bigints', () => evaluateBigInt(expr, [1n]), 's0 is used, but the point has only 0 such values'],
  ])('%s: %s', (_, run, message) => {
    expect(run).toThrow(expect.objectContaining({ code: 'affine/arity-mismatch', message }));
  });

  it.each([
    ['dimension', () => evaluate(expr, [0.5], [3]), 'affine/not-an-integer'],
    ['symbol', () => evaluate(expr, [1], [0.5]), 'affine/not-an-integer'],
    ['large symbol', () => evaluate(expr, [1], [2 ** 53]), 'affine/overflow'],
    ['dimension of a set', () => contains(set, [NaN], [3]), 'affine/not-an-integer'],
    ['symbol of a set', () => contains(set, [1], [Infinity]), 'affine/not-an-integer'],
    ['large dimension of a set', () => contains(set, [-(2 ** 53)], [3]), 'affine/overflow'],
  ])('a %s: %s', (_, run, code) => {
    expect(run).toThrow(expect.objectContaining({ code }));
  });
});
