/**
 * How many integer points a polyhedron has: unknowns that no constraint links are counted apart, the others in slices
 * of one of them; the last unknown of a slice by the length of its interval.
 */
import { spend } from './budget.ts';
import { normalizeConstraints } from './constraints.ts';
import type { Int } from './int.ts';
import { addInt, ceilDivInt, divExactInt, floorDivInt, mulInt, negInt, subInt } from './int.ts';
import { integerPoint } from './integer-point.ts';
import { formOnLattice, fullLattice, solveEqualities } from './lattice.ts';
import type { Row } from './row.ts';
import { combineRows, isUnit, shiftRow, unitRow } from './row.ts';
import { Tableau } from './tableau.ts';

/** The number of points of `size` coordinates; undefined for infinitely many. Errors: `presburger/undecided`. */
export function countPoints(
  size: number,
  equalities: readonly Row[],
  inequalities: readonly Row[],
): Int | undefined {
  spend((inequalities.length + 4) * (size + 4));
  const normal = normalizeConstraints(equalities, inequalities);
  if (normal === undefined) return 0;
  if (normal.equalities.length > 0) {
    const lattice = solveEqualities(fullLattice(size), normal.equalities);
    if (lattice === undefined) return 0;
    const rows = normal.inequalities.map((row) => formOnLattice(row, lattice));
    return countPoints(lattice.columns.length, [], rows);
  }
  let product: Int | undefined = 1;
  for (const { columns, rows } of independentParts(size, normal.inequalities)) {
    const count = columns.length === 1 ? lengthOf(intervalOf(rows)) : countSlices(columns.length, rows);
    // Nothing times infinitely many is nothing.
    if (count === 0) return 0;
    product = product === undefined || count === undefined ? undefined : mulInt(product, count);
  }
  return product;
}

/** Unknowns with the constraints that link them, over these unknowns only. */
interface Part {
  readonly columns: readonly number[];
  readonly rows: readonly Row[];
}

/** The unknowns in parts that no constraint links, without constraints that the bounds of single unknowns imply. */
function independentParts(size: number, given: readonly Row[]): Part[] {
  const single: Row[][] = Array.from({ length: size }, () => []);
  const linking: Row[] = [];
  for (const row of given) {
    const first = row.findIndex((value) => value !== 0);
    if (isConstantAfter(row, first)) single[first]!.push(reduced(row, [first]));
    else linking.push(row);
  }
  const bounds = single.map(intervalOf);
  // The number of the part of each unknown.
  const part = bounds.map((_, column) => column);
  const links = linking.filter((row) => !isImplied(row, bounds));
  for (const row of links) {
    const linked = new Set(part.filter((_, column) => row[column] !== 0));
    const [number] = linked;
    part.forEach((each, column) => {
      if (linked.has(each)) part[column] = number!;
    });
  }
  return [...new Set(part)].map((number) => {
    const columns = part.flatMap((each, column) => (each === number ? [column] : []));
    if (columns.length === 1) return { columns, rows: single[columns[0]!]! };
    const own = given.filter(
      (row) => columns.some((column) => row[column] !== 0) && (links.includes(row) || !linking.includes(row)),
    );
    return { columns, rows: own.map((row) => reduced(row, columns)) };
  });
}

/** Whether no unknown after this one is in a row. */
function isConstantAfter(row: Row, column: number): boolean {
  for (let i = column + 1; i < row.length - 1; i++) if (row[i] !== 0) return false;
  return true;
}

/** The row of these columns only. */
const reduced = (row: Row, columns: readonly number[]): Row => [...columns.map((i) => row[i]!), row.at(-1)!];

/** Whether the bounds of the unknowns in a row keep it from being negative. */
function isImplied(row: Row, bounds: readonly Interval[]): boolean {
  let least: Int = row.at(-1)!;
  for (const [column, { min, max }] of bounds.entries()) {
    if (row[column] === 0) continue;
    const worst = row[column]! > 0 ? min : max;
    if (worst === undefined) return false;
    least = addInt(least, mulInt(row[column]!, worst));
  }
  return least >= 0;
}

