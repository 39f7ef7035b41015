import { describe, expect, it } from 'vitest';
import {
  adoptMap,
  adoptSet,
  affineExpr,
  affineMap,
  dim,
  equals,
  identityMap,
  integerSet,
  makeMap,
  makeSet,
  permutationMap,
  printMap,
  printSet,
  symbol,
} from '../src/index.ts';

describe('equals', () => {
  const read = (text: string) =>
    text.includes('->') ? affineMap(text) : text.includes(' : ') ? integerSet(text) : affineExpr(text);
  const values = [
    'd0',
    'd1',
    's0',
    '7',
    'd0 + s0',
    'd0 + s1',
    'd0 * 2',
    'd0 mod 2',
    '(d0) -> (d0)',
    '(d0) -> (d0, d0)',
    '(d0) -> (0)',
    '(d0, d1) -> (d0)',
    '(d0)[s0] -> (d0)',
    '() -> ()',
    '(d0) : (d0 >= 0)',
    '(d0) : (d0 == 0)',
    '(d0) : (d0 - 1 >= 0)',
    '(d0) : (d0 >= 0, d0 >= 0)',
    '(d0, d1) : (d0 >= 0)',
    '(d0)[s0] : (d0 >= 0)',
  ];

  it.each(values)('%s equals itself, and none of the others', (text) => {
    const others = values.filter((other) => equals(read(text), read(other)));
    expect(others).toEqual([text]);
    expect(
      equals(read(text), JSON.parse(JSON.stringify(read(text))) as typeof text & ReturnType<typeof read>),
    ).toBe(true);
  });
});

describe('maps and sets', () => {
  it('are frozen, all the way down', () => {
    const map = makeMap(1, 1, [dim(0).add(symbol(0))]);
    const set = makeSet(1, 0, [{ expr: dim(0), kind: 'ge' }]);
    const parts = [map, map.results, set, set.constraints, set.constraints[0]];
    expect(parts.every(Object.isFrozen)).toBe(true);
  });

  it('say which of their constraints are equations', () => {
    const set = integerSet('(d0) : (d0 >= 1, d0 <= 5, d0 == 3)');
    expect(set.constraints.map(({ kind }) => kind)).toEqual(['ge', 'ge', 'eq']);
  });

  it('are their text', () => {
    expect(String(makeMap(2, 1, [dim(1), symbol(0)]))).toBe('(d0, d1)[s0] -> (d1, s0)');
    expect(String(makeSet(1, 0, [{ expr: dim(0), kind: 'eq' }]))).toBe('(d0) : (d0 == 0)');
  });

  it('are adopted as they are, or copied from plain data', () => {
    const map = affineMap('(d0)[s0] -> (d0 + s0)');
    const set = integerSet('(d0)[s0] : (d0 - s0 == 0)');
    expect(adoptMap(map)).toBe(map);
    expect(adoptSet(set)).toBe(set);
    expect(printMap(adoptMap(structuredClone(map)))).toBe('(d0)[s0] -> (d0 + s0)');
    expect(printSet(adoptSet(structuredClone(set)))).toBe('(d0)[s0] : (d0 - s0 == 0)');
  });

  it('without a constraint are written as MLIR writes them', () => {
    expect(printSet(makeSet(2, 1, []))).toBe('(d0, d1)[s0] : (0 == 0)');
  });
});

describe('what no map and no set has', () => {
  it.each([-1, 0.5, 65_537, NaN])('%d dimensions or symbols', (count) => {
    const refused = expect.objectContaining({
      code: 'affine/invalid-argument',
      message: `${count} is not a number of dimensions or symbols`,
    }) as Error;
    expect(() => makeMap(count, 0, [])).toThrow(refused);
    expect(() => makeMap(0, count, [])).toThrow(refused);
    expect(() => makeSet(count, 0, [])).toThrow(refused);
    expect(() => makeSet(0, count, [])).toThrow(refused);
  });

  it('65536 are a number of them', () => {
    const { numDims, numSymbols } = makeMap(65_536, 65_536, []);
    expect([numDims, numSymbols]).toEqual([65_536, 65_536]);
  });

  it.each([
    ['a dimension of a map', () => makeMap(1, 2, [dim(1)]), 'd1 is used, but there are only 1 dimensions'],
    ['a symbol of a map', () => makeMap(2, 1, [symbol(1)]), 's1 is used, but there are only 1 symbols'],
    [
      'a dimension of a set',
      () => makeSet(1, 2, [{ expr: dim(1), kind: 'ge' }]),
      'd1 is used, but there are only 1 dimensions',
    ],
    [
      'a symbol of a set',
      () => makeSet(2, 1, [{ expr: symbol(1), kind: 'eq' }]),
      's1 is used, but there are only 1 symbols',
    ],
  ])('%s that does not exist', (_, make, message) => {
    expect(make).toThrow(expect.objectContaining({ code: 'affine/position-out-of-range', message }));
  });
});

describe('ready-made maps', () => {
  it.each([0, 1, 3])('the identity of %d dimensions', (rank) => {
    const names = Array.from({ length: rank }, (_, i) => `d${i}`).join(', ');
    expect(printMap(identityMap(rank))).toBe(`(${names}) -> (${names})`);
  });

  it.each([[[0, 2]], [[1, 2]], [[0, 0]], [[-1, 0]], [[0, 0.5]]])('%j is no permutation', (positions) => {
    expect(() => permutationMap(positions)).toThrow(`[${positions.join(', ')}] is not a permutation`);
  });

  it('permutes more than ten dimensions', () => {
    const positions = [10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    expect(permutationMap(positions).results.map(String)).toEqual(
      positions.map((position) => `d${position}`),
    );
  });
});
