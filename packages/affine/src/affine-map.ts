/** Affine maps and integer sets: frozen values over a number of dimensions and symbols. */
import { AffineError } from './affine-error.ts';
import type { AffineExpr, AffineExprData, AffineOperand } from './affine-expr.ts';
import { adopt, constant, dim, sameExpr, summaryOf } from './affine-expr.ts';
import { describe, expectKind, expectList, expectOptions } from './expect-kind.ts';
import { printMap, printSet } from './print.ts';

/** An affine map as plain data: what every function of this package accepts. */
export interface AffineMapData {
  readonly kind: 'map';
  readonly numDims: number;
  readonly numSymbols: number;
  readonly results: readonly AffineExprData[];
}

/** `(d0, …)[s0, …] -> (results)`. Frozen; `String(map)` is MLIR's text. */
export interface AffineMap extends AffineMapData {
  readonly results: readonly AffineExpr[];
  toString(): string;
}

/** One constraint of a set: `expr == 0` or `expr >= 0`. */
export interface ConstraintData {
  readonly expr: AffineExprData;
  readonly kind: 'eq' | 'ge';
}
/** One constraint of a set: `expr == 0` or `expr >= 0`. */
export interface Constraint extends ConstraintData {
  readonly expr: AffineExpr;
}

/** An integer set as plain data: what every function of this package accepts. */
export interface IntegerSetData {
  readonly kind: 'set';
  readonly numDims: number;
  readonly numSymbols: number;
  readonly constraints: readonly ConstraintData[];
}

/** The points `(d0, …)[s0, …]` that satisfy all constraints. Frozen; `String(set)` is MLIR's text. */
export interface IntegerSet extends IntegerSetData {
  readonly constraints: readonly Constraint[];
  toString(): string;
}

class MapNode implements AffineMap {
  readonly kind = 'map';
  readonly numDims: number;
  readonly numSymbols: number;
  readonly results: readonly AffineExpr[];
  constructor(numDims: number, numSymbols: number, results: readonly AffineExpr[]) {
    this.numDims = numDims;
    this.numSymbols = numSymbols;
    this.results = Object.freeze(results);
    Object.freeze(this);
  }
  toString(): string {
    return printMap(this);
  }
}

class SetNode implements IntegerSet {
  readonly kind = 'set';
  readonly numDims: number;
  readonly numSymbols: number;
  readonly constraints: readonly Constraint[];
  constructor(numDims: number, numSymbols: number, constraints: readonly Constraint[]) {
    this.numDims = numDims;
    this.numSymbols = numSymbols;
    this.constraints = Object.freeze(constraints);
    Object.freeze(this);
  }
  toString(): string {
    return printSet(this);
  }
}

/** The map `(d0 … )[s0 …] -> (results)`. Errors: a result uses a dimension or symbol that the map does not have. */
export function makeMap(numDims: number, numSymbols: number, results: readonly AffineOperand[]): AffineMap {
  checkCounts(numDims, numSymbols);
  expectList(results, 'the results');
  // Also of the holes of a list.
  const adopted = Array.from(results, adopt);
  for (const result of adopted) checkPositions(result, numDims, numSymbols);
  return new MapNode(numDims, numSymbols, adopted);
}

/** The set of points that satisfy `constraints`; without constraints it is `0 == 0`, as in MLIR. */
export function makeSet(
  numDims: number,
  numSymbols: number,
  constraints: readonly ConstraintData[],
): IntegerSet {
  checkCounts(numDims, numSymbols);
  expectList(constraints, 'the constraints');
  const given: readonly ConstraintData[] =
    constraints.length > 0 ? constraints : [{ expr: constant(0), kind: 'eq' }];
  const adopted = Array.from(given, (constraint) => {
    expectOptions(constraint);
    return Object.freeze({ expr: adopt(constraint.expr), kind: constraint.kind });
  });
  for (const { expr } of adopted) checkPositions(expr, numDims, numSymbols);
  return new SetNode(numDims, numSymbols, adopted);
}

