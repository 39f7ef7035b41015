import { expect, it } from 'vitest';
import { erf } from '../src/erf.ts';

/** Values of glibc's `erf`. */
it.each([
  [0, 0],
  [1e-310, 1.1283791670955e-310],
  [1e-5, 1.1283791670579e-5],
  [0.5, 0.5204998778130465],
  [0.99, 0.8385080695553698],
  [1, 0.8427007929497149],
  [1.25, 0.9229001282564582],
  [2, 0.9953222650189527],
  [3.7, 0.9999998328489421],
  [5.92, 0.9999999999999999],
  [6, 1],
  [Infinity, 1],
])('erf(±%d) is ±%d', (x, expected) => {
  const ulp = Number.EPSILON * expected;
  expect(Math.abs(erf(x) - expected)).toBeLessThanOrEqual(ulp);
  expect(erf(-x)).toBe(-erf(x));
});

it('of what is no number is none', () => {
  expect(erf(NaN)).toBeNaN();
});