/** The points of several linked unknowns, in slices of the one that takes the fewest values. */
function countSlices(size: number, rows: readonly Row[]): Int | undefined {
  const extents = extentsOf(size, rows);
  if (extents === undefined) return integerPoint(size, [], rows) === undefined ? 0 : undefined;
  const widths = extents.map(({ min, max }) => subInt(max, min));
  const sliced = widths.reduce<number>((best, width, i) => (width < widths[best]! ? i : best), 0);
  if (size === 2) return countPlane(rows, extents, sliced);
  const { min, max } = extents[sliced]!;
  const others = extents.flatMap((_, column) => (column === sliced ? [] : [column]));
  // The rows of the others; a slice changes their constants.
  const remaining = rows.map((row) => reduced(row, others));
  let count: Int = 0;
  for (let value = min; value <= max; value = addInt(value, 1)) {
    const slice = remaining.map((row, i) => shiftRow(row, mulInt(rows[i]![sliced]!, value)));
    const points = countPoints(size - 1, [], slice);
    if (points === undefined) throw new Error('a slice between bounds has no bound');
    count = addInt(count, points);
  }
  return count;
}

/** The points of two unknowns. */
function countPlane(rows: readonly Row[], extents: readonly Bounds[], sliced: number): Int {
  const series = countSeries(rows, extents, 0) ?? countSeries(rows, extents, 1);
  if (series !== undefined) return series;
  const { min, max } = extents[sliced]!;
  let count: Int = 0;
  for (let value = min; value <= max; value = addInt(value, 1)) {
    spend(rows.length * 4);
    const { min: first, max: last } = intervalAt(rows, 1 - sliced, value);
    if (first === undefined || last === undefined) throw new Error('a slice between bounds has no bound');
    if (first <= last) count = addInt(count, addInt(subInt(last, first), 1));
  }
  return count;
}

/**
 * The points of two unknowns if one of them lies between two forms of the other without fractions: intervals whose
 * lengths are an arithmetic series. None of them is empty, as integers end them.
 */
function countSeries(rows: readonly Row[], extents: readonly Bounds[], of: 0 | 1): Int | undefined {
  const [first, second, ...others] = rows.filter((row) => row[of] !== 0);
  if (first === undefined || second === undefined || others.length > 0) return undefined;
  if (!isUnit(first[of]!) || first[of] !== negInt(second[of]!)) return undefined;
  const { min, max } = extents[1 - of]!;
  if (min > max) return 0;
  const sum = combineRows(first, 1, second, 1);
  const lengthAt = (value: Int) => addInt(addInt(mulInt(sum[1 - of]!, value), sum[2]!), 1);
  const values = addInt(subInt(max, min), 1);
  return divExactInt(mulInt(values, addInt(lengthAt(min), lengthAt(max))), 2);
}

/** Integers from `min` to `max`, without end where that is undefined; none if `min` is greater. */
interface Interval {
  readonly min: Int | undefined;
  readonly max: Int | undefined;
}

function lengthOf({ min, max }: Interval): Int | undefined {
  if (min === undefined || max === undefined) return undefined;
  return min > max ? 0 : addInt(subInt(max, min), 1);
}

/** The integers that satisfy rows of one unknown. */
const intervalOf = (rows: readonly Row[]): Interval => intervalAt(rows, 0, 0);

/** The integers in one of the columns 0 and 1 that satisfy rows of both, or of 0 alone, for a value of the other. */
function intervalAt(rows: readonly Row[], column: number, value: Int): Interval {
  let [min, max]: [Int | undefined, Int | undefined] = [undefined, undefined];
  for (const row of rows) {
    const coefficient = row[column]!;
    const constant = addInt(row[row.length - 1]!, value === 0 ? 0 : mulInt(row[1 - column]!, value));
    if (coefficient > 0) {
      const least = ceilDivInt(negInt(constant), coefficient);
      if (min === undefined || least > min) min = least;
    } else if (coefficient < 0) {
      const most = floorDivInt(constant, negInt(coefficient));
      if (max === undefined || most < max) max = most;
    } else if (constant < 0) return { min: 1, max: 0 };
  }
  return { min, max };
}

/** The least and the greatest integer. */
interface Bounds {
  readonly min: Int;
  readonly max: Int;
}

/** The integers between the ends of each unknown; undefined if one has no end. */
function extentsOf(size: number, rows: readonly Row[]): Bounds[] | undefined {
  const tableau = new Tableau(size);
  const nothing = Array.from({ length: size }, () => ({ min: 1, max: 0 }));
  for (const row of rows) if (!tableau.add(row)) return nothing;
  const extents: Bounds[] = [];
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
