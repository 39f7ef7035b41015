import { describe, expect, it } from 'vitest';
import type { Attribute } from '../src/index.ts';
import {
  atLeast,
  atMost,
  constrained,
  denseArrayAttribute,
  DYNAMIC,
  i32,
  i64,
  i64ArrayAttribute,
  i64Attribute,
  integerAttribute,
  optionalAttribute,
  positive,
  stringAttributeKind,
  stringAttribute,
} from '../src/index.ts';

const integers = (...values: number[]): readonly Attribute[] =>
  values.map((value) => integerAttribute(value, i64));

describe.each([
  [atLeast(i64Attribute, 0), '64-bit signless integer attribute whose minimum value is 0', [0, 5], [-1]],
  [atMost(i64Attribute, 3), '64-bit signless integer attribute whose maximum value is 3', [3, -4], [4]],
  [positive(i64Attribute), '64-bit signless integer attribute whose value is positive', [1], [0, -1]],
  [
    atMost(atLeast(i64Attribute, 0), 3),
    '64-bit signless integer attribute whose minimum value is 0 whose maximum value is 3',
    [0, 3],
    [-1, 4],
  ],
])('%#', (spec, description, inside, outside) => {
  it(description, () => {
    expect(spec.description).toBe(description);
    expect(integers(...inside).map((attribute) => spec.decode(attribute))).toEqual(inside);
    expect(integers(...outside).map((attribute) => spec.decode(attribute))).toEqual(
      outside.map(() => undefined),
    );
    expect(spec.decode(integerAttribute(inside[0]!, i32))).toBeUndefined();
  });
});

it('constrained keeps the presence', () => {
  const short = constrained(
    optionalAttribute(stringAttributeKind),
    'of one letter',
    (text) => text.length === 1,
  );
  expect([short.presence, short.description]).toEqual(['optional', 'string attribute of one letter']);
  expect(['a', 'ab'].map((text) => short.decode(stringAttribute(text)))).toEqual(['a', undefined]);
});

it.each<[string, Attribute, readonly number[] | undefined]>([
  ['numbers', denseArrayAttribute([1, -2, DYNAMIC]), [1, -2, DYNAMIC]],
  ['none', denseArrayAttribute([]), []],
  ['another element type', denseArrayAttribute([1], i32), undefined],
  ['an inexact one', denseArrayAttribute([1, 2n ** 53n + 1n]), undefined],
  ['no array', stringAttribute('1'), undefined],
])('i64ArrayAttribute of %s', (_, attribute, values) => {
  expect(i64ArrayAttribute.decode(attribute)).toEqual(values);
});
