import { describe, expect, it } from 'vitest';
import { stratifiedSample } from '../../src/bench/sample.ts';

interface Item {
  readonly work: number;
  readonly size: number;
}

/** Work and size independent of each other. */
const items: readonly Item[] = Array.from({ length: 400 }, (_, i) => ({
  work: (i * 7) % 400,
  size: (i * 13) % 401,
}));
const draw = (count: number, seed: number): readonly Item[] =>
  stratifiedSample(items, count, seed, [({ work }) => work, ({ size }) => size]);

describe('a stratified sample', () => {
  it.each([1, 2, 3])('has one item of each stratum, seed %i', (seed) => {
    const sample = draw(20, seed);
    expect(new Set(sample).size).toBe(20);
    // Five bands of work, 80 items each, with four of size in each of them.
    expect(sample.map(({ work }) => Math.floor(work / 80))).toEqual(
      [0, 1, 2, 3, 4].flatMap((band) => [band, band, band, band]),
    );
    for (const band of [0, 1, 2, 3, 4]) {
      const sizes = items.filter(({ work }) => Math.floor(work / 80) === band).map(({ size }) => size);
      const quarter = sizes.sort((a, b) => a - b);
      const drawn = sample
        .slice(4 * band, 4 * band + 4)
        .map(({ size }) => Math.floor(quarter.indexOf(size) / 20));
      expect(drawn).toEqual([0, 1, 2, 3]);
    }
  });
  it('is the same for the same seed, and another for another', () => {
    expect(draw(20, 1)).toEqual(draw(20, 1));
    expect(draw(20, 2)).not.toEqual(draw(20, 1));
  });
  it.each([1, 2, 7, 30])('has %i items where so many are asked for', (count) => {
    expect(new Set(draw(count, 1)).size).toBe(count);
  });
  it('is all there is, where that is no more', () => {
    expect(draw(400, 1)).toBe(items);
  });
});
