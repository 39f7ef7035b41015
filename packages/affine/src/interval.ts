/** Half-open bounds `[lo, hi)` of dimensions and symbols, and the closed intervals that they are. */
import { AffineError } from './affine-error.ts';
import type { AffinePositionData } from './affine-expr.ts';
import { describe } from './expect-kind.ts';

/** The integers `lo <= x < hi`. Either end may be infinite. */
export type Bounds = readonly [lo: number, hi: number];

/** A non-empty set of integers with inclusive ends, which may be infinite. */
export interface Interval {
  readonly min: number;
  readonly max: number;
}

export const unbounded: Interval = { min: -Infinity, max: Infinity };

/** The interval of each variable, and whether some variable has a single value. */
export interface Intervals {
  readonly fixesSome: boolean;
  of(variable: AffinePositionData): Interval;
}

/** Errors: non-integer or empty bounds. */
export function toInterval(bounds: Bounds | undefined, letter: 'd' | 's', position: number): Interval {
  if (bounds === undefined) return unbounded;
  const pair: unknown = bounds;
  if (!Array.isArray(pair) || pair.length !== 2) {
    const message = `expected the bounds of ${letter}${position} as [lo, hi], not ${describe(bounds)}`;
    throw new AffineError('affine/invalid-argument', message);
  }
  const [lo, hi] = bounds;
  if (!isBound(lo) || !isBound(hi)) {
    const areIntegers = [lo, hi].every((end) => Number.isInteger(end) || isBound(end));
    const what = areIntegers ? 'no integers of magnitude below 2^53' : 'not integers';
    const message = `the bounds [${String(lo)}, ${String(hi)}) of ${letter}${position} are ${what}`;
    throw new AffineError(areIntegers ? 'affine/overflow' : 'affine/not-an-integer', message);
  }
  if (lo >= hi) {
    const message = `the bounds [${lo}, ${hi}) of ${letter}${position} have no points`;
    throw new AffineError('affine/empty-domain', message);
  }
  return { min: lo, max: hi - 1 };
}

const isBound = (value: number): boolean =>
  Number.isSafeInteger(value) || value === Infinity || value === -Infinity;

/** The bounds of each variable, for expressions over a few of many; undefined: unbounded. */
export type BoundsOf = (variable: AffinePositionData) => Bounds | undefined;

/** The intervals of bounds by variable. Errors: as for `toInterval`, when a variable is looked up. */
export const intervalsOf = (boundsOf: BoundsOf): Intervals => ({
  fixesSome: true,
  of: (variable) => toInterval(boundsOf(variable), variable.kind === 'dim' ? 'd' : 's', variable.position),
});
