import { expect, it } from 'vitest';
import { combinations, coveringOf } from '../src/index.ts';

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, i) => i + 1);

it('finds all combinations of heights up to 32 whose sum divides an extent up to 256, each once', () => {
  const key = (a: number, low: number, b: number, high: number): number =>
    ((a * 33 + low) * 257 + b) * 33 + high;
  // Every sum of tiles of two heights, added up without a division.
  const sums = Array.from({ length: 257 }, (): number[] => []);
  for (const low of upTo(32))
    for (let high = low + 1; high <= 32; high += 1)
      for (let a = 1; a * low + high <= 256; a += 1)
        for (let sum = a * low + high, b = 1; sum <= 256; sum += high, b += 1)
          sums[sum]!.push(key(a, low, b, high));
  for (const extent of upTo(256)) {
    const expected = sums.filter((_, sum) => extent % sum === 0).flat();
    const found = combinations(upTo(32), extent).flatMap(({ ways, at }) =>
      Array.from({ length: ways }, (_, i) => {
        const [low, high] = at(i);
        return key(low.count, low.height, high.count, high.height);
      }),
    );
    expect(found.length).toBe(expected.length);
    const isSame = Float64Array.from(found).sort().join() === Float64Array.from(expected).sort().join();
    expect(isSame, `of ${extent}`).toBe(true);
  }
});

it.each([
  // TT §4, §5.3 and Figure 10.
  [[11, 12], 34, [2, 1]],
  [[8, 9], 17, [1, 1]],
  [[5, 6], 17, [1, 2]],
  [[10, 14], 34, [2, 1]],
] as const)('%j cover %i in one way', (heights, extent, counts) => {
  const [only, ...others] = combinations(heights, extent).filter(({ covered }) => covered === extent);
  expect(others).toEqual([]);
  expect(only!.ways).toBe(1);
  expect(only!.at(0).map(({ count }) => count)).toEqual(counts);
});

it('counts the combinations of a large extent without listing them', () => {
  const [whole] = combinations([1, 2], 2 ** 31).filter(({ covered }) => covered === 2 ** 31);
  expect(whole!.ways).toBe(2 ** 30 - 1);
  expect(whole!.at(2 ** 29).map(({ count }) => count)).toEqual([2 ** 30 + 2, 2 ** 29 - 1]);
});

it.each([
  [[4, 5, 6], 17, undefined, { kind: 'exact' }],
  [[4, 5, 6], 7, 49, { kind: 'windows' }],
  [[4, 5, 6], 7, undefined, { kind: 'padded', height: 4, extent: 8 }],
  [[4, 5, 6], 3, undefined, { kind: 'padded', height: 4, extent: 4 }],
  [[8, 16], 3, 9, { kind: 'padded', height: 8, extent: 8 }],
] as const)('%j cover %i rows of %s windows', (heights, extent, windows, covering) => {
  expect(coveringOf(heights, extent, windows)).toEqual(covering);
});

it.each([
  [[0], 8, 'spaces/extent'],
  [[4, 2.5], 8, 'spaces/extent'],
  [[4], 0, 'spaces/extent'],
  [[4], 2 ** 40, 'spaces/extent'],
  [[], 8, 'spaces/heights'],
  [upTo(33), 8, 'spaces/heights'],
  [4, 8, 'spaces/not-a-list'],
] as const)('refuses heights %j of %s', (heights, extent, code) => {
  expect(() => combinations(heights as readonly number[], extent)).toThrow(
    expect.objectContaining({ name: 'SpaceError', code }),
  );
});
