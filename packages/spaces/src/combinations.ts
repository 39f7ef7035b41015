/** How kernels of two heights cover a dimension without a rest (TT §5.3). */
import { expectExtent, expectHeights } from './errors.ts';
import { divisors } from './factorizations.ts';

/** `count` tiles of `height`. */
export interface TileRun {
  readonly count: number;
  readonly height: number;
}

/** All ways in which tiles of two heights, both of them, cover `covered`. */
export interface Combinations {
  /** The two heights, ascending. */
  readonly heights: readonly [number, number];
  /** What they cover together; it divides the dimension. */
  readonly covered: number;
  /** How many ways there are, one at least. */
  readonly ways: number;
  /** The `i`-th way, by ascending count of the lower tiles: `[a, b]`, with `a·h1 + b·h2 = covered`. */
  readonly at: (i: number) => readonly [TileRun, TileRun];
}

/**
 * The combinations of two of these heights whose sum divides the extent: by ascending heights, then by ascending sum.
 * They are counted, not listed: two heights cover a large extent in many ways. Throws a `SpaceError` for heights or an
 * extent that are no positive integers.
 */
export const combinations = (heights: readonly number[], extent: number): readonly Combinations[] => {
  expectExtent('extent', extent);
  const sorted = expectHeights('heights', heights);
  const sums = divisors(extent);
  return sorted.flatMap((low, i) =>
    sorted
      .slice(i + 1)
      .flatMap((high) => sums.flatMap((covered) => combinationsOf(low, high, covered) ?? [])),
  );
};

/** The positive solutions of `a·low + b·high = covered`, if any: `a` in steps of `high / gcd`. */
const combinationsOf = (low: number, high: number, covered: number): Combinations | undefined => {
  let step = 1;
  while ((step * low) % high !== 0) step += 1;
  let first = 1;
  while (first <= step && (covered - first * low) % high !== 0) first += 1;
  const most = Math.floor((covered - high) / low);
  if (first > step || first > most) return undefined;
  return {
    heights: [low, high],
    covered,
    ways: Math.floor((most - first) / step) + 1,
    at: (i) => {
      const count = first + i * step;
      return [
        { count, height: low },
        { count: (covered - count * low) / high, height: high },
      ];
    },
  };
};

/**
 * How kernels of a class cover a dimension: by one height or two of them; else, if windows can be counted through rows,
 * all windows are covered so (`49 = 4·6 + 5·5`); else the dimension is padded to the least multiple of a height.
 */
export type Covering =
  | { readonly kind: 'exact' }
  | { readonly kind: 'windows' }
  | { readonly kind: 'padded'; readonly height: number; readonly extent: number };

/** Whether one height divides the extent, or two of them combine to a divisor of it. */
export const isCovered = (heights: readonly number[], extent: number): boolean =>
  heights.some((height) => extent % height === 0) || combinations(heights, extent).length > 0;

/**
 * How these heights cover `extent`; `windows` is what rows and columns are together, where they can be counted as one
 * dimension. Of paddings, the smallest is taken, and of equal ones that of the highest kernel.
 */
export const coveringOf = (heights: readonly number[], extent: number, windows?: number): Covering => {
  if (isCovered(heights, extent)) return { kind: 'exact' };
  if (windows !== undefined && isCovered(heights, windows)) return { kind: 'windows' };
  const padded = (height: number): number => Math.ceil(extent / height) * height;
  const [best] = heights.toSorted((a, b) => padded(a) - padded(b) || b - a);
  return { kind: 'padded', height: best!, extent: padded(best!) };
};
