import { describe, expect, it } from 'vitest';
import { randomOf } from '../src/random.ts';

const draws = (seed: number, index: number) => {
  const random = randomOf(seed, index);
  return Array.from({ length: 20 }, () => random.integer(0, 999));
};

describe('randomOf', () => {
  it('draws the same for the same payload of a seed', () => {
    expect(draws(1, 5)).toEqual(draws(1, 5));
  });

  it('draws otherwise for each payload and each seed', () => {
    const places = [1, 2, 3].flatMap((seed) => [0, 1, 2, 3].map((index) => draws(seed, index).join(' ')));
    expect(new Set(places).size).toBe(places.length);
  });

  it('draws both ends of an interval', () => {
    const random = randomOf(1, 0);
    const drawn = new Set(Array.from({ length: 200 }, () => random.integer(3, 6)));
    expect([...drawn].sort()).toEqual([3, 4, 5, 6]);
  });

  it('draws by weight, and nothing where there is nothing', () => {
    const random = randomOf(1, 0);
    const drawn = Array.from({ length: 1000 }, () =>
      random.weighted([
        [9, 'often'],
        [1, 'rarely'],
        [0, 'never'],
      ]),
    );
    expect(drawn.filter((item) => item === 'rarely').length).toBeGreaterThan(50);
    expect(drawn.filter((item) => item === 'often').length).toBeGreaterThan(800);
    expect(drawn).not.toContain('never');
    expect(random.weighted([])).toBeUndefined();
  });

  it('shuffles without losing anything', () => {
    const random = randomOf(1, 0);
    const shuffled = Array.from({ length: 50 }, () => random.shuffled([1, 2, 3]));
    expect(new Set(shuffled.map((items) => items.join(' '))).size).toBe(6);
  });
});
