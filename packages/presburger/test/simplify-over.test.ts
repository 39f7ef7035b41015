import { describe, expect, it } from 'vitest';
import { affineMap, integerSet, printMap, printSet } from '@sconv/affine';
import { equivalentOver, intersect, isEqual, fromSet, parseSet, simplifyOver } from '@sconv/presburger';
import { randomNumbers, randomSet } from './random-sets.ts';

describe('simplifyOver', () => {
  it.each([
    ['(d0) -> (d0 floordiv 4 * 4)', '{ [i] : i mod 4 = 0 }', '(d0) -> (d0)'],
    ['(d0) -> (d0 floordiv 4 * 8)', '{ [i] : i mod 4 = 3 }', '(d0) -> (d0 * 2 - 6)'],
    ['(d0) -> (d0 ceildiv 4)', '{ [i] : 0 < i <= 4 }', '(d0) -> (1)'],
    ['(d0, d1) -> (d1 mod 16)', '{ [i, j] : 16 <= i <= j < 32 }', '(d0, d1) -> (d1 - 16)'],
    ['(d0)[s0] -> (d0 mod 8 + s0)', '[n] -> { [i] : 0 <= i < n and n <= 8 }', '(d0)[s0] -> (d0 + s0)'],
    ['(d0)[s0] -> (d0 mod 8)', '{ [i] : 0 <= i < 9 }', '(d0)[s0] -> (d0 mod 8)'],
    ['(d0)[s0] -> (d0 mod s0 + d0 mod 4)', '{ [i] : 0 <= i < 4 }', '(d0)[s0] -> (d0 + d0 mod s0)'],
    ['(d0, d1) -> (d0 - d1)', '{ [i, j] : i = j + 5 }', '(d0, d1) -> (5)'],
    ['(d0) -> (d0 mod 4)', '{ [i] : false }', '(d0) -> (d0 mod 4)'],
    ['(d0) -> (d0 * 9007199254740991)', '{ [i] : 0 <= i < 3 }', '(d0) -> (d0 * 9007199254740991)'],
  ])('of %s over %s', (map, over, expected) => {
    expect(printMap(simplifyOver(affineMap(map), parseSet(over)))).toBe(expected);
  });

  it.each([
    ['(d0) : (d0 >= 0, 8 - d0 >= 0)', '{ [i] : 0 <= i < 5 }', '(d0) : (0 == 0)'],
    ['(d0) : (d0 mod 4 == 0, d0 - 3 >= 0)', '{ [i] : i mod 8 = 0 }', '(d0) : (d0 - 3 >= 0)'],
    ['(d0) : (d0 - 1 >= 0, d0 - 2 >= 0)', '{ [i] : i >= 0 }', '(d0) : (d0 - 2 >= 0)'],
  ])('of %s over %s', (set, over, expected) => {
    expect(printSet(simplifyOver(integerSet(set), parseSet(over)))).toBe(expected);
  });

  it('takes a set of MLIR, and refuses one of other dimensions', () => {
    const map = affineMap('(d0) -> (d0 mod 4)');
    expect(printMap(simplifyOver(map, integerSet('(d0) : (d0 >= 0, 3 - d0 >= 0)')))).toBe('(d0) -> (d0)');
    expect(() => simplifyOver(map, parseSet('{ [i, j] }'))).toThrow(
      'a map of 1 dimensions and 0 symbols over',
    );
  });

  it('keeps the values on random sets, and the points of sets', () => {
    const random = randomNumbers(8);
    const upTo = (most: number) => Math.floor(random() * (most + 1));
    let shorter = 0;
    for (let i = 0; i < 60; i++) {
      const over = randomSet(random, { dims: 2, constraints: 3, divisions: 1, coefficients: 3, box: 6 });
      const [a, b, c, d] = [upTo(3) - 1, upTo(4) - 2, 1 + upTo(5), 1 + upTo(5)];
      const form = `(d0 * ${a} + d1 * ${b}) mod ${c} + (d0 + d1 * ${a}) floordiv ${d} * ${2 * d}`;
      const map = affineMap(`(d0, d1) -> (${form})`);
      const found = simplifyOver(map, over);
      expect(equivalentOver(map, found, over)).toEqual({ equivalent: true });
      if (printMap(found) !== printMap(map)) shorter += 1;
      const set = integerSet(`(d0, d1) : (${form} - ${b} >= 0, d0 * ${a} + d1 + 3 >= 0)`);
      const on = (each: typeof set) => intersect(fromSet(each), over);
      expect(isEqual(on(simplifyOver(set, over)), on(set))).toBe(true);
    }
    expect(shorter).toBeGreaterThan(10);
  });
});
