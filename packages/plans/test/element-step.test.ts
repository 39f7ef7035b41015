import { affineMap } from '@sconv/affine';
import { expect, it } from 'vitest';
import { elementStep } from '../src/index.ts';

const dimensions = ['rows', 'columns', 'channels'].map((name) => ({
  name,
  extent: 4,
  iterator: 'parallel' as const,
}));

it.each([
  ['rows', '(d0, d1, d2) -> (d0, d1, d2)', 24],
  ['columns', '(d0, d1, d2) -> (d0, d1, d2)', 6],
  ['channels', '(d0, d1, d2) -> (d0, d1, d2)', 1],
  ['columns', '(d0, d1, d2) -> (d2, d0, d1 * 2)', 2],
  ['rows', '(d0, d1, d2) -> (0, d1, d2)', 0],
  ['batch', '(d0, d1, d2) -> (d0, d1, d2)', 0],
])('steps along %s by %s: %i', (name, map, step) => {
  const operand = { name: 'input', map: affineMap(map), sizes: [4, 4, 6], bytes: 4 };
  expect(elementStep(dimensions, operand, name)).toBe(step);
});
