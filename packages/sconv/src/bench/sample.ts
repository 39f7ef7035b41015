/** Samples that are spread over the sizes of what they are drawn from. */
import { randomIntegers } from '@sconv/interpreter';

/** Cuts a list into so many parts, whose lengths differ by one at most. */
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
 * Draws `count` items, one from each stratum: cut into about as many parts by the first size as each of these is then cut
 * into by the second one, all of one length. The same for the same seed and order of items. Where there are no more items
 * than are asked for, all of them.
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
