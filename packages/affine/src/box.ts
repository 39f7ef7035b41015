/** Boxes: half-open intervals `[lo, hi)` for dimensions and symbols. */
import { AffineError } from './affine-error.ts';
import type { AffinePositionData } from './affine-expr.ts';
import { describe } from './expect-kind.ts';

/** The integers `lo <= x < hi`. Either end may be infinite. */
export type Bounds = readonly [lo: number, hi: number];

/** What is known of the dimensions and symbols; a hole, or a position past the end, is unbounded. */
export interface Box {
  readonly dims?: readonly (Bounds | undefined)[];
  readonly symbols?: readonly (Bounds | undefined)[];
}

/** A box by the names of its dimensions and symbols: `{ d0: [0, 75], s0: [1, 9] }`. */
export type NamedBox = Readonly<Record<string, Bounds>>;

/** A box in either form. */
export type Domain = Box | NamedBox;

/** The box of a domain. Errors: not a record; a name that is neither `d<position>` nor `s<position>`. */
export function toBox(domain: Domain): Box {
  expectRecord(domain);
  if (isBox(domain)) return domain;
  const [dims, symbols]: [(Bounds | undefined)[], (Bounds | undefined)[]] = [[], []];
  for (const [name, bounds] of Object.entries(domain)) {
    const match = /^([ds])(\d{1,4})$/.exec(name);
    if (match === null) {
      throw new AffineError(
        'affine/invalid-argument',
        `${name} names no dimension and no symbol: use d0, s0, …`,
      );
    }
    (match[1] === 'd' ? dims : symbols)[Number(match[2])] = bounds;
  }
  return { dims: Array.from(dims), symbols: Array.from(symbols) };
}

function expectRecord(domain: unknown): void {
  if (typeof domain === 'object' && domain !== null && !Array.isArray(domain)) return;
  const message = `expected bounds by name, as in { d0: [0, 75] }, not ${describe(domain)}`;
  throw new AffineError('affine/invalid-argument', message);
}

function isBox(domain: Domain): domain is Box {
  return 'dims' in domain || 'symbols' in domain;
}

/** A non-empty set of integers with inclusive ends, which may be infinite. */
export interface Interval {
  readonly min: number;
  readonly max: number;
}

const unbounded: Interval = { min: -Infinity, max: Infinity };

/** The interval of each variable, and whether some variable has a single value. */
export interface Intervals {
  readonly fixesSome: boolean;
  of(variable: AffinePositionData): Interval;
}

/** Intervals of the dimensions and symbols by position. */
export class IntervalBox implements Intervals {
  readonly dims: readonly Interval[];
  readonly symbols: readonly Interval[];
  /** Whether some variable has a single value. */
  readonly fixesSome: boolean;

  /** Errors: non-integer or empty bounds. */
  constructor(domain: Domain) {
    const box = toBox(domain);
    this.dims = (box.dims ?? []).map((bounds, i) => toInterval(bounds, 'd', i));
    this.symbols = (box.symbols ?? []).map((bounds, i) => toInterval(bounds, 's', i));
    const isFixed = ({ min, max }: Interval) => min === max;
    this.fixesSome = this.dims.some(isFixed) || this.symbols.some(isFixed);
  }

  of(variable: AffinePositionData): Interval {
    const intervals = variable.kind === 'dim' ? this.dims : this.symbols;
    return intervals[variable.position] ?? unbounded;
  }
}

/** Errors: non-integer or empty bounds. */
function toInterval(bounds: Bounds | undefined, letter: 'd' | 's', position: number): Interval {
  if (bounds === undefined) return unbounded;
  const pair: unknown = bounds;
  if (!Array.isArray(pair) || pair.length !== 2) {
    const message = `expected the bounds of ${letter}${position} as [lo, hi], not ${describe(bounds)}`;
    throw new AffineError('affine/invalid-argument', message);
  }
  const [lo, hi] = bounds;
  if (!isBound(lo) || !isBound(hi)) {
    const message = `the bounds [${lo}, ${hi}) of ${letter}${position} are not integers`;
    throw new AffineError('affine/not-an-integer', message);
  }
  if (lo >= hi) {
    const message = `the bounds [${lo}, ${hi}) of ${letter}${position} have no points`;
    throw new AffineError('affine/empty-domain', message);
  }
  return { min: lo, max: hi - 1 };
}

const isBound = (value: number): boolean => Number.isSafeInteger(value) || Math.abs(value) === Infinity;

/** The bounds of each variable, for expressions over a few of many; undefined: unbounded. */
export type BoundsOf = (variable: AffinePositionData) => Bounds | undefined;

/** The intervals of a domain. Errors: as for `IntervalBox`; with a function, when a variable is looked up. */
export const intervalsOver = (over: Domain | BoundsOf): Intervals =>
  typeof over === 'function'
    ? {
        fixesSome: true,
        of: (variable) => toInterval(over(variable), variable.kind === 'dim' ? 'd' : 's', variable.position),
      }
    : new IntervalBox(over);
