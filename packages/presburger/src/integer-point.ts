/**
 * Integer points of polyhedra, exactly: equations are solved over the integers, directions without bounds are left
 * out, and what is bounded is searched in a basis in which it is thin (H. W. Lenstra, Integer programming with a
 * fixed number of variables, 1983; the basis is only a matter of speed, so floating point may choose it).
 */
import { spend } from './budget.ts';
import { normalizeConstraints } from './constraints.ts';
import type { Int } from './int.ts';
import { addInt, ceilDivInt, floorDivInt, mulInt, negInt, subInt } from './int.ts';
import type { Lattice } from './lattice.ts';
import {
  addScaled,
  formOnLattice,
  fullLattice,
  isolate,
  nearestQuotient,
  pointOfLattice,
} from './lattice.ts';
import { solveEqualities } from './lattice.ts';
import type { Vertex } from './reduced-basis.ts';
import { reducedBasis } from './reduced-basis.ts';
import type { Row } from './row.ts';
import { unitRow, valueOf, zeros } from './row.ts';
import type { Extent } from './tableau.ts';
import { Tableau } from './tableau.ts';

/** Some integer point of `size` coordinates at which the equalities are 0 and the inequalities at least 0. */
export function integerPoint(
  size: number,
  equalities: readonly Row[],
  inequalities: readonly Row[],
): Int[] | undefined {
  spend((equalities.length + inequalities.length + 4) * (size + 4));
  let lattice: Lattice = fullLattice(size);
  let [zero, atLeast] = [equalities, inequalities];
  // Opposite inequalities may turn out to be equalities once others are solved.
  for (;;) {
    const normal = normalizeConstraints(zero, atLeast);
    if (normal === undefined) return undefined;
    atLeast = normal.inequalities;
    if (normal.equalities.length === 0) break;
    const inner = solveEqualities(fullLattice(lattice.columns.length), normal.equalities);
    if (inner === undefined) return undefined;
    atLeast = atLeast.map((row) => formOnLattice(row, inner));
    lattice = within(lattice, inner);
    zero = [];
  }
  const parameters = pointOfInequalities(lattice.columns.length, atLeast);
  return parameters && pointOfLattice(lattice, parameters);
}

/** The points of `outer` whose parameters are the points of `inner`. */
const within = (outer: Lattice, inner: Lattice): Lattice => ({
  columns: inner.columns.map((column) =>
    outer.columns.reduce<Row>((sum, each, i) => addScaled(sum, each, column[i]!), zeros(outer.offset.length)),
  ),
  offset: pointOfLattice(outer, inner.offset),
});

function pointOfInequalities(size: number, rows: readonly Row[]): Int[] | undefined {
  if (rows.length === 0) return zeros(size);
  const tableau = new Tableau(size);
  for (const row of rows) if (!tableau.add(row)) return undefined;
  if (tableau.hasIntegerPoint()) return integersOf(tableau);
  const unbounded = recession(size, rows);
  if (unbounded === undefined) return pointOfPolytope(tableau, rows);
  return pointAlong(size, rows, unbounded);
}

function integersOf(tableau: Tableau): Int[] {
  const { numerators, denominator } = tableau.point();
  return numerators.map((value) => floorDivInt(value, denominator));
}

/** A ray of a polyhedron, and the constraints that every ray keeps as they are; undefined if there is no ray. */
interface Recession {
  readonly ray: Row;
  readonly bounded: readonly Row[];
}

/** The ray of `rows` along which most of them grow. */
function recession(size: number, rows: readonly Row[]): Recession | undefined {
  const cone = new Tableau(size);
  const directions = rows.map((row) => [...row.slice(0, -1), 0]);
  for (const row of directions) cone.add(row);
  let ray: Row = zeros(size);
  for (const row of directions) {
    if (valueOf(row, ray) > 0) continue;
    const most = cone.maximize(row);
    if (most.kind === 'unbounded') ray = addScaled(ray, most.ray, 1);
  }
  const bounded = rows.filter((_, i) => valueOf(directions[i]!, ray) === 0);
  if (bounded.length < rows.length) return { ray, bounded };
  // No constraint grows along a ray. A direction that all constraints ignore leaves a polytope once it is fixed.
  return hasFullRank(size, rows) ? undefined : { ray, bounded };
}

/** Whether a point is determined by the values of the forms. */
const hasFullRank = (size: number, rows: readonly Row[]): boolean =>
  boundedCoordinates(size, rows).count === size;

/**
 * A point of a polyhedron with rays: a polytope in the coordinates that the bounded constraints depend on, and from
 * any point of that, far enough along the ray, all other constraints hold.
 */
function pointAlong(size: number, rows: readonly Row[], { ray, bounded }: Recession): Int[] | undefined {
  const { count, basis } = boundedCoordinates(size, bounded);
  const projected = bounded.map((row) => {
    const form = formOnLattice(row, { columns: basis, offset: zeros(size) });
    return [...form.slice(0, count), form.at(-1)!];
  });
  const inner = integerPoint(count, [], projected);
  if (inner === undefined) return undefined;
  const start = pointOfLattice({ columns: basis.slice(0, count), offset: zeros(size) }, inner);
  let steps: Int = 0;
  for (const row of rows) {
    const value = valueOf(row, start);
    const growth = valueOf([...row.slice(0, -1), 0], ray);
    if (value >= 0 || growth === 0) continue;
    const needed = ceilDivInt(negInt(value), growth);
    if (needed > steps) steps = needed;
  }
  return addScaled(start, ray, steps);
}