/** `(d0, …, dn-1) -> (d0, …, dn-1)`. */
export function identityMap(numDims: number): AffineMap {
  checkCounts(numDims, 0);
  return makeMap(
    numDims,
    0,
    Array.from({ length: numDims }, (_, i) => dim(i)),
  );
}

/** `(d0, …) -> (d[p[0]], d[p[1]], …)`; errors unless `positions` is a permutation of `0 … n-1`. */
export function permutationMap(positions: readonly number[]): AffineMap {
  expectList(positions, 'the positions');
  const sorted = [...positions].sort((a, b) => a - b);
  if (sorted.some((position, i) => position !== i)) {
    throw new AffineError('affine/invalid-argument', `[${positions.join(', ')}] is not a permutation`);
  }
  return makeMap(positions.length, 0, positions.map(dim));
}

/** `() -> (values)`. */
export function constantMap(...values: readonly number[]): AffineMap {
  return makeMap(0, 0, values.map(constant));
}

/** The map with results created by this package: itself, or a checked copy of plain data. */
export function adoptMap(map: AffineMapData): AffineMap {
  if (map instanceof MapNode) return map;
  expectKind(map, 'map');
  return makeMap(map.numDims, map.numSymbols, map.results);
}

/** The set with constraints created by this package: itself, or a checked copy of plain data. */
export function adoptSet(set: IntegerSetData): IntegerSet {
  if (set instanceof SetNode) return set;
  expectKind(set, 'set');
  return makeSet(set.numDims, set.numSymbols, set.constraints);
}

/** Structural equality of expressions, maps or sets (for equality of values see `equivalent`). */
export function equals(
  a: AffineExprData | AffineMapData | IntegerSetData,
  b: AffineExprData | AffineMapData | IntegerSetData,
): boolean {
  for (const each of [a, b]) expectKind(each, 'expression', 'map', 'set');
  if (a === b) return true;
  if (a.kind === 'map') return b.kind === 'map' && sameArity(a, b) && sameList(a.results, b.results);
  if (a.kind === 'set') {
    if (b.kind !== 'set' || !sameArity(a, b) || a.constraints.length !== b.constraints.length) return false;
    return a.constraints.every((constraint, i) => {
      const other = b.constraints[i];
      return other?.kind === constraint.kind && sameExpr(constraint.expr, other.expr);
    });
  }
  return b.kind !== 'map' && b.kind !== 'set' && sameExpr(a, b);
}

function sameArity(a: AffineMapData | IntegerSetData, b: AffineMapData | IntegerSetData): boolean {
  return a.numDims === b.numDims && a.numSymbols === b.numSymbols;
}

function sameList(a: readonly AffineExprData[], b: readonly AffineExprData[]): boolean {
  return a.length === b.length && a.every((expr, i) => sameExpr(expr, b[i] ?? expr));
}

/** Refuses what are no numbers of dimensions and symbols. */
export function checkCounts(numDims: number, numSymbols: number): void {
  for (const count of [numDims, numSymbols]) {
    if (!Number.isInteger(count) || count < 0 || count > 65_536) {
      throw new AffineError(
        'affine/invalid-argument',
        `${describe(count)} is not a number of dimensions or symbols`,
      );
    }
  }
}

function checkPositions(expr: AffineExpr, numDims: number, numSymbols: number): void {
  const needed = summaryOf(expr);
  if (needed.numDims > numDims) throw outOfRange('d', needed.numDims - 1, numDims, 'dimensions');
  if (needed.numSymbols > numSymbols) throw outOfRange('s', needed.numSymbols - 1, numSymbols, 'symbols');
}

function outOfRange(letter: string, position: number, count: number, noun: string): AffineError {
  const message = `${letter}${position} is used, but there are only ${count} ${noun}`;
  return new AffineError('affine/position-out-of-range', message);
}
