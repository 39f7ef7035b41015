import { describe, expect, it } from 'vitest';
import {
  affineExpr,
  affineMap,
  compose,
  concatMaps,
  constantMap,
  identityMap,
  integerSet,
  permutationMap,
  printExpr,
  printMap,
  printSet,
  shiftDims,
  shiftSymbols,
  substitute,
} from '../src/index.ts';

describe('compose', () => {
  it.each([
    ['(d0, d1) -> (d0 + d1)', '(d0) -> (d0 * 2, d0 floordiv 4)', '(d0) -> (d0 * 2 + d0 floordiv 4)'],
    ['(d0)[s0] -> (d0 + s0)', '(d0)[s0] -> (d0 * s0)', '(d0)[s0, s1] -> (d0 * s1 + s0)'],
    ['(d0, d1) -> (d1, d0)', '(d0, d1, d2) -> (d2, d0)', '(d0, d1, d2) -> (d0, d2)'],
    ['() -> (3)', '(d0) -> ()', '(d0) -> (3)'],
  ])('%s after %s', (outer, inner, expected) => {
    expect(printMap(compose(affineMap(outer), affineMap(inner)))).toBe(expected);
  });

  it('takes any number of maps, the last first', () => {
    const [c, b, a] = ['(d0)[s0] -> (d0 + s0)', '(d0) -> (d0 * 2)', '(d0)[s0] -> (d0 floordiv s0)'].map(
      affineMap,
    );
    expect(printMap(compose(c!, b!, a!))).toBe('(d0)[s0, s1] -> ((d0 floordiv s1) * 2 + s0)');
    expect(() => compose(c!, b!, affineMap('(d0) -> (d0, d0)'))).toThrow('the inner map has 2 results');
  });
});

describe('substitute', () => {
  it('replaces all at once and leaves holes alone', () => {
    const expr = affineExpr('d0 + d1 * 2 + s0');
    const replaced = substitute(expr, { dims: [affineExpr('d1'), affineExpr('d0')], symbols: [7] });
    expect(printExpr(replaced)).toBe('d1 + d0 * 2 + 7');
    expect(printExpr(substitute(expr, { dims: [undefined, 0] }))).toBe('d0 + s0');
  });

  it('changes the arity of maps and sets as told', () => {
    const map = affineMap('(d0, d1)[s0] -> (d0 + s0, d1)');
    expect(printMap(substitute(map, { symbols: [5], numSymbols: 0 }))).toBe('(d0, d1) -> (d0 + 5, d1)');
    const set = integerSet('(d0)[s0] : (d0 >= s0)');
    expect(printSet(substitute(set, { symbols: [5], numSymbols: 0 }))).toBe('(d0) : (d0 - 5 >= 0)');
  });
});

describe('shifting and joining', () => {
  const map = affineMap('(d0, d1)[s0] -> (d0, d1 + s0)');

  it('makes room for dimensions and symbols', () => {
    expect(printMap(shiftDims(map, 2))).toBe('(d0, d1, d2, d3)[s0] -> (d2, d3 + s0)');
    expect(printMap(shiftDims(map, 1, 1))).toBe('(d0, d1, d2)[s0] -> (d0, d2 + s0)');
    expect(printMap(shiftSymbols(map, 1))).toBe('(d0, d1)[s0, s1] -> (d0, d1 + s1)');
  });

  it('joins the results of maps', () => {
    const other = affineMap('(d0)[s0] -> (d0 * s0)');
    expect(printMap(concatMaps([map, other]))).toBe('(d0, d1)[s0] -> (d0, d1 + s0, d0 * s0)');
    expect(printMap(concatMaps([map, other], { shared: false }))).toBe(
      '(d0, d1, d2)[s0, s1] -> (d0, d1 + s0, d2 * s1)',
    );
  });
});

describe('ready-made maps', () => {
  it('print as expected', () => {
    expect(printMap(identityMap(2))).toBe('(d0, d1) -> (d0, d1)');
    expect(printMap(permutationMap([2, 0, 1]))).toBe('(d0, d1, d2) -> (d2, d0, d1)');
    expect(printMap(constantMap(4, -1))).toBe('() -> (4, -1)');
    expect(() => permutationMap([0, 0])).toThrow('[0, 0] is not a permutation');
  });
});
