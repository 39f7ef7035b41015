import { describe, expect, it } from 'vitest';
import { misses, neverBefore, reuseAt } from '../src/reuse.ts';

/** Misses start at 90 lines; from 130 on everything misses. */
const cache = { lines: 100, sets: 10, lineBytes: 64 };

/** Lines 5 lines apart map to 2 of the 10 sets: fivefold crowding; 2 lines apart, twofold. */
const [fivefold, twofold] = [320, 128];

describe('of 1000 reuses the cache misses', () => {
  it.each([
    ['none at a short distance', 0, 0, 0],
    ['none up to the start of the band', 90, 90, 0],
    ['half in the middle of the band', 110, 110, 500],
    ['a tenth shortly after its start', 94, 94, 100],
    ['all from the end of the band', 130, 130, 1000],
    ['all at any longer distance', 1e9, 1e9, 1000],
    ['none of distances before the band', 10, 90, 0],
    ['all of distances behind the band', 130, 500, 1000],
    ['half of distances that fill the band', 90, 130, 500],
    ['half of distances in the middle of it', 100, 120, 500],
    ['a share of distances across the band', 50, 150, 400],
    ['a share of distances that begin in it', 110, 150, 875],
    ['a share of distances that end in it', 70, 110, 125],
    ['as much whichever end comes first', 150, 50, 400],
    ['all of what has no end', 0, Infinity, 1000],
  ])('%s', (_, from, to, expected) => {
    expect(misses({ touches: 1000, from, to }, cache)).toBeCloseTo(expected, 9);
  });
  it('all that were never touched before', () => {
    expect(misses(neverBefore(1000), cache)).toBe(1000);
  });
  it.each([0, -1e-12])('none of %d', (touches) => {
    expect(misses({ touches, from: 1e9, to: 1e9 }, cache)).toBe(0);
  });
});

describe('lines at a power-of-two stride of their own', () => {
  it.each([
    ['are as far apart as many more', 90, { lines: 5, stride: fivefold, run: 1 }, 500],
    ['are so at both ends', 70, { lines: 10, stride: twofold, run: 1 }, 0],
    ['count for their number', 90, { lines: 20, stride: twofold, run: 1 }, 500],
    ['are not where they come in runs', 90, { lines: 5, stride: fivefold, run: 5 }, 0],
    ['are less where they come in short runs', 90, { lines: 10, stride: fivefold, run: 2.5 }, 250],
    ['are not where no multiple of a line is between them', 90, { lines: 5, stride: 321, run: 1 }, 0],
    ['are not where the stride meets all sets', 90, { lines: 5, stride: 3 * 64, run: 1 }, 0],
    ['take short runs for single lines', 90, { lines: 5, stride: fivefold, run: 0.5 }, 500],
  ])('%s', (_, distance, own, expected) => {
    expect(misses(reuseAt(1000, distance, own), cache)).toBeCloseTo(expected, 9);
  });
  it('do not crowd a fully associative cache', () => {
    const own = { lines: 5, stride: fivefold, run: 1 };
    expect(misses(reuseAt(1000, 90, own), { ...cache, sets: 1 })).toBe(0);
  });
});

describe('lines at such a stride between two touches', () => {
  it.each([
    [
      'crowd the sets that they fall into, and free the others',
      92,
      [{ lines: 10, stride: twofold, run: 1 }],
      150,
    ],
    ['add as much as they free in the middle of the band', 95, [{ lines: 4, stride: twofold, run: 1 }], 125],
    ['crowd a few sets only', 60, [{ lines: 30, stride: fivefold, run: 1 }], 200],
    ['never help', 120, [{ lines: 10, stride: fivefold, run: 1 }], 750],
    ['do nothing at another stride', 92, [{ lines: 10, stride: 3 * 64, run: 1 }], 50],
    [
      'count by the group that is worst',
      60,
      [
        { lines: 10, stride: twofold, run: 1 },
        { lines: 30, stride: fivefold, run: 1 },
        { lines: 1, stride: twofold, run: 1 },
      ],
      200,
    ],
  ])('%s', (_, distance, strided, expected) => {
    expect(misses({ ...reuseAt(1000, distance), strided }, cache)).toBeCloseTo(expected, 9);
  });
});
