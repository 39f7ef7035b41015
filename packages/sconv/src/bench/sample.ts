/** Stratified sampling. */
import { randomIntegers } from '@sconv/interpreter';

/** Divides a list into `count` parts whose lengths differ by at most one. */
const parts = <T>(items: readonly T[], count: number): readonly (readonly T[])[] =>
  Array.from({ length: count }, (_, i) =>
    items.slice(Math.floor((i * items.length) / count), Math.floor(((i + 1) * items.length) / count)),
  );

const sortedBy = <T>(items: readonly T[], size: (item: T) => number): readonly T[] =>
  items
    .map((item) => ({ item, key: size(item) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);

/**
 * Draws `count` items, one from each stratum: items are divided by the first size into about as many parts as each of
 * these is then divided by the second, all of equal length. Deterministic for a seed and order of items. Returns all
 * items if there are no more than requested.
 */
export const stratifiedSample = <T>(
  items: readonly T[],
  count: number,
  seed: number,
  sizes: readonly [(item: T) => number, (item: T) => number],
): readonly T[] => {
  if (items.length <= count) return items;
  const next = randomIntegers(seed);
  const bands = Math.ceil(Math.sqrt(count));
  const strata = parts(Array.from({ length: count }), bands).map(({ length }) => length);
  return parts(sortedBy(items, sizes[0]), bands).flatMap((band, i) =>
    parts(sortedBy(band, sizes[1]), strata[i]!).map((stratum) => stratum[next() % stratum.length]!),
  );
};
