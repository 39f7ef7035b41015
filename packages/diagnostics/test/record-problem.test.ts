import { expect, it } from 'vitest';
import { recordProblem } from '../src/index.ts';

it.each<[unknown, string, string]>([
  [undefined, 'plan', 'undefined'],
  [null, 'plan', 'null'],
  ['is', 'plan', "'is'"],
  [[{}], 'plan', '[an object]'],
  [{ tiles: {} }, 'plan.shape', 'undefined'],
  [{ shape: {}, tiles: 4 }, 'plan.tiles', '4'],
])('%j is no record with these parts', (value, field, given) => {
  expect(recordProblem('plan', value, ['shape', 'tiles'])).toEqual({
    field,
    message: `expected an object, not ${given}`,
  });
});

it('records are found to be', () => {
  expect(recordProblem('plan', { shape: {}, tiles: {} }, ['shape', 'tiles'])).toBeUndefined();
});