/** A basis of the integers of which only the first `count` vectors change the values of the forms. */
function boundedCoordinates(size: number, rows: readonly Row[]): { count: number; basis: readonly Row[] } {
  const fixed: Row[] = [];
  const free: Row[] = [...fullLattice(size).columns];
  for (const row of rows) {
    const form = formOnLattice(row, { columns: free, offset: zeros(size) });
    if (free.every((_, i) => form[i] === 0)) continue;
    const pivot = isolate(form, free);
    fixed.push(...free.splice(pivot, 1));
    if (free.length === 0) break;
  }
  return { count: fixed.length, basis: [...fixed, ...free] };
}

/** How often a basis is improved before its thinnest direction is cut in slices. */
const mostRounds = 12;

function pointOfPolytope(first: Tableau, given: readonly Row[]): Int[] | undefined {
  const { size } = first;
  let tableau = first;
  let rows = given;
  let lattice = fullLattice(size);
  let best: { rows: readonly Row[]; lattice: Lattice; extents: readonly Extent[]; size: number } | undefined;
  for (let round = 0; round < mostRounds; round++) {
    const vertices: Vertex[] = [];
    const extents: Extent[] = [];
    for (let i = 0; i < size; i++) {
      const current = tableau;
      const extent = current.extent(i, () => vertices.push(reducedVertex(current)));
      if (extent === undefined) throw new Error('a polytope has a ray');
      if (extent.least > extent.most) return undefined;
      extents.push(extent);
    }
    const found = vertices.find(({ denominator }) => denominator === 1)?.numerators ?? centre(vertices, rows);
    if (found !== undefined) return pointOfLattice(lattice, found);
    const flat = rows.filter((row) => isEquality(row, vertices, tableau));
    if (flat.length > 0) {
      const inner = integerPoint(size, flat, rows);
      return inner && pointOfLattice(lattice, inner);
    }
    const volume = extents.reduce(
      (sum, { least, most }) => sum + Math.log2(Number(subInt(most, least)) + 1),
      0,
    );
    if (best !== undefined && volume >= best.size) break;
    best = { rows, lattice, extents, size: volume };
    // Few slices in all are cheaper than a better basis.
    const changed = size > 1 && volume > 2 ? reducedBasis(vertices, size) : undefined;
    if (changed === undefined) break;
    rows = rows.map((row) => formOnLattice(row, changed));
    lattice = within(lattice, changed);
    tableau = new Tableau(size);
    for (const row of rows) tableau.add(row);
  }
  const inner = best && pointInSlices(best.rows, best.extents);
  return inner && best && pointOfLattice(best.lattice, inner);
}

function reducedVertex(tableau: Tableau): Vertex {
  return tableau.hasIntegerPoint() ? { numerators: integersOf(tableau), denominator: 1 } : tableau.point();
}

/** The integer point next to the middle of the vertices, if it satisfies the constraints. */
function centre(vertices: readonly Vertex[], rows: readonly Row[]): Int[] | undefined {
  const size = vertices[0]!.numerators.length;
  const count = vertices.length;
  const rounded = Array.from({ length: size }, (_, i) => {
    // To a 2^-20: the sum of exact fractions would have a large denominator.
    const sum = vertices.reduce<Int>(
      (total, { numerators, denominator }) =>
        addInt(total, floorDivInt(mulInt(numerators[i]!, 2 ** 20), denominator)),
      0,
    );
    return nearestQuotient(sum, count * 2 ** 20);
  });
  return rows.every((row) => valueOf(row, rounded) >= 0) ? rounded : undefined;
}

/** Whether a constraint is 0 everywhere in the polytope. */
function isEquality(row: Row, vertices: readonly Vertex[], tableau: Tableau): boolean {
  const isZeroAt = ({ numerators, denominator }: Vertex) =>
    valueOf([...row.slice(0, -1), mulInt(row.at(-1)!, denominator)], numerators) === 0;
  if (!vertices.every(isZeroAt)) return false;
  const most = tableau.maximize(row);
  return most.kind === 'optimum' && most.value === 0;
}

/** Fixes the coordinate that takes the fewest values to each of them, from the middle. */
function pointInSlices(rows: readonly Row[], extents: readonly Extent[]): Int[] | undefined {
  const size = extents.length;
  const widths = extents.map(({ least, most }) => subInt(most, least));
  const thinnest = widths.reduce<number>((best, width, i) => (width < widths[best]! ? i : best), 0);
  const { least, most } = extents[thinnest]!;
  const middle = floorDivInt(addInt(least, most), 2);
  for (let offset: Int = 0; addInt(middle, offset) <= most; offset = addInt(offset, 1)) {
    for (const value of new Set([addInt(middle, offset), subInt(middle, offset)])) {
      if (value < least) continue;
      const found = integerPoint(size, [unitRow(size + 1, thinnest, 1, negInt(value))], rows);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
