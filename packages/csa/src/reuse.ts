/** Reuse distances, and how many of the reuses a cache misses. */

/** Lines of a group that lie `stride` bytes apart, and so may share few of a cache's sets. */
export interface Strided {
  readonly lines: number;
  readonly stride: number;
}

/** Line touches after the same line was touched before, by how many other lines were touched in between. */
export interface Reuse {
  /** How many touches. */
  readonly touches: number;
  /** Distinct lines in between: evenly spread from `from` to `to`; `Infinity`: the line was never touched. */
  readonly from: number;
  readonly to: number;
  /** Of the lines in between, those with a stride that a cache's sets may not take up evenly. */
  readonly strided?: Strided;
  /** Whether the touched lines are themselves among the strided ones. */
  readonly onStride?: boolean;
}

/** A cache as reuse distances see it. */
export interface CacheGeometry {
  readonly lines: number;
  /** 1: fully associative. */
  readonly sets: number;
  readonly lineBytes: number;
}

/**
 * Half the width of the band around the capacity in which a share of the reuses is missed: distances are
 * expectations, and sets do not fill alike. Chosen on simulated plans; nothing depends on it strongly.
 */
const softness = 0.1;

/** Integral over 0..distance of the share of reuses that is missed at each distance. */
const missedUpTo = (distance: number, low: number, high: number): number => {
  if (distance <= low) return 0;
  if (distance <= high) return (distance - low) ** 2 / (2 * (high - low));
  return (high - low) / 2 + distance - high;
};

/** Share of reuses at distances `from` to `to` that an LRU cache of `lines` lines misses. */
const missShare = (from: number, to: number, lines: number): number => {
  const low = lines * (1 - softness);
  const high = lines * (1 + softness);
  const least = Math.min(from, to);
  const most = Math.max(from, to);
  if (least >= high) return 1;
  if (most <= low) return 0;
  if (most === Infinity) return 1;
  if (most - least < 1e-6 * lines) return (Math.min(least, high) - low) / (high - low);
  return (missedUpTo(most, low, high) - missedUpTo(least, low, high)) / (most - least);
};

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** By what factor strided lines crowd the sets that they fall into: sets / sets used. */
const crowding = ({ stride }: Strided, { sets, lineBytes }: CacheGeometry): number => {
  const lines = stride / lineBytes;
  return Number.isInteger(lines) ? gcd(lines, sets) : 1;
};

/** Touches of `reuse` that the cache misses. With one set, more lines never give more misses. */
export const misses = (reuse: Reuse, cache: CacheGeometry): number => {
  const { touches, from, to, strided } = reuse;
  // Expectations that cancel may come out just below 0.
  if (touches <= 0) return 0;
  const factor = strided === undefined ? 1 : crowding(strided, cache);
  if (strided === undefined || factor === 1) return touches * missShare(from, to, cache.lines);
  // The strided lines fill one set in `factor`: there they count `factor` times, elsewhere not at all.
  const more = strided.lines * (factor - 1);
  const crowded = missShare(from + more, to + more, cache.lines);
  if (reuse.onStride === true) return touches * crowded;
  const free = missShare(from - strided.lines, to - strided.lines, cache.lines);
  return touches * (crowded / factor + free * (1 - 1 / factor));
};
