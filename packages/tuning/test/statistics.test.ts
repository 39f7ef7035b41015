import { expect, it } from 'vitest';
import { median } from '../src/index.ts';

it.each([
  [[3], 3],
  [[4, 1], 2.5],
  [[9, 1, 5], 5],
  [[4, 3, 2, 1], 2.5],
  // The 5 best and the 5 worst of 20 dropped.
  [[...Array<number>(5).fill(0), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...Array<number>(5).fill(99)], 5.5],
  [[], NaN],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});
