/** Reuse distances, and how many of the reuses miss a cache. */
import { gcd } from './gcd.ts';

/** A group of lines in runs `stride` bytes apart, which may map to few of a cache's sets. */
export interface Strided {
  readonly lines: number;
  readonly stride: number;
  /** Consecutive lines of one run. */
  readonly run: number;
}

/** Repeated touches of lines, by reuse distance. */
export interface Reuse {
  /** How many touches. */
  readonly touches: number;
  /** Distinct lines in between, evenly distributed over `from`..`to`; `Infinity`: cold. */
  readonly from: number;
  readonly to: number;
  /** Groups among the lines in between that may load a cache's sets unevenly. */
  readonly strided?: readonly Strided[];
  /** The group of the touched lines themselves. */
  readonly own?: Strided;
}

/** Touches at a single distance, of lines in the runs `own`. */
export const reuseAt = (touches: number, distance: number, own?: Strided): Reuse => ({
  touches,
  from: distance,
  to: distance,
  ...(own === undefined ? {} : { own }),
});

/** Cold touches. */
export const neverBefore = (touches: number): Reuse => reuseAt(touches, Infinity);

/** A cache as the reuse model sees it. */
export interface CacheGeometry {
  readonly lines: number;
  /** 1: fully associative. */
  readonly sets: number;
  readonly lineBytes: number;
}

/**
 * The range of distances, in capacities, over which the miss ratio rises from 0 to 1: distances are expectations, and
 * sets fill unevenly. Fitted to simulated plans; rankings hardly depend on it.
 */
const band = { low: 0.9, high: 1.3 };

/** Integral of the miss ratio over 0..distance. */
const missedUpTo = (distance: number, low: number, high: number): number => {
  if (distance <= low) return 0;
  if (distance <= high) return (distance - low) ** 2 / (2 * (high - low));
  return (high - low) / 2 + distance - high;
};

/** Share of reuses at distances `from` to `to` that miss an LRU cache of `lines` lines. */
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

/** How much a group crowds the sets that it maps to: sets / sets used. */
const crowding = ({ stride, run }: Strided, { sets, lineBytes }: CacheGeometry): number => {
  const apart = stride / lineBytes;
  if (sets === 1 || !Number.isInteger(apart)) return 1;
  return Math.max(1, gcd(apart, sets) / Math.max(1, run));
};

/** Touches of `reuse` that miss the cache. With one set, misses never grow with the number of lines. */
export const misses = (reuse: Reuse, cache: CacheGeometry): number => {
  const { touches, own, strided = [] } = reuse;
  // Expectations that cancel may end up slightly below 0.
  if (touches <= 0) return 0;
  // In the sets that it maps to, a group acts as if it were `crowding` times as large; in the others it is absent.
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
