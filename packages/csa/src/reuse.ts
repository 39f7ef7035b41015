/** Reuse distances, and how many of the reuses a cache misses. */

/** A group of lines in runs whose starts lie `stride` bytes apart, so that they may share few of a cache's sets. */
export interface Strided {
  readonly lines: number;
  readonly stride: number;
  /** Consecutive lines of one run. */
  readonly run: number;
}

/** Line touches after the same line was touched before, by how many other lines were touched in between. */
export interface Reuse {
  /** How many touches. */
  readonly touches: number;
  /** Distinct lines in between: evenly spread from `from` to `to`; `Infinity`: the line was never touched. */
  readonly from: number;
  readonly to: number;
  /** Of the lines in between, groups that a cache's sets may not take up evenly. */
  readonly strided?: readonly Strided[];
  /** The group that the touched lines themselves belong to, besides those. */
  readonly own?: Strided;
}

/** Touches at one distance, of lines that lie in the runs `own`. */
export const reuseAt = (touches: number, distance: number, own?: Strided): Reuse => ({
  touches,
  from: distance,
  to: distance,
  ...(own === undefined ? {} : { own }),
});

/** First touches of lines. */
export const neverBefore = (touches: number): Reuse => reuseAt(touches, Infinity);

/** A cache as reuse distances see it. */
export interface CacheGeometry {
  readonly lines: number;
  /** 1: fully associative. */
  readonly sets: number;
  readonly lineBytes: number;
}

/**
 * The band of distances, in capacities, over which the share of missed reuses grows from none to all: distances
 * are expectations, and sets do not fill alike. Chosen on simulated plans; rankings hardly depend on it.
 */
const band = { low: 0.9, high: 1.3 };

/** Integral over 0..distance of the share of reuses that is missed at each distance. */
const missedUpTo = (distance: number, low: number, high: number): number => {
  if (distance <= low) return 0;
  if (distance <= high) return (distance - low) ** 2 / (2 * (high - low));
  return (high - low) / 2 + distance - high;
};

/** Share of reuses at distances `from` to `to` that an LRU cache of `lines` lines misses. */
const missShare = (from: number, to: number, lines: number): number => {
  const low = lines * band.low;
  const high = lines * band.high;
  const least = Math.min(from, to);
  const most = Math.max(from, to);
  if (least >= high) return 1;
  if (most <= low) return 0;
  if (most === Infinity) return 1;
  if (most - least < 1e-6 * lines) return (Math.min(least, high) - low) / (high - low);
  return (missedUpTo(most, low, high) - missedUpTo(least, low, high)) / (most - least);
};

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** By what factor a group crowds the sets that it falls into: sets / sets used. */
const crowding = ({ stride, run }: Strided, { sets, lineBytes }: CacheGeometry): number => {
  const apart = stride / lineBytes;
  if (sets === 1 || !Number.isInteger(apart)) return 1;
  return Math.max(1, gcd(apart, sets) / Math.max(1, run));
};

/** Touches of `reuse` that the cache misses. With one set, more lines never give more misses. */
export const misses = (reuse: Reuse, cache: CacheGeometry): number => {
  const { touches, own, strided = [] } = reuse;
  // Expectations that cancel may come out just below 0.
  if (touches <= 0) return 0;
  // The sets that a group falls into hold it as if it were `crowding` times as large, the others not at all.
  const more = own === undefined ? 0 : own.lines * (crowding(own, cache) - 1);
  const from = reuse.from + more;
  const to = reuse.to + more;
  let share = missShare(from, to, cache.lines);
  for (const group of strided) {
    const factor = crowding(group, cache);
    if (factor === 1) continue;
    const extra = group.lines * (factor - 1);
    const crowded = missShare(from + extra, to + extra, cache.lines);
    const free = missShare(from - group.lines, to - group.lines, cache.lines);
    share = Math.max(share, crowded / factor + free * (1 - 1 / factor));
  }
  return touches * share;
};
