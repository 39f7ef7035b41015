import { expect, it } from 'vitest';
import { firstWrong } from '../src/observe.ts';

const results = (...values: readonly number[]) => new Map([['f', [values]]]);

it('compares whole numbers exactly, however large the others are', () => {
  expect(firstWrong(results(1e9, 7), results(1e9, 8))).toBe('element 1 of result 0 of @f is 8 instead of 7');
});

it('lets fractions differ by rounding, and no more', () => {
  expect(firstWrong(results(1e9, 7.5), results(1e9, 7.25))).toBeUndefined();
  expect(firstWrong(results(1, 7.5), results(1, 7.25))).toContain('element 1');
});
