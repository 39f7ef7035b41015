import { describe, expect, it } from 'vitest';
import type { Attribute } from '../src/index.ts';
import { DYNAMIC, exactNumber, i64, integerAttribute, integerOf, stringAttribute } from '../src/index.ts';

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
