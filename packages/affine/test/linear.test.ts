import { describe, expect, it } from 'vitest';
import {
  affineExpr,
  affineMap,
  rowMajorIndices,
  dim,
  linearForm,
  rowMajorPosition,
  printExpr,
  printMap,
  simplify,
  splitDim,
  stridesAndOffset,
  symbol,
  writtenLinearForm,
} from '../src/index.ts';

describe('linearForm', () => {
  it.each([
    ['d0 * 3 - d2 + s1 * 2 + 5 - d0', { dims: [2, 0, -1], symbols: [0, 2], constant: 5 }],
    ['(d0 floordiv 4) * 4 + d0 mod 4', { dims: [1], symbols: [], constant: 0 }],
    ['d0 mod 4', undefined],
    ['d0 * s0', undefined],
  ])('%s', (text, expected) => {
    expect(linearForm(affineExpr(text))).toEqual(expected);
  });
});

describe('writtenLinearForm', () => {
  it.each([
    ['d0 * 3 - d2 + s1 * 2 + 5 - d0', { dims: [2, 0, -1], symbols: [0, 2], constant: 5 }],
    ['(d0 floordiv 4) * 4 + d0 mod 4', undefined],
    ['d0 mod 4', undefined],
  ])('%s', (text, expected) => {
    expect(writtenLinearForm(affineExpr(text))).toEqual(expected);
  });
});

describe('stridesAndOffset', () => {
  it.each([
    ['(d0, d1)[s0, s1] -> (d0 * s0 + d1 * 2 + s1 + 3)', ['s0', '2'], 's1 + 3'],
    ['(d0, d1) -> (d1)', ['0', '1'], '0'],
    ['(d0) -> (d0 * 2 + d0)', ['3'], '0'],
  ])('%s', (text, strides, offset) => {
    const layout = stridesAndOffset(affineMap(text));
    expect(
      layout && { strides: layout.strides.map((s) => printExpr(s)), offset: printExpr(layout.offset) },
    ).toEqual({
      strides,
      offset,
    });
  });

  it('has none for what is not strided', () => {
    expect(stridesAndOffset(affineMap('(d0) -> (d0 mod 4)'))).toBeUndefined();
    expect(stridesAndOffset(affineMap('(d0) -> (d0, d0)'))).toBeUndefined();
  });
});

describe('tile and point', () => {
  it('splits a dimension', () => {
    const map = affineMap('(d0, d1, d2) -> (d1 floordiv 4, d2)');
    expect(printMap(splitDim(map, 1, 8))).toBe('(d0, d1, d2, d3) -> (d1 * 2 + d2 floordiv 4, d3)');
    expect(printMap(splitDim(affineMap('(d0)[s0] -> (d0 + s0)'), 0, symbol(0)))).toBe(
      '(d0, d1)[s0] -> (d0 * s0 + d1 + s0)',
    );
    expect(() => splitDim(map, 3, 8)).toThrow('there is no dimension 3: the map has 3');
  });

  it('simplifies with the bounds of the point', () => {
    const split = splitDim(affineMap('(d0) -> (d0 floordiv 8, d0 mod 8)'), 0, 8);
    expect(printMap(simplify(split, { d1: [0, 8] }))).toBe('(d0, d1) -> (d0, d1)');
  });

  it('delinearises what it linearised', () => {
    const basis = [7, 75, 152];
    const position = rowMajorPosition([dim(0), dim(1), dim(2)], basis);
    expect(printExpr(position)).toBe('(d0 * 75 + d1) * 152 + d2');
    const box = { d1: [0, 75], d2: [0, 152] } as const;
    const indices = rowMajorIndices(position, basis).map((index) => printExpr(simplify(index, box)));
    expect(indices).toEqual(['d0', 'd1', 'd2']);
    expect(() => rowMajorPosition([dim(0)], basis)).toThrow('1 indices do not fit a basis of 3');
  });
});
