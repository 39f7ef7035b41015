import type { PresburgerSet } from '@sconv/presburger';
import {
  complement,
  intersect,
  isDisjoint,
  isEqual,
  isSubset,
  project,
  subtract,
  union,
  withDivisions,
} from '@sconv/presburger';
import { describe, expect, it } from 'vitest';
import { pointsOf, randomNumbers, randomSet } from './random-sets.ts';

const box = 3;
const shapes = [
  [11, { dims: 2, constraints: 3, divisions: 2, coefficients: 7 }],
  [12, { dims: 2, symbols: 1, constraints: 3, divisions: 1, coefficients: 5 }],
  [13, { dims: 2, constraints: 2, divisions: 1, coefficients: 3, unknowns: 1, box }],
] as const;

const keys = (set: PresburgerSet) => new Set(pointsOf(set, box).map(String));

describe.each(shapes)('random sets %i', (seed, shape) => {
  const random = randomNumbers(seed);
  const cases = Array.from(
    { length: 10 },
    () => [randomSet(random, shape, 2), randomSet(random, shape, 2)] as const,
  );

  it('combines them as sets of points', () => {
    for (const [a, b] of cases) {
      const [inA, inB] = [keys(a), keys(b)];
      expect(keys(intersect(a, b))).toEqual(new Set([...inA].filter((key) => inB.has(key))));
      expect(keys(union(a, b))).toEqual(new Set([...inA, ...inB]));
      expect(keys(subtract(a, b))).toEqual(new Set([...inA].filter((key) => !inB.has(key))));
    }
  });

  it('answers questions as their points do', () => {
    for (const [a, b] of cases) {
      const common = intersect(a, b);
      expect(isSubset(common, a)).toBe(true);
      expect(isSubset(a, common)).toBe(isSubset(a, b));
      expect(isDisjoint(a, subtract(b, a))).toBe(true);
      expect(isEqual(a, union(common, subtract(a, b)))).toBe(true);
    }
  });

  it('projects them', () => {
    for (const [a] of cases) {
      const projection = withDivisions(project(a, [0]));
      expect(projection.pieces.every(({ locals }) => locals.every((local) => local !== null))).toBe(true);
      expect(isEqual(projection, project(a, [0]))).toBe(true);
    }
  });
});

it('has complements that are the rest', () => {
  const random = randomNumbers(14);
  for (let i = 0; i < 10; i++) {
    const set = randomSet(random, { dims: 2, constraints: 3, divisions: 1, coefficients: 5 });
    expect(isEqual(complement(complement(set)), set)).toBe(true);
    expect(isDisjoint(complement(set), set)).toBe(true);
  }
});
