/** Boxes: half-open intervals `[lo, hi)` for dimensions and symbols, by position or name. */
import { AffineError } from './affine-error.ts';
import type { AffinePositionData } from './affine-expr.ts';
import { describe, expectList } from './expect-kind.ts';
import type { Bounds, BoundsOf, Interval, Intervals } from './interval.ts';
import { intervalsOf, toInterval, unbounded } from './interval.ts';
import { namesOf, variableNamed } from './names.ts';

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

/** The intervals of a domain. Errors: as for `IntervalBox`; with a function, when a variable is looked up. */
export const intervalsOver = (over: Domain | BoundsOf): Intervals =>
  typeof over === 'function' ? intervalsOf(over) : new IntervalBox(over);
