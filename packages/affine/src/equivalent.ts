/**
 * Whether two expressions or maps have equal values: proved by normal form, otherwise decided exhaustively or by
 * sampling.
 */
import { AffineError, isAffineError } from './affine-error.ts';
import type { AffineExpr, AffineExprData } from './affine-expr.ts';
import { adopt } from './affine-expr.ts';
import { arityOf } from './expr-properties.ts';
import type { AffineMap, AffineMapData } from './affine-map.ts';
import { adoptMap, makeMap } from './affine-map.ts';
import type { Domain, Interval } from './box.ts';
import { IntervalBox, toBox } from './box.ts';
import { evaluateBigInt } from './evaluate.ts';
import { expectKind } from './expect-kind.ts';
import { sameNormalForm } from './normal-form.ts';
import { countPoints, pointsOf, randomNumbers, randomPoint } from './points.ts';
import { simplify } from './simplify.ts';
import { variableKey, variablesOf } from './terms.ts';

/** How `equivalent` decides. */
export interface EquivalenceOptions {
  /** The points to compare at (default: all); positions that it does not bound are unbounded. */
  readonly domain?: Domain;
  /** Up to this many points all are checked; default 2^16. */
  readonly maxPoints?: number;
  /** Number of samples if there are more; default 2000. */
  readonly samples?: number;
  /** Seed of the sampling; default 1. */
  readonly seed?: number;
}

/** A point at which two maps differ, and their values there. */
export interface Counterexample {
  readonly dims: readonly number[];
  readonly symbols: readonly number[];
  readonly left: readonly bigint[];
  readonly right: readonly bigint[];
}

/**
 * How the answer was found. Only `sampling` leaves doubt, and only about `equivalent: true`; `points` is the number of
 * points checked.
 */
export type Equivalence =
  | {
      readonly equivalent: true;
      readonly by: 'normal form' | 'exhaustion' | 'sampling';
      readonly points: number;
    }
  | {
      readonly equivalent: false;
      readonly by: 'exhaustion' | 'sampling';
      readonly points: number;
      readonly counterexample: Counterexample;
    };

/**
 * Whether two expressions, or two maps, are equal at every point of the domain. Points where one of them divides by
 * zero are ignored. Errors: maps of different arities.
 */
export function equivalent(
  a: AffineExprData | AffineMapData,
  b: AffineExprData | AffineMapData,
  options: EquivalenceOptions = {},
): Equivalence {
  const [left, right] = toMaps(a, b);
  const over = toBox(options.domain ?? {});
  const proved = (x: AffineMap, y: AffineMap) =>
    x.results.every((result, i) => sameNormalForm(result, y.results[i] ?? result));
  if (proved(left, right) || (hasBounds(over) && proved(simplify(left, over), simplify(right, over)))) {
    return { equivalent: true, by: 'normal form', points: 0 };
  }
  const box = new IntervalBox(over);
  const used = usedIntervals([...left.results, ...right.results], left, box);
  const exhaustive = countPoints(used.intervals) <= (options.maxPoints ?? 2 ** 16);
  const by = exhaustive ? 'exhaustion' : 'sampling';
  const candidates = exhaustive
    ? pointsOf(used.intervals)
    : samplePoints(used.intervals, options.samples ?? 2000, options.seed ?? 1);
  let points = 0;
  for (const values of candidates) {
    points += 1;
    const { dims, symbols } = used.toPoint(values);
    const counterexample = difference(left, right, dims, symbols);
    if (counterexample !== undefined) return { equivalent: false, by, points, counterexample };
  }
  return { equivalent: true, by, points };
}

function* samplePoints(
  intervals: readonly Interval[],
  count: number,
  seed: number,
): Generator<number[], void> {
  const random = randomNumbers(seed);
  for (let i = 0; i < count; i++) yield randomPoint(intervals, random);
}

function hasBounds(box: {
  readonly dims?: readonly unknown[];
  readonly symbols?: readonly unknown[];
}): boolean {
  return (box.dims?.length ?? 0) + (box.symbols?.length ?? 0) > 0;
}

/** Two maps of the same arity; expressions become maps with one result. */
function toMaps(
  a: AffineExprData | AffineMapData,
  b: AffineExprData | AffineMapData,
): [AffineMap, AffineMap] {
  for (const each of [a, b]) expectKind(each, 'expression', 'map');
  if (a.kind !== 'map' && b.kind !== 'map') {
    const [left, right] = [adopt(a), adopt(b)];
    const numDims = Math.max(arityOf(left).numDims, arityOf(right).numDims);
    const numSymbols = Math.max(arityOf(left).numSymbols, arityOf(right).numSymbols);
    return [makeMap(numDims, numSymbols, [left]), makeMap(numDims, numSymbols, [right])];
  }
  if (a.kind !== 'map' || b.kind !== 'map') {
    throw new AffineError('affine/invalid-argument', 'cannot compare an expression with a map');
  }
  const arity = ({ numDims, numSymbols, results }: AffineMapData) =>
    `${numDims} dimensions, ${numSymbols} symbols and ${results.length} results`;
  if (arity(a) !== arity(b)) {
    const message = `the maps differ in arity: ${arity(a)} against ${arity(b)}`;
    throw new AffineError('affine/arity-mismatch', message);
  }
  return [adoptMap(a), adoptMap(b)];
}

/** The intervals of the variables that occur, and the map's point for given values of them. */
function usedIntervals(exprs: readonly AffineExpr[], arity: AffineMap, box: IntervalBox) {
  const variables = [...new Map(exprs.flatMap(variablesOf).map((v) => [variableKey(v), v])).values()];
  const intervals = variables.map((variable) => box.of(variable));
  const rest = ({ min, max }: Interval) => Math.max(min, Math.min(max, 0));
  const toPoint = (values: readonly number[]) => {
    const point = {
      dim: Array.from({ length: arity.numDims }, (_, position) => rest(box.of({ kind: 'dim', position }))),
      symbol: Array.from({ length: arity.numSymbols }, (_, position) =>
        rest(box.of({ kind: 'symbol', position })),
      ),
    };
    variables.forEach(({ kind, position }, i) => {
      point[kind][position] = values[i] ?? 0;
    });
    return { dims: point.dim, symbols: point.symbol };
  };
  return { intervals, toPoint };
}

function difference(
  a: AffineMap,
  b: AffineMap,
  dims: readonly number[],
  symbols: readonly number[],
): Counterexample | undefined {
  try {
    const [bigDims, bigSymbols] = [dims.map(BigInt), symbols.map(BigInt)];
    const left = evaluateBigInt(a, bigDims, bigSymbols);
    const right = evaluateBigInt(b, bigDims, bigSymbols);
    return left.every((value, i) => value === right[i]) ? undefined : { dims, symbols, left, right };
  } catch (error) {
    if (isAffineError(error) && error.code === 'affine/zero-divisor') return undefined;
    throw error;
  }
}
