import { expect, it } from 'vitest';
import { integerData, randomIntegers } from '../src/integer-data.ts';

it.each<[number, readonly number[]]>([
  [0, [1144304738, 1416247, 958946056, 627933444]],
  [1, [2693262067, 11749833, 2265367787, 4213581821]],
  [4294967295, [3850105811, 813802916, 3073704848, 4054706436]],
])('random integers of the seed %i', (seed, first) => {
  const next = randomIntegers(seed);
  expect([next(), next(), next(), next()]).toEqual(first);
});

it.each([
  [4, -4, 4],
  [1, -1, 1],
])('data of a range of %i go from %i to %i', (range, low, high) => {
  const data = integerData(1000, 3, range);
  expect([data.length, Math.min(...data), Math.max(...data)]).toEqual([1000, low, high]);
});
