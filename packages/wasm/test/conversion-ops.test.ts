import { describe, expect, it } from 'vitest';
import type { Scalar } from './differential.ts';
import { backendsOf, boundaryFloats, boundaryIntegers, differences } from './differential.ts';

const cast = (name: string, from: string, to: string): string => `func.func @f(%a: ${from}) -> ${to} {
  %r = arith.${name} %a : ${from} to ${to}
  return %r : ${to}
}`;

const differencesOf = (
  name: string,
  from: string,
  to: string,
  values: readonly Scalar[],
): readonly string[] =>
  differences(
    backendsOf(cast(name, from, to)),
    'f',
    values.map((value) => [value]),
    to,
  );

const integers = ['i1', 'i8', 'i16', 'i32', 'i64'];
const floats = ['f32', 'f64'];

/** Pairs of types, the first narrower than the second. */
const widening = integers.flatMap((from, i) => integers.slice(i + 1).map((to) => [from, to] as const));

describe.each(widening)('between %s and %s', (narrow, wide) => {
  it.each([
    ['extsi', narrow, wide],
    ['extui', narrow, wide],
    ['trunci', wide, narrow],
  ])('arith.%s', (name, from, to) => {
    expect(differencesOf(name, from, to, boundaryIntegers(from))).toEqual([]);
  });
});

describe.each(integers)('between index and %s', (type) => {
  it.each([
    ['index_cast', type, 'index'],
    ['index_castui', type, 'index'],
    ['index_cast', 'index', type],
    ['index_castui', 'index', type],
  ])('arith.%s', (name, from, to) => {
    expect(differencesOf(name, from, to, boundaryIntegers(from))).toEqual([]);
  });
});

it.each([
  ['index_cast', 'i64', 2n ** 31n],
  ['index_cast', 'i64', -(2n ** 31n) - 1n],
  ['index_castui', 'i32', -1],
])('arith.%s from %s of %s is no index', (name, from, value) => {
  expect(backendsOf(cast(name, from, 'index')).outcomes('f', value).wasm).toBe('overflow');
});

describe.each(integers.flatMap((from) => floats.map((to) => [from, to] as const)))(
  'between %s and %s',
  (integer, float) => {
    const bits = integer === 'i64' ? [2n ** 60n + 2n ** 36n + 1n, -(2n ** 60n) - 2n ** 36n - 1n] : [];
    it.each(['sitofp', 'uitofp'])('arith.%s', (name) => {
      expect(differencesOf(name, integer, float, [...boundaryIntegers(integer), ...bits])).toEqual([]);
    });

    const width = Number(integer.slice(1));
    const bounds = [2 ** width, 2 ** (width - 1)].flatMap((bound) =>
      [bound, -bound].flatMap((value) => [value - 1, value - 0.5, value, value + 0.5, value + 1]),
    );
    const values = [...boundaryFloats, ...bounds.map(Math.fround)];
    it.each(['fptosi', 'fptoui'])('arith.%s', (name) => {
      expect(differencesOf(name, float, integer, values)).toEqual([]);
    });
  },
);

it.each([
  ['extf', 'f32', 'f64', boundaryFloats],
  ['truncf', 'f64', 'f32', [...boundaryFloats, 0.1, 1 / 3, 1e300]],
] as const)('arith.%s', (name, from, to, values) => {
  expect(differencesOf(name, from, to, values)).toEqual([]);
});
