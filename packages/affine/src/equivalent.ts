/**
 * Whether two expressions or maps have equal values, or two sets the same points: proved by normal form, otherwise
 * decided exhaustively or by sampling.
 */
import { AffineError, isAffineError } from './affine-error.ts';
import type { AffineExpr, AffineExprData } from './affine-expr.ts';
import { adopt } from './affine-expr.ts';
import { arityOf } from './expr-properties.ts';
import type { AffineMap, AffineMapData, IntegerSet, IntegerSetData } from './affine-map.ts';
import { adoptMap, adoptSet, makeMap } from './affine-map.ts';
import type { Domain } from './box.ts';
import type { Interval } from './interval.ts';
import { IntervalBox, toBox } from './box.ts';
import { evaluateBigInt } from './evaluate.ts';
import { expectKind, expectOptions } from './expect-kind.ts';
import { sameNormalForm } from './normal-form.ts';
import { countPoints, pointsOf, randomNumbers, randomPoint } from './points.ts';
import { simplify } from './simplify.ts';
import { variableKey, variablesOf } from './terms.ts';

/** What `equivalent` compares: two of the same kind. */
type Comparable = AffineExprData | AffineMapData | IntegerSetData;

type Subject = AffineMap | IntegerSet;

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

/** A point at which two maps differ, and their values there; of sets 1 where they contain it, 0 where they do not. */
export interface Counterexample {
  readonly dims: readonly number[];
  readonly symbols: readonly number[];
  readonly left: readonly bigint[];
  readonly right: readonly bigint[];
}

/**
 * The answer, and how it was found; `points` is the number of points checked. Compare it with `true`: it is
 * `'undecided'` if sampling found no difference, which leaves doubt.
 */
export type Equivalence =
  | {
      readonly equivalent: true;
      readonly by: 'normal form' | 'exhaustion';
      readonly points: number;
    }
  | {
      readonly equivalent: 'undecided';
      readonly by: 'sampling';
      readonly points: number;
    }
  | {
      readonly equivalent: false;
      readonly by: 'exhaustion' | 'sampling';
      readonly points: number;
      readonly counterexample: Counterexample;
    };

/**
 * Whether two expressions, or two maps, are equal at every point of the domain, or two sets contain the same of its
 * points. Points where one of them divides by zero are ignored. Errors: maps or sets of different arities.
 */
export function equivalent(a: Comparable, b: Comparable, options: EquivalenceOptions = {}): Equivalence {
  const [left, right] = sameArity(a, b);
  expectOptions(options);
  const over = toBox(options.domain ?? {}, a, b);
  const simple = (each: Subject): Subject =>
    each.kind === 'map' ? simplify(each, over) : simplify(each, over);
  if (proved(left, right) || (hasBounds(over) && proved(simple(left), simple(right)))) {
    return { equivalent: true, by: 'normal form', points: 0 };
  }
  const box = new IntervalBox(over);
  const used = usedIntervals([...exprsOf(left), ...exprsOf(right)], left, box);
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
  return by === 'sampling' ? { equivalent: 'undecided', by, points } : { equivalent: true, by, points };
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

const exprsOf = (subject: Subject): readonly AffineExpr[] =>
  subject.kind === 'map' ? subject.results : subject.constraints.map(({ expr }) => expr);

/** Whether results, or constraints of the same kinds, have the same normal forms in the same order. */
function proved(a: Subject, b: Subject): boolean {
  const kinds = (subject: Subject) =>
    subject.kind === 'map' ? subject.results.length : subject.constraints.map(({ kind }) => kind).join();
  if (kinds(a) !== kinds(b)) return false;
  const others = exprsOf(b);
  return exprsOf(a).every((expr, i) => sameNormalForm(expr, others[i] ?? expr));
}

/** Two maps, or two sets, of the same arity; expressions become maps with one result. */
function sameArity(a: Comparable, b: Comparable): [Subject, Subject] {
  for (const each of [a, b]) expectKind(each, 'expression', 'map', 'set');
  if (a.kind === 'set' && b.kind === 'set') {
    checkArity('sets', a, b);
    return [adoptSet(a), adoptSet(b)];
  }
  if (a.kind === 'map' && b.kind === 'map') {
    checkArity('maps', a, b);
    return [adoptMap(a), adoptMap(b)];
  }
  if (a.kind === 'map' || a.kind === 'set' || b.kind === 'map' || b.kind === 'set') {
    const name = ({ kind }: Comparable) =>
      kind === 'map' ? 'a map' : kind === 'set' ? 'a set' : 'an expression';
    throw new AffineError('affine/invalid-argument', `cannot compare ${name(a)} with ${name(b)}`);
  }
  const [left, right] = [adopt(a), adopt(b)];
  const numDims = Math.max(arityOf(left).numDims, arityOf(right).numDims);
  const numSymbols = Math.max(arityOf(left).numSymbols, arityOf(right).numSymbols);
  return [makeMap(numDims, numSymbols, [left]), makeMap(numDims, numSymbols, [right])];
}

function checkArity(
  what: string,
  a: AffineMapData | IntegerSetData,
  b: AffineMapData | IntegerSetData,
): void {
  const arity = (each: AffineMapData | IntegerSetData) =>
    each.kind === 'map'
      ? `${each.numDims} dimensions, ${each.numSymbols} symbols and ${each.results.length} results`
      : `${each.numDims} dimensions and ${each.numSymbols} symbols`;
  if (arity(a) === arity(b)) return;
  const message = `the ${what} differ in arity: ${arity(a)} against ${arity(b)}`;
  throw new AffineError('affine/arity-mismatch', message);
}

/** The intervals of the variables that occur, and the map's point for given values of them. */
function usedIntervals(exprs: readonly AffineExpr[], arity: Subject, box: IntervalBox) {
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

/** The values of a map; of a set 1 or 0, as it contains the point or not. */
function valuesAt(subject: Subject, dims: readonly bigint[], symbols: readonly bigint[]): readonly bigint[] {
  if (subject.kind === 'map') return evaluateBigInt(subject, dims, symbols);
  const { numDims, numSymbols, constraints } = subject;
  const values = evaluateBigInt(makeMap(numDims, numSymbols, exprsOf(subject)), dims, symbols);
  const holds = values.every((value, i) => (constraints[i]?.kind === 'eq' ? value === 0n : value >= 0n));
  return [holds ? 1n : 0n];
}

function difference(
  a: Subject,
  b: Subject,
  dims: readonly number[],
  symbols: readonly number[],
): Counterexample | undefined {
  try {
    const [bigDims, bigSymbols] = [dims.map(BigInt), symbols.map(BigInt)];
    const left = valuesAt(a, bigDims, bigSymbols);
    const right = valuesAt(b, bigDims, bigSymbols);
    return left.every((value, i) => value === right[i]) ? undefined : { dims, symbols, left, right };
  } catch (error) {
    if (isAffineError(error) && error.code === 'affine/zero-divisor') return undefined;
    throw error;
  }
}
