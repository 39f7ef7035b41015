import { describe, expect, it } from 'vitest';
import type { Attribute, Type } from '../src/index.ts';
import {
  denseArrayAttribute,
  DYNAMIC,
  exactNumber,
  i1,
  i64,
  indexType,
  integerAttribute,
  integerOf,
  integerType,
  stridedLayoutAttribute,
  stringAttribute,
} from '../src/index.ts';

describe('exactNumber', () => {
  it.each([
    [0n, 0],
    [-5n, -5],
    [7, 7],
    [true, 1],
    [2n ** 53n - 1n, 2 ** 53 - 1],
    [1n - 2n ** 53n, 1 - 2 ** 53],
    [2n ** 53n, undefined],
    [-(2n ** 53n), undefined],
    // Exact as a number, but its neighbours are not.
    [2n ** 60n, undefined],
    [2n ** 63n - 1n, undefined],
    [-(2n ** 63n), DYNAMIC],
  ])('of %s is %s', (value, number) => {
    expect(exactNumber(value)).toBe(number);
  });
});

describe('integerAttribute', () => {
  it.each<[bigint | number, Type, bigint]>([
    [2n ** 63n, indexType, -(2n ** 63n)],
    [-(2n ** 63n) - 1n, indexType, 2n ** 63n - 1n],
    [2n ** 64n + 5n, i64, 5n],
    // As upstream, up to the unsigned maximum.
    [255n, integerType(8), 255n],
    [256n, integerType(8), 0n],
    [-129, integerType(8), 127n],
    [128, integerType(8, 'signed'), -128n],
    [2, i1, 0n],
    [DYNAMIC, i64, -(2n ** 63n)],
    [2 ** 53 - 1, i64, 2n ** 53n - 1n],
  ])('%s : %o is stored as %s', (value, type, stored) => {
    expect(integerAttribute(value, type).value).toBe(stored);
  });

  it.each([2 ** 53, -(2 ** 60), Infinity, NaN])('refuses the number %s', (value) => {
    expect(() => integerAttribute(value, i64)).toThrow();
    expect(() => denseArrayAttribute([1, value])).toThrow(expect.objectContaining({ name: 'AffineError' }));
    expect(() => stridedLayoutAttribute(0, [value])).toThrow(
      expect.objectContaining({ name: 'AffineError' }),
    );
  });
});

it.each<[Attribute | undefined, number | undefined]>([
  [integerAttribute(-3, i64), -3],
  [integerAttribute(2n ** 53n, i64), undefined],
  // A constant is never dynamic.
  [integerAttribute(-(2n ** 63n), i64), undefined],
  [stringAttribute('3'), undefined],
  [undefined, undefined],
])('integerOf %#', (attribute, number) => {
  expect(integerOf(attribute)).toBe(number);
});
