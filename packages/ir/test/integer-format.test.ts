import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import type { Attribute, Type } from '../src/index.ts';
import {
  attributeEquals,
  denseArrayAttribute,
  denseElementsAttribute,
  DYNAMIC,
  exactNumber,
  i1,
  i32,
  i64,
  indexType,
  integerAttribute,
  integerOf,
  integerType,
  parseAttribute,
  stridedLayoutAttribute,
  stringAttribute,
  vectorType,
} from '../src/index.ts';
import { registry } from './test-dialect.ts';

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
    // As from a literal.
    [255n, integerType(8), -1n],
    [-1, integerType(8, 'unsigned'), 255n],
    [-1, i1, 1n],
    [256n, integerType(8), 0n],
    [-129, integerType(8), 127n],
    [128, integerType(8, 'signed'), -128n],
    [2, i1, 0n],
    [DYNAMIC, i64, -(2n ** 63n)],
    [2 ** 53 - 1, i64, 2n ** 53n - 1n],
  ])('%s : %o is stored as %s', (value, type, stored) => {
    expect(integerAttribute(value, type).value).toBe(stored);
  });

  it.each<[Attribute, string]>([
    [integerAttribute(200, integerType(8)), '200 : i8'],
    [integerAttribute(-1, i1), 'true'],
    [integerAttribute(-1, integerType(8, 'unsigned')), '255 : ui8'],
    [denseElementsAttribute([255n, 1n], vectorType([2], integerType(8))), 'dense<[255, 1]> : vector<2xi8>'],
    [denseElementsAttribute([-1n], vectorType([2], i1)), 'dense<true> : vector<2xi1>'],
    [
      denseElementsAttribute([2n ** 63n], vectorType([2], indexType)),
      `dense<${-(2n ** 63n)}> : vector<2xindex>`,
    ],
    [denseArrayAttribute([255, 256n], integerType(8)), 'array<i8: 255, 0>'],
    [denseArrayAttribute([1, 0n, true], i1), 'array<i1: true, false, true>'],
    [denseArrayAttribute([-0, -1, 2 ** 31], i32), `array<i32: 0, -1, ${-(2 ** 31)}>`],
    [denseArrayAttribute([-1], integerType(32, 'unsigned')), `array<ui32: ${2 ** 32 - 1}>`],
    [denseArrayAttribute([5n, 2n ** 60n, 2n ** 63n]), `array<i64: 5, ${2n ** 60n}, ${-(2n ** 63n)}>`],
  ])('equals the attribute of its text: %#', (attribute, text) => {
    const parsed = unwrap(parseAttribute(text, { registry }));
    expect(attribute).toEqual(parsed);
    expect(attributeEquals(attribute, parsed)).toBe(true);
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
