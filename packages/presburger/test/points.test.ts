import { describe, expect, it } from 'vitest';
import { parseSet, points } from '@sconv/presburger';
import { pointsOf, randomNumbers, randomSet } from './random-sets.ts';

describe('points', () => {
  it.each([
    [
      '{ [i, j] : 0 <= i <= j < 3 }',
      [
        [0, 0],
        [0, 1],
        [0, 2],
        [1, 1],
        [1, 2],
        [2, 2],
      ],
    ],
    ['{ [i] : i = 5 or i = 1000000000000 or i = -3 }', [[-3], [5], [1000000000000]]],
    ['{ [i] : i mod 4 = 1 and 0 <= i < 10 }', [[1], [5], [9]]],
    ['{ [i] : false }', []],
    ['{ [] : 1 = 1 }', [[]]],
  ])('of %s', (set, expected) => {
    expect(points(parseSet(set))).toEqual(expected);
  });

  it('are those of random sets', () => {
    const random = randomNumbers(5);
    for (let i = 0; i < 40; i++) {
      const shape = { dims: 2, constraints: 3, divisions: 1, coefficients: 3, unknowns: 1, box: 4 };
      const set = randomSet(random, shape, 2);
      expect(points(set)).toEqual(pointsOf(set, 4));
    }
  });

  it('are limited, and have a first one', () => {
    expect(() => points(parseSet('{ [i] : i >= 0 }'), 50)).toThrow('the set has more than 50 points');
    expect(() => points(parseSet('{ [i] : i <= 0 }'))).toThrow('no point is the least');
    expect(() => points(parseSet('[n] -> { [i] : i = n }'))).toThrow('symbol');
  });
});
