import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arityOf, isPureAffine, printExpr } from '../src/index.ts';
import type { AffineExpr } from '../src/index.ts';
import { arbitraryBounds, arbitraryExpr, arbitraryMap, arbitraryPoint } from '../src/arbitraries.ts';

it.each([arbitraryExpr, arbitraryMap, arbitraryBounds, arbitraryPoint])('takes options only: %#', (make) => {
  expect(() => make(null as never)).toThrow('expected options, not null');
});

function drawn<T>(arbitrary: fc.Arbitrary<T>): T[] {
  return fc.sample(arbitrary, { numRuns: 3000, seed: 1 });
}

function partsOf(expr: AffineExpr): AffineExpr[] {
  return 'lhs' in expr ? [expr, ...partsOf(expr.lhs), ...partsOf(expr.rhs)] : [expr];
}

function depthOf(expr: AffineExpr): number {
  return 'lhs' in expr ? 1 + Math.max(depthOf(expr.lhs), depthOf(expr.rhs)) : 0;
}

const kindsOf = (exprs: readonly AffineExpr[]) =>
  new Set(exprs.flatMap(partsOf).map(({ kind }) => kind)).size;

function divisorsOf(exprs: readonly AffineExpr[]): number[] {
  return exprs
    .flatMap(partsOf)
    .flatMap((part) =>
      ['mod', 'floordiv', 'ceildiv'].includes(part.kind) && 'rhs' in part && part.rhs.kind === 'constant'
        ? [part.rhs.value]
        : [],
    );
}

describe('expressions', () => {
  const usual = drawn(arbitraryExpr());

  it('are of every kind, of three dimensions and two symbols, not simplified', () => {
    expect(kindsOf(usual)).toBe(8);
    const arities = usual.map(arityOf);
    expect(Math.max(...arities.map(({ numDims }) => numDims))).toBe(3);
    expect(Math.max(...arities.map(({ numSymbols }) => numSymbols))).toBe(2);
    expect(usual.some((expr) => /\b0 \+|\+ 0\b/.test(printExpr(expr)))).toBe(true);
  });

  it('keep to the limits that they are given', () => {
    const small = drawn(arbitraryExpr({ numDims: 1, numSymbols: 0, maxDepth: 2, maxConstant: 3 }));
    expect(Math.max(...small.map(depthOf))).toBe(2);
    expect(Math.max(...usual.map(depthOf))).toBe(5);
    expect(new Set(small.map((expr) => arityOf(expr).numDims))).toEqual(new Set([0, 1]));
    expect(new Set(small.map((expr) => arityOf(expr).numSymbols))).toEqual(new Set([0]));
    const constants = small
      .flatMap(partsOf)
      .flatMap((part) => (part.kind === 'constant' ? [part.value] : []));
    expect([Math.min(...constants), Math.max(...constants)]).toEqual([-3, 3]);
    expect(drawn(arbitraryExpr({ numDims: 0 })).every((expr) => arityOf(expr).numDims === 0)).toBe(true);
  });

  it('divide by what they may', () => {
    expect(Math.min(...divisorsOf(usual))).toBe(1);
    const signed = divisorsOf(drawn(arbitraryExpr({ negativeDivisors: true })));
    expect(Math.min(...signed)).toBe(-20);
    expect(signed).not.toContain(0);
    expect(usual.every(isPureAffine)).toBe(true);
    expect(drawn(arbitraryExpr({ semiAffine: true })).every(isPureAffine)).toBe(false);
  });
});

describe('maps', () => {
  it('have the arity that is asked for', () => {
    for (const map of drawn(arbitraryMap({ numDims: 4, numSymbols: 1, numResults: 2 })))
      expect([map.numDims, map.numSymbols, map.results.length]).toEqual([4, 1, 2]);
  });

  it('have one to three results of three dimensions and two symbols otherwise', () => {
    const maps = drawn(arbitraryMap());
    expect(new Set(maps.map(({ results }) => results.length))).toEqual(new Set([1, 2, 3]));
    expect(maps.every(({ numDims, numSymbols }) => numDims === 3 && numSymbols === 2)).toBe(true);
  });
});

describe('bounds', () => {
  it.each([
    [undefined, 20, 200],
    [{ maxExtent: 3, magnitude: 5 }, 3, 5],
  ])('of %j are not empty and no larger than told', (limits, extent, magnitude) => {
    const bounds = drawn(arbitraryBounds(limits));
    const extents = bounds.map(([lo, hi]) => hi - lo);
    expect([Math.min(...extents), Math.max(...extents)]).toEqual([1, extent]);
    const starts = bounds.map(([lo]) => lo);
    expect([Math.min(...starts), Math.max(...starts)]).toEqual([-magnitude, magnitude]);
  });
});

describe('points', () => {
  const coordinates = (values: readonly (readonly number[])[], i: number) => {
    const column = values.map((point) => point[i]!);
    return [Math.min(...column), Math.max(...column)];
  };

  it('lie in their box, and near 0 where it does not say', () => {
    const box = { dims: [[3, 6], undefined, [-Infinity, Infinity]], symbols: [undefined, [-9, -8]] } as const;
    const points = drawn(arbitraryPoint({}, { box, magnitude: 10 }));
    const [dims, symbols] = [points.map((point) => point.dims), points.map((point) => point.symbols)];
    expect([coordinates(dims, 0), coordinates(dims, 1)]).toEqual([
      [3, 5],
      [-10, 9],
    ]);
    expect([coordinates(symbols, 0), coordinates(symbols, 1)]).toEqual([
      [-10, 9],
      [-9, -9],
    ]);
    for (const [, , third] of dims) expect(Math.abs(third!)).toBeLessThanOrEqual(2 ** 31);
  });

  it('have as many coordinates as told', () => {
    for (const { dims, symbols } of drawn(arbitraryPoint({ numDims: 1, numSymbols: 0 })))
      expect([dims.length, symbols.length]).toEqual([1, 0]);
    for (const { dims, symbols } of drawn(arbitraryPoint({})))
      expect([dims.length, symbols.length]).toEqual([3, 2]);
  });
});
