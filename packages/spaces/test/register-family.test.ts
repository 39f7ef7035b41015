import { expect, it } from 'vitest';
import { registerFamily } from '../src/index.ts';

it.each([
  [16, ['1: 8-14', '2: 4-6', '3: 3-4', '4: 2-2']],
  [32, ['1: 8-30', '2: 4-14', '3: 3-9', '4: 2-6']],
  [8, []],
])('has kernels of %i registers', (registers, classes) => {
  const family = registerFamily(registers, 4);
  expect(family.classes.map(({ vectors, heights }) => `${vectors}: ${heights[0]}-${heights.at(-1)}`)).toEqual(
    classes,
  );
  for (const { vectors, heights } of family.classes)
    for (const height of heights) expect(vectors * height + vectors + 1).toBeLessThanOrEqual(registers);
});

it.each([
  [0, 4],
  [16, 1.5],
])('refuses %d registers of %d elements', (registers, lanes) => {
  expect(() => registerFamily(registers, lanes)).toThrow(expect.objectContaining({ code: 'spaces/extent' }));
});
