import { describe, expect, it } from 'vitest';
import {
  affineExpr,
  affineMap,
  compressUnusedDims,
  compressUnusedSymbols,
  dropDims,
  dropResults,
  inversePermutation,
  inverseProjectedPermutation,
  isFunctionOfDim,
  isFunctionOfSymbol,
  isIdentity,
  isPermutation,
  isProjectedPermutation,
  printMap,
  subMap,
  usedDims,
  usedSymbols,
} from '../src/index.ts';

describe('permutations and projections', () => {
  it.each([
    ['(d0, d1) -> (d1, d0)', true, true],
    ['(d0, d1) -> (d0, d0)', false, false],
    ['(d0, d1, d2) -> (d2, d0)', false, true],
    ['(d0) -> (d0, 0)', false, false],
    ['(d0, d1) -> (d0 + 1, d1)', false, false],
  ])('%s', (text, permutation, projected) => {
    const map = affineMap(text);
    expect([isPermutation(map), isProjectedPermutation(map)]).toEqual([permutation, projected]);
  });

  it('tells the identity and zeros that broadcast', () => {
    expect(isIdentity(affineMap('(d0, d1) -> (d0, d1)'))).toBe(true);
    expect(isIdentity(affineMap('(d0, d1) -> (d0)'))).toBe(false);
    expect(isProjectedPermutation(affineMap('(d0, d1) -> (d1, 0)'), { allowZero: true })).toBe(true);
  });

  it.each([
    ['(d0, d1, d2) -> (d2, d0, d1)', '(d0, d1, d2) -> (d1, d2, d0)'],
    ['(d0, d1) -> (d1, d0, d0 + d1)', '(d0, d1, d2) -> (d1, d0)'],
    ['(d0, d1) -> (d1)', undefined],
    ['(d0)[s0] -> (s0, 3, d0)', '(d0, d1, d2) -> (d2)'],
  ])('the inverse of %s is %s', (text, expected) => {
    const inverse = inversePermutation(affineMap(text));
    expect(inverse && printMap(inverse)).toBe(expected);
  });

  it('inverts projections with zeros', () => {
    const inverse = inverseProjectedPermutation(affineMap('(d0, d1, d2) -> (d2, d0)'));
    expect(printMap(inverse)).toBe('(d0, d1) -> (d1, 0, d0)');
    expect(() => inverseProjectedPermutation(affineMap('(d0) -> (d0 * 2)'))).toThrow(
      'not a projected permutation',
    );
  });
});

describe('parts of a map', () => {
  const map = affineMap('(d0, d1, d2)[s0, s1] -> (d2 + s1, d0, d0 * 3)');

  it('tells what is used', () => {
    expect([usedDims(map), usedSymbols(map)]).toEqual([[0, 2], [1]]);
    expect(usedDims(affineExpr('d4 floordiv s1 + d1'))).toEqual([1, 4]);
    expect([isFunctionOfDim(map, 1), isFunctionOfDim(map, 2), isFunctionOfSymbol(map, 0)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('drops what is not', () => {
    expect(printMap(compressUnusedDims(map))).toBe('(d0, d1)[s0, s1] -> (d1 + s1, d0, d0 * 3)');
    expect(printMap(compressUnusedSymbols(map))).toBe('(d0, d1, d2)[s0] -> (d2 + s0, d0, d0 * 3)');
    expect(() => dropDims(map, [0])).toThrow('dim 0 is used');
  });

  it('selects results', () => {
    expect(printMap(subMap(map, [2, 0]))).toBe('(d0, d1, d2)[s0, s1] -> (d0 * 3, d2 + s1)');
    expect(printMap(dropResults(map, [0, 2]))).toBe('(d0, d1, d2)[s0, s1] -> (d0)');
    expect(() => subMap(map, [3])).toThrow('there is no result 3: the map has 3');
  });
});
