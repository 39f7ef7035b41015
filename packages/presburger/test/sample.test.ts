import { isEmpty, sample } from '@sconv/presburger';
import { expect, it } from 'vitest';
import { pointsOf, randomNumbers, randomSet, satisfies } from './random-sets.ts';

it.each([
  [1, { dims: 2, constraints: 5, divisions: 2, coefficients: 9, box: 4 }],
  [2, { dims: 3, constraints: 4, divisions: 1, coefficients: 20, box: 3 }],
  [3, { dims: 2, constraints: 3, divisions: 1, coefficients: 6, unknowns: 2, box: 3 }],
  [5, { dims: 2, constraints: 3, divisions: 6, coefficients: 6, box: 4 }],
])('finds a point if there is one (%i)', (seed, shape) => {
  const random = randomNumbers(seed);
  let empty = 0;
  for (let i = 0; i < 60; i++) {
    const set = randomSet(random, shape);
    const point = sample(set);
    if (point === undefined) {
      empty += 1;
      expect(pointsOf(set, shape.box)).toEqual([]);
    } else expect(satisfies(set.pieces[0]!, point.dims.map(Number), shape.box)).toBe(true);
  }
  expect(empty).toBeGreaterThan(5);
});

it('finds points of unbounded sets', () => {
  const random = randomNumbers(4);
  let found = 0;
  for (let i = 0; i < 100; i++) {
    const set = randomSet(random, { dims: 3, constraints: 5, divisions: 1, coefficients: 9 });
    const point = sample(set);
    const small = pointsOf(set, 3);
    if (point === undefined) expect(small).toEqual([]);
    else {
      found += 1;
      expect(satisfies(set.pieces[0]!, point.dims.map(Number), 0)).toBe(true);
    }
    expect(isEmpty(set)).toBe(point === undefined);
  }
  expect(found).toBeGreaterThan(30);
});
