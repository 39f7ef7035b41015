/** How many points a set has. */
import { allConstraints, isObviouslyEmpty } from './basic-set.ts';
import { spend, withinSteps } from './budget.ts';
import { normalizeConstraints } from './constraints.ts';
import type { Int } from './int.ts';
import { addInt, ceilDivInt, floorDivInt, mulInt, negInt, subInt } from './int.ts';
import { integerPoint } from './integer-point.ts';
import { formOnLattice, fullLattice, solveEqualities } from './lattice.ts';
import { expectConcrete } from './lexmin.ts';
import { PresburgerError } from './presburger-error.ts';
import type { PresburgerUnion } from './presburger-set.ts';
import type { Row } from './row.ts';
import { unitRow } from './row.ts';
import { without } from './subtract.ts';
import { Tableau } from './tableau.ts';
import { piecesWithDivisions } from './with-divisions.ts';

/**
 * The number of points of a set, or of pairs of a relation. Errors: `presburger/symbolic` for one with symbols,
 * `presburger/unbounded` for one with infinitely many, `presburger/undecided`.
 */
export function card(of: PresburgerUnion): Int {
  expectConcrete(of);
  return withinSteps(() => {
    const pieces = of.pieces.flatMap(piecesWithDivisions);
    let count: Int = 0;
    pieces.forEach((piece, i) => {
      // Only what no earlier piece has; the values of divisions are known by the point.
      for (const part of without(piece, pieces.slice(0, i))) {
        if (isObviouslyEmpty(part)) continue;
        const { equalities, inequalities } = allConstraints(part);
        count = addInt(count, countPoints(part.numVariables + part.locals.length, equalities, inequalities));
      }
    });
    return count;
  });
}

function countPoints(size: number, equalities: readonly Row[], inequalities: readonly Row[]): Int {
  spend((inequalities.length + 4) * (size + 4));
  const normal = normalizeConstraints(equalities, inequalities);
  if (normal === undefined) return 0;
  const rows = normal.inequalities;
  if (normal.equalities.length > 0) {
    const lattice = solveEqualities(fullLattice(size), normal.equalities);
    if (lattice === undefined) return 0;
    return countPoints(
      lattice.columns.length,
      [],
      rows.map((row) => formOnLattice(row, lattice)),
    );
  }
  if (size === 0) return 1;
  if (size === 1) return lengthOf(intervalOf(rows));
  const extents = extentsOf(size, rows);
  if (extents === undefined) {
    if (integerPoint(size, [], rows) === undefined) return 0;
    throw unbounded();
  }
  const widths = extents.map(lengthOf);
  const sliced = widths.reduce<number>((best, width, i) => (width < widths[best]! ? i : best), 0);
  const { min, max } = extents[sliced]!;
  let count: Int = 0;
  for (let value = min; value <= max; value = addInt(value, 1)) {
    const slice = rows.map((row) => fixed(row, sliced, value));
    if (size > 2) count = addInt(count, countPoints(size - 1, [], slice));
    else {
      spend(rows.length * 4);
      count = addInt(count, lengthOf(intervalOf(slice)));
    }
  }
  return count;
}

/** Integers from `min` to `max`; none if `min` is greater. */
interface Interval {
  readonly min: Int;
  readonly max: Int;
}

const lengthOf = ({ min, max }: Interval): Int => (min > max ? 0 : addInt(subInt(max, min), 1));

/** The row with a value for one column, which it loses. */
function fixed(row: Row, column: number, value: Int): Row {
  const rest = row.filter((_, i) => i !== column);
  rest[rest.length - 1] = addInt(rest.at(-1)!, mulInt(row[column]!, value));
  return rest;
}

const unbounded = (): PresburgerError =>
  new PresburgerError(
    'presburger/unbounded',
    'the set has infinitely many points: some dimension has no bound',
  );

/** The integers that satisfy rows of one unknown. */
function intervalOf(rows: readonly Row[]): Interval {
  let [min, max]: [Int | undefined, Int | undefined] = [undefined, undefined];
  for (const [coefficient, constant] of rows as readonly (readonly [Int, Int])[]) {
    if (coefficient > 0) {
      const least = ceilDivInt(negInt(constant), coefficient);
      if (min === undefined || least > min) min = least;
    } else if (coefficient < 0) {
      const most = floorDivInt(constant, negInt(coefficient));
      if (max === undefined || most < max) max = most;
    } else if (constant < 0) return { min: 1, max: 0 };
  }
  if (min === undefined || max === undefined) throw unbounded();
  return { min, max };
}

/** The integers between the ends of each unknown; undefined if one has no end. */
function extentsOf(size: number, rows: readonly Row[]): Interval[] | undefined {
  const tableau = new Tableau(size);
  const nothing = Array.from({ length: size }, () => ({ min: 1, max: 0 }));
  for (const row of rows) if (!tableau.add(row)) return nothing;
  const extents: Interval[] = [];
  for (let i = 0; i < size; i++) {
    const ends = [1, -1].map((sign) => tableau.maximize(unitRow(size + 1, i, sign)));
    const [max, min] = ends.map((end) =>
      end.kind === 'optimum' ? floorDivInt(end.value, end.denominator) : undefined,
    );
    if (max === undefined || min === undefined) return undefined;
    extents.push({ min: negInt(min), max });
  }
  return extents;
}
