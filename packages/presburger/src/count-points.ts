/**
 * How many integer points a polyhedron has: unknowns that no constraint links are counted apart, two at once, more in
 * slices, in a basis in which these are few.
 */
import { spend } from './budget.ts';
import { countPolygon } from './count-polygon.ts';
import { normalizeConstraints } from './constraints.ts';
import type { Int } from './int.ts';
import { addInt, ceilDivInt, floorDivInt, mulInt, negInt, subInt } from './int.ts';
import { integerPoint } from './integer-point.ts';
import { formOnLattice, fullLattice, solveEqualities } from './lattice.ts';
import type { Vertex } from './reduced-basis.ts';
import { reducedBasis } from './reduced-basis.ts';
import type { Row } from './row.ts';
import { shiftRow, unitRow } from './row.ts';
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

/** More slices than this in all, and a basis in which the polytope is thinner is looked for. */
const manySlices = 16;

/** How often a basis is improved. */
const mostRounds = 8;

/** The points of several linked unknowns: of two at once, else in slices of the one that takes the fewest values. */
function countSlices(size: number, given: readonly Row[]): Int | undefined {
  let rows = given;
  let shape = shapeOf(size, rows);
  if (shape === 'empty') return 0;
  if (shape === 'unbounded') return integerPoint(size, [], rows) === undefined ? 0 : undefined;
  if (size === 2) return countPolygon(rows, shape.extents[0]!.min, shape.extents[0]!.max);
  for (let round = 0; round < mostRounds && slicesOf(shape) > manySlices; round++) {
    const basis = reducedBasis(shape.vertices, size);
    if (basis === undefined) break;
    const changed = rows.map((row) => formOnLattice(row, basis));
    const next = shapeOf(size, changed);
    if (typeof next === 'string') throw new Error('a polytope stays one in another basis');
    if (slicesOf(next) >= slicesOf(shape)) break;
    rows = changed;
    shape = next;
  }
  const widths = widthsOf(shape);
  const sliced = widths.indexOf(Math.min(...widths));
  const { min, max } = shape.extents[sliced]!;
  const others = widths.flatMap((_, column) => (column === sliced ? [] : [column]));
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
function intervalOf(rows: readonly Row[]): Interval {
  let [min, max]: [Int | undefined, Int | undefined] = [undefined, undefined];
  for (const row of rows) {
    const [coefficient, constant] = [row[0]!, row[1]!];
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

/** The integers between the ends of each unknown, and the vertices at these ends. */
interface Shape {
  readonly extents: readonly { readonly min: Int; readonly max: Int }[];
  readonly vertices: readonly Vertex[];
}

function shapeOf(size: number, rows: readonly Row[]): Shape | 'empty' | 'unbounded' {
  const tableau = new Tableau(size);
  for (const row of rows) if (!tableau.add(row)) return 'empty';
  const vertices: Vertex[] = [];
  const extents: { min: Int; max: Int }[] = [];
  for (let i = 0; i < size; i++) {
    const [max, min] = [1, -1].map((sign) => {
      const end = tableau.maximize(unitRow(size + 1, i, sign));
      vertices.push(tableau.point());
      return end.kind === 'optimum' ? floorDivInt(end.value, end.denominator) : undefined;
    });
    if (max === undefined || min === undefined) return 'unbounded';
    extents.push({ min: negInt(min), max });
  }
  return { extents, vertices };
}

/** How many integers each unknown takes, at least 1, roughly. */
const widthsOf = ({ extents }: Shape): number[] =>
  extents.map(({ min, max }) => Math.max(1, Number(subInt(max, min)) + 1));

/** How many slices there are, roughly: two unknowns need none. */
const slicesOf = (shape: Shape): number =>
  widthsOf(shape)
    .sort((a, b) => a - b)
    .slice(0, -2)
    .reduce((product, width) => product * width, 1);
