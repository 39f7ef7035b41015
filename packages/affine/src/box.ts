/** Boxes: half-open intervals `[lo, hi)` for dimensions and symbols. */
import { AffineError } from './affine-error.ts';
import type { AffinePositionData } from './affine-expr.ts';
import { describe, expectList } from './expect-kind.ts';
import { namesOf, variableNamed } from './names.ts';

/** The integers `lo <= x < hi`. Either end may be infinite. */
export type Bounds = readonly [lo: number, hi: number];

/** What is known of the dimensions and symbols; a hole, or a position past the end, is unbounded. */
export interface Box {
  readonly dims?: readonly (Bounds | undefined)[];
  readonly symbols?: readonly (Bounds | undefined)[];
}

/**
 * A box by the names of its dimensions and symbols: `{ d0: [0, 75], s0: [1, 9] }`. A map or set that was parsed also
 * knows the names in its text: `{ w: [0, 75] }` bounds the dimension of `(w) -> (w mod 4)`.
 */
export type NamedBox = Readonly<Record<string, Bounds>>;

/** A box in either form. */
export type Domain = Box | NamedBox;

/**
 * The box of a domain; `named` are maps and sets whose names it may use. Errors: not a record; a name that is neither
 * `d<position>` nor `s<position>` nor theirs.
 */
export function toBox(domain: Domain, ...named: readonly object[]): Box {
  expectRecord(domain);
  if (isBox(domain)) return domain;
  const [dims, symbols]: [(Bounds | undefined)[], (Bounds | undefined)[]] = [[], []];
  for (const [name, bounds] of Object.entries(domain)) {
    const [, letter, digits] = /^([ds])(\d{1,4})$/.exec(name) ?? [];
    const { kind, position } =
      letter === undefined
        ? (variableNamed(name, named) ?? {})
        : ({ kind: letter === 'd' ? 'dim' : 'symbol', position: Number(digits) } as const);
    if (kind === undefined || position === undefined) {
      const use = ['d0, s0, …', ...namesOf(named)].join(', ');
      throw new AffineError(
        'affine/invalid-argument',
        `${name} names no dimension and no symbol: use ${use}`,
      );
    }
    const list = kind === 'dim' ? dims : symbols;
    if (list[position] !== undefined) {
      const message = `${name} bounds a dimension or symbol a second time`;
      throw new AffineError('affine/invalid-argument', message);
    }
    list[position] = bounds;
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

  /** Errors: as for `toBox`; non-integer or empty bounds. */
  constructor(domain: Domain, ...named: readonly object[]) {
    const { dims = [], symbols = [] } = toBox(domain, ...named);
    expectList(dims, 'the bounds of the dimensions');
    expectList(symbols, 'the bounds of the symbols');
    this.dims = Array.from(dims, (bounds, i) => toInterval(bounds, 'd', i));
    this.symbols = Array.from(symbols, (bounds, i) => toInterval(bounds, 's', i));
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

/** The intervals of a domain. Errors: as for `IntervalBox`; with a function, when a variable is looked up. */
export const intervalsOver = (over: Domain | BoundsOf): Intervals =>
  typeof over === 'function'
    ? {
        fixesSome: true,
        of: (variable) => toInterval(over(variable), variable.kind === 'dim' ? 'd' : 's', variable.position),
      }
    : new IntervalBox(over);
