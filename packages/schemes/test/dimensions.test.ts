import { expect, it } from 'vitest';
import { letterOf } from '../src/index.ts';

it.each([
  ['filters', 'k'],
  ['rows', 'h'],
  ['tapColumns', 's'],
  ['windows', 'windows'],
])('%s is %s in schemes', (dimension, letter) => {
  expect(letterOf(dimension)).toBe(letter);
});
