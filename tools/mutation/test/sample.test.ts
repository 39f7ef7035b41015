import { expect, it } from 'vitest';
import { sample } from '../sample.mjs';

const items = Array.from({ length: 10 }, (_, i) => i);

it('repeats itself with the same seed, and only then', () => {
  expect(sample(items, 5, 7)).toEqual(sample(items, 5, 7));
  expect(sample(items, 5, 7)).not.toEqual(sample(items, 5, 8));
});

it('draws each item at most once, and all when it is asked for more', () => {
  expect(sample(items, 20, 1).sort()).toEqual(items);
});

it('draws again for what is not accepted', () => {
  expect(sample(items, 3, 1, (item) => item > 6).sort()).toEqual([7, 8, 9]);
});

it('is about as likely to draw one as another', () => {
  const counts = items.map(() => 0);
  for (let seed = 0; seed < 2000; seed++) for (const item of sample(items, 3, seed)) counts[item]!++;
  for (const count of counts) expect(Math.abs(count - 600)).toBeLessThan(100);
});
