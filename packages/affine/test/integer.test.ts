import { describe, expect, it } from 'vitest';
import { ceilDivInteger, floorDivInteger, gcd, lcm, modInteger } from '../src/integer.ts';

const dividends = Array.from({ length: 15 }, (_, i) => i - 7);
const divisors = [-3, -2, -1, 1, 2, 3];
const pairs = dividends.flatMap((a) => divisors.map((b) => [a, b] as const));

describe('division', () => {
  it('gives integers, and never a negative zero', () => {
    for (const [a, b] of pairs) {
      expect([floorDivInteger(a, b), ceilDivInteger(a, b)], `${a} by ${b}`).toEqual([
        Math.floor(a / b) + 0,
        Math.ceil(a / b) + 0,
      ]);
      expect(modInteger(a, b), `${a} mod ${b}`).toBe(a - b * Math.floor(a / b) + 0);
    }
  });

  it('is exact up to 2^53', () => {
    const largest = Number.MAX_SAFE_INTEGER;
    expect([floorDivInteger(largest, 2), ceilDivInteger(largest, 2), modInteger(largest, 2)]).toEqual([
      2 ** 52 - 1,
      2 ** 52,
      1,
    ]);
    expect([floorDivInteger(-largest, 2), ceilDivInteger(-largest, 2), modInteger(-largest, 2)]).toEqual([
      -(2 ** 52),
      1 - 2 ** 52,
      1,
    ]);
  });
});

it.each([
  [12, 18, 6, 36],
  [7, 5, 1, 35],
  [8, 4, 4, 8],
  [1, 9, 1, 9],
])('%d and %d have the divisor %d and the multiple %d', (a, b, divisor, multiple) => {
  expect([gcd(a, b), gcd(-a, b), lcm(a, b)]).toEqual([divisor, divisor, multiple]);
});

it.each([
  [0, 5],
  [5, 0],
  [0, -5],
])('the divisor of %d and %d is the other', (a, b) => {
  expect(gcd(a, b)).toBe(5);
});
