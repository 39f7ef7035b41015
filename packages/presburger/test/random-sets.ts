/** Random sets in small boxes, and their points by brute force. */
import type { BasicSet, Division, Int, PresburgerSet } from '@sconv/presburger';
import { basicSet, presburgerSet, setSpace } from '@sconv/presburger';

/** Seeded numbers in `[0, 1)` (mulberry32). */
export const randomNumbers = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** What random sets are like. */
export interface SetShape {
  readonly dims: number;
  readonly symbols?: number;
  readonly constraints: number;
  readonly divisions: number;
  readonly coefficients: number;
  /** Existential locals. */
  readonly unknowns?: number;
  /** All variables, and unknowns, are within `[-box, box]`; unbounded without. */
  readonly box?: number;
}

/** A piece of up to this shape. */
export function randomPiece(random: () => number, shape: SetShape): BasicSet {
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  const variables = shape.dims + (shape.symbols ?? 0);
  const unknowns = upTo(shape.unknowns ?? 0);
  const divisions = upTo(shape.divisions);
  const columns = variables + unknowns + divisions + 1;
  const coefficient = () => (random() < 0.4 ? 0 : upTo(shape.coefficients * 2) - shape.coefficients);
  const row = (used: number): Int[] => {
    const values = new Array<Int>(columns).fill(0);
    for (let i = 0; i < used; i++) values[i] = coefficient();
    values[columns - 1] = upTo(shape.coefficients * 4) - shape.coefficients * 2;
    return values;
  };
  const locals: (Division | null)[] = new Array<null>(unknowns).fill(null);
  for (let i = 0; i < divisions; i++)
    locals.push({ dividend: row(variables + unknowns + i), divisor: 1 + upTo(shape.coefficients) });
  const equalities: Int[][] = [];
  const inequalities: Int[][] = [];
  for (let i = upTo(shape.constraints); i > 0; i--)
    (random() < 0.2 ? equalities : inequalities).push(row(columns - 1));
  if (shape.box !== undefined)
    for (let i = 0; i < variables + unknowns; i++)
      for (const sign of [1, -1]) {
        const bound = new Array<Int>(columns).fill(0);
        bound[i] = sign;
        bound[columns - 1] = shape.box;
        inequalities.push(bound);
      }
  return basicSet(variables, { locals, equalities, inequalities });
}

/** A set of up to `pieces` pieces. */
export function randomSet(random: () => number, shape: SetShape, pieces = 1): PresburgerSet {
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
  return presburgerSet(
    setSpace(names('d', shape.dims), names('s', shape.symbols ?? 0)),
    Array.from({ length: 1 + Math.floor(random() * pieces) }, () => randomPiece(random, shape)),
  );
}

function valueAt(row: readonly Int[], values: readonly number[]): number {
  let value = Number(row.at(-1));
  for (let i = 0; i < values.length; i++) value += Number(row[i]) * values[i]!;
  return value;
}

/** Whether a point satisfies a piece; its unknowns are looked for in `[-box, box]`. */
export function satisfies(piece: BasicSet, values: readonly number[], box: number): boolean {
  const index = values.length - piece.numVariables;
  const local = piece.locals[index];
  if (local === undefined) {
    for (const row of piece.equalities) if (valueAt(row, values) !== 0) return false;
    for (const row of piece.inequalities) if (valueAt(row, values) < 0) return false;
    return true;
  }
  if (local !== null) {
    const quotient = Math.floor(valueAt(local.dividend, values) / Number(local.divisor));
    return satisfies(piece, [...values, quotient], box);
  }
  for (let value = -box; value <= box; value++) if (satisfies(piece, [...values, value], box)) return true;
  return false;
}

/** All points of `[-box, box]^count`, the last coordinate fastest. */
export function* pointsOfBox(count: number, box: number): Generator<number[], void> {
  if (count === 0) {
    yield [];
    return;
  }
  for (const first of pointsOfBox(count - 1, box))
    for (let value = -box; value <= box; value++) yield [...first, value];
}

/** The points of a set in a box, in lexicographic order. */
export const pointsOf = (set: PresburgerSet, box: number): number[][] => {
  const count = set.space.dims.length + set.space.symbols.length;
  return [...pointsOfBox(count, box)].filter((point) =>
    set.pieces.some((piece) => satisfies(piece, point, box)),
  );
};
