import { card, lexmax, lexmin, parseSet, parseUnion, withinSteps } from '@sconv/presburger';
import { describe, expect, it } from 'vitest';
import { pointsOf, randomNumbers, randomSet } from './random-sets.ts';

describe('the number of points', () => {
  it.each([
    [31, { dims: 2, constraints: 3, divisions: 0, coefficients: 2, box: 9 }],
    [32, { dims: 3, constraints: 2, divisions: 0, coefficients: 3, box: 4 }],
    [33, { dims: 3, constraints: 2, divisions: 2, coefficients: 5, box: 3 }],
    [34, { dims: 4, constraints: 3, divisions: 0, coefficients: 1, box: 2 }],
  ] as const)('is that of enumeration, seed %i', (seed, shape) => {
    const random = randomNumbers(seed);
    for (let i = 0; i < 60; i++) {
      const set = randomSet(random, shape, 2);
      expect(card(set)).toBe(pointsOf(set, shape.box).length);
    }
  });

  it('is that of enumeration in polygons with steep and flat sides', () => {
    const random = randomNumbers(35);
    const upTo = (most: number) => Math.floor(random() * (2 * most + 1)) - most;
    for (let i = 0; i < 200; i++) {
      const rows = Array.from({ length: 1 + Math.floor(random() * 4) }, () => [upTo(9), upTo(9), upTo(60)]);
      const sides = rows.map(([a, b, c]) => `${a}i + ${b}j + ${c} >= 0`).join(' and ');
      let points = 0;
      for (let x = -20; x <= 20; x++)
        for (let y = -20; y <= 20; y++) if (rows.every(([a, b, c]) => a! * x + b! * y + c! >= 0)) points += 1;
      expect(card(parseSet(`{ [i, j] : -20 <= i, j <= 20 and ${sides} }`))).toBe(points);
    }
  });

  it.each([
    // Sides whose slopes are fractions; a million slices of what two quotients link.
    ['{ [i, j] : 0 <= i < 1000000007 and 0 <= 7j <= 3i + 5 }', 214_285_718_357_142_875n, 10_000],
    [
      '{ [i] : exists (e0 = floor((-80i - 17)/25), e1 = floor((-2i + 12)/6) : 11i + 14e1 >= 2 and ' +
        '-14e0 - 86e1 + 4 >= 0 and 2i - 2e0 - 2e1 >= 43 and 0 <= i < 1000000) }',
      999_995n,
      2_000_000,
    ],
    // Unknowns that nothing links, and lengths that are a series: hardly any work.
    ['{ [a, b, c, d, e, f] : 0 <= a, b, c, d, e, f < 1000000 }', 1_000_000n ** 6n, 10_000],
    ['{ [i, j] : 0 <= i <= j < 1000000000 }', 500_000_000_500_000_000n, 10_000],
    ['{ [i, j, k] : 0 <= i <= j < 1000 and 3 <= 2k < 1000 }', 249_249_000n, 10_000],
    ['{ [i, j] : 0 <= i < 10 and 3i <= j < 7i + 2 }', 200n, 10_000],
    ['{ [a, b, c, d] : 0 <= a <= b <= c <= d < 60 }', 595_665n, 20_000_000],
    ['{ [a, b, c] : a >= 0 and 3c + 1 <= 10b <= 3c + 2 and 0 <= c <= 2 }', 0n, 10_000],
    // A division of one part is of no concern to the other.
    [
      '{ [i, j, k] : ((exists (e0 = floor((5k + 7)/7), e1 = floor((39i - 44j - 91k - 1)/3) : 52 <= i <= 53 and ' +
        '-58 <= k <= 25 and -20e0 - 78e1 - 5 >= 0 and 60j - 66k - 34e1 - 73 >= 0)) or 11i + 3j >= 1) and ' +
        '0 <= i, j, k < 100 }',
      999_900n,
      20_000_000,
    ],
  ])('of %s is found within its steps', (text, count, steps) => {
    expect(BigInt(withinSteps(() => card(parseSet(text)), steps))).toBe(count);
  });
});

describe('what has no least point', () => {
  it.each([
    '{ [i, j] -> [k, l] : exists (e0 = floor((34i - 11j + 24k + 16)/7), e1 = floor((-2i - 60j + 2l - 8)/10) : ' +
      '27i + 6j - 4k - 43l - 3e1 = 2) }',
    '{ [i] -> [j, k, l] : exists (e0 = floor((42i + 8j - 17k - 3l - 3)/3) : 2 <= j <= 3 and ' +
      '5j + 89k - 32l - 21e0 = 76) }',
    // The first piece alone takes longer.
    '[n] -> { [i] : (exists (e0 = floor((9i - 46n + 65)/6), e1 = floor((-14i + 4n - 5)/61) : ' +
      '10i + 55n + 4e1 <= -8 and 13n + 28e1 <= -22 and 2i - n + 24e0 - 30e1 >= 30)) or i mod 2 = 0 }',
  ])('is found by its rays: %s', (text) => {
    for (const extreme of [lexmin, lexmax])
      expect(() => withinSteps(() => extreme(parseUnion(text)), 200_000)).toThrow(
        expect.objectContaining({ code: 'presburger/unbounded' }),
      );
  });

  it('is only what has points', () => {
    expect(lexmin(parseSet('{ [i, j] : 3i + 6j = 1 }')).pieces).toEqual([]);
    expect(() => lexmin(parseSet('{ [i, j] : 3i + 6j = 3 }'))).toThrow(/the least/);
    expect(() => lexmax(parseSet('{ [i, j] : 3i + 6j = 3 }'))).toThrow(/the greatest/);
  });
});
