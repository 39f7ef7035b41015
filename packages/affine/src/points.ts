/** The points of a box: counting, enumeration, random sampling. */
import type { Interval } from './interval.ts';

/** The number of points of a product of intervals; Infinity if one is unbounded. */
export function countPoints(intervals: readonly Interval[]): number {
  return intervals.reduce((count, { min, max }) => count * (max - min + 1), 1);
}

/** Moves a point of a product of finite intervals to the next, the last coordinate fastest; false behind the last. */
export function advancePoint(point: number[], intervals: readonly Interval[]): boolean {
  for (let i = intervals.length - 1; i >= 0; i--) {
    const { min, max } = intervals[i]!;
    const next = point[i]! + 1;
    point[i] = next <= max ? next : min;
    if (next <= max) return true;
  }
  return false;
}

/** All points of a product of finite intervals, in that order. The array is reused: copy to keep. */
export function* pointsOf(intervals: readonly Interval[]): Generator<number[], void> {
  const point = intervals.map(({ min }) => min);
  do yield point;
  while (advancePoint(point, intervals));
}

/** Seeded numbers in `[0, 1)` (mulberry32): reproducible everywhere, and so are counterexamples. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A random point of a product of intervals: a mix of ends, values near 0, and arbitrary values. */
export function randomPoint(intervals: readonly Interval[], random: () => number): number[] {
  const reach = [4, 100, 10_000][Math.floor(random() * 3)] ?? 4;
  return intervals.map(({ min, max }) => {
    const lo = Math.max(min, Math.min(max, -reach));
    const hi = Math.min(max, Math.max(min, reach));
    const choice = random();
    if (choice < 0.1 && Number.isFinite(min)) return min;
    if (choice < 0.2 && Number.isFinite(max)) return max;
    const wide = choice < 0.5 && Number.isFinite(min) && Number.isFinite(max);
    const [from, to] = wide ? [min, max] : [lo, hi];
    return from + Math.floor(random() * (to - from + 1));
  });
}
