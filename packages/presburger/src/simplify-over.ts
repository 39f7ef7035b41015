/** Shorter forms of affine maps and sets at the points of a set: quotients, remainders and values that it fixes. */
import type { AffineExpr, AffineMap, AffineMapData, IntegerSet, IntegerSetData } from '@sconv/affine';
import {
  adoptMap,
  adoptSet,
  binary,
  constant,
  evaluateBigInt,
  ifAffine,
  makeMap,
  makeSet,
  simplify,
  sub,
} from '@sconv/affine';
import { basicSet } from './basic-set.ts';
import { withinSteps } from './budget.ts';
import { intersect } from './combine.ts';
import { fromSet, RowBuilder } from './from-affine.ts';
import { isPresburgerError, PresburgerError } from './presburger-error.ts';
import type { PresburgerSet } from './presburger-set.ts';
import { presburgerSet } from './presburger-set.ts';
import { complementRow } from './row.ts';
import type { Point } from './sample.ts';
import { isEmpty, sample } from './sample.ts';
import type { Space } from './space.ts';
import { defaultNames, numVariables, setSpace, unusedName } from './space.ts';

/**
 * The map, or the set, in a form that is equal at all points of `over`: what has one value there becomes a constant, a
 * quotient or remainder that the points decide goes away, and a constraint that they satisfy is left out.
 *
 *     simplifyOver(affineMap('(d0) -> (d0 floordiv 4 * 4)'), parseSet('{ [i] : i mod 4 = 0 }')) // (d0) -> (d0)
 *
 * What would take too long to decide stays. On no points, a map or set stays as `simplify` leaves it. Errors:
 * `presburger/arity-mismatch`.
 */
export function simplifyOver(of: AffineMapData, over: PresburgerSet | IntegerSetData): AffineMap;
export function simplifyOver(of: IntegerSetData, over: PresburgerSet | IntegerSetData): IntegerSet;
export function simplifyOver(
  of: AffineMapData | IntegerSetData,
  over: PresburgerSet | IntegerSetData,
): AffineMap | IntegerSet {
  const points = pointsFor(of, over.kind === 'set' ? fromSet(over) : over);
  return of.kind === 'map' ? mapOver(adoptMap(of), points) : setOver(adoptSet(of), points);
}

/** The points in a space with all symbols of the map or set. */
function pointsFor(
  { kind, numDims, numSymbols }: AffineMapData | IntegerSetData,
  over: PresburgerSet,
): PresburgerSet {
  const { dims, symbols } = over.space;
  if (dims.length !== numDims || symbols.length > numSymbols) {
    const given = `a set of ${dims.length} dimensions and ${symbols.length} symbols`;
    const message = `a ${kind} of ${numDims} dimensions and ${numSymbols} symbols over ${given}`;
    throw new PresburgerError('presburger/arity-mismatch', message);
  }
  const taken = new Set([...dims, ...symbols]);
  const others = defaultNames('s', numSymbols).slice(symbols.length);
  const space = setSpace(dims, [...symbols, ...others.map((name) => unusedName(name, taken))]);
  return intersect(presburgerSet(space, [basicSet(numVariables(space), {})]), over);
}

function mapOver(map: AffineMap, points: PresburgerSet): AffineMap {
  const short = new Shortening(points);
  const results = map.results.map((result) => short.of(result));
  return simplify(makeMap(map.numDims, map.numSymbols, results));
}

function setOver(set: IntegerSet, points: PresburgerSet): IntegerSet {
  const short = new Shortening(points);
  const constraints = set.constraints.map(({ expr, kind }) => ({ expr: short.of(expr), kind }));
  // Each constraint in turn is left out if the points and the others imply it.
  let kept = constraints;
  for (const constraint of constraints) {
    const others = kept.filter((each) => each !== constraint);
    const where = decided(() =>
      intersect(points, fromSet(makeSet(set.numDims, set.numSymbols, others), points.space)),
    );
    if (where === undefined) continue;
    const { expr, kind } = constraint;
    const isImplied =
      isNonNegativeOver(expr, where) && (kind === 'ge' || isNonNegativeOver(negated(expr), where));
    if (isImplied) kept = others;
  }
  return simplify(makeSet(set.numDims, set.numSymbols, kept));
}

const negated = (expr: AffineExpr): AffineExpr => binary('mul', expr, constant(-1));

/** The answer; undefined if it would take too long, or of what divides by a symbol. */
function decided<T>(compute: () => T): T | undefined {
  try {
    return withinSteps(compute);
  } catch (problem) {
    if (isPresburgerError(problem) && openCodes.has(problem.code)) return undefined;
    throw problem;
  }
}

/** The codes of questions without an answer. */
const openCodes: ReadonlySet<string> = new Set(['presburger/not-affine', 'presburger/undecided']);

/** Whether an expression is known to be at least 0 at all points. */
const isNonNegativeOver = (expr: AffineExpr, points: PresburgerSet): boolean =>
  decided(() => isEmpty(intersect(points, negativePoints(expr, points.space)))) === true;

/** Where an expression is below 0. */
function negativePoints(expr: AffineExpr, space: Space): PresburgerSet {
  const rows = new RowBuilder(space);
  const row = rows.rowOf(rows.formOf(expr));
  return presburgerSet(space, [
    basicSet(numVariables(space), { locals: rows.locals(), inequalities: [complementRow(row)] }),
  ]);
}

/** Shortens expressions at the same points. */
class Shortening {
  readonly #points: PresburgerSet;
  readonly #some: Point | undefined;

  constructor(points: PresburgerSet) {
    this.#points = points;
    this.#some = decided(() => sample(points));
  }

  of(expr: AffineExpr): AffineExpr {
    if (this.#some === undefined || expr.kind === 'constant') return expr;
    const value = this.#valueOf(expr);
    if (value !== undefined && this.#isBetween(expr, value, value)) return constant(value);
    if (expr.kind === 'dim' || expr.kind === 'symbol') return expr;
    const [lhs, rhs] = [this.of(expr.lhs), this.of(expr.rhs)];
    if (rhs.kind === 'constant' && rhs.value > 0) {
      const shorter = this.#ofConstant(expr.kind, lhs, rhs.value);
      if (shorter !== undefined) return shorter;
    }
    return binary(expr.kind, lhs, rhs);
  }

  /** `lhs` with a constant above 0. */
  #ofConstant(kind: AffineExpr['kind'], lhs: AffineExpr, divisor: number): AffineExpr | undefined {
    if (kind === 'mul') return this.#ofMultiple(lhs, divisor);
    if (kind !== 'mod') return undefined;
    // In one period a remainder is a difference. (A quotient would be a constant.)
    const value = this.#valueOf(lhs);
    if (value === undefined) return undefined;
    const start = Math.floor(value / divisor) * divisor;
    if (!Number.isSafeInteger(start + divisor)) return undefined;
    return this.#isBetween(lhs, start, start + divisor - 1) ? sub(lhs, constant(start)) : undefined;
  }

  /** `(e floordiv c) * k` is `(e - r) * (k / c)` where all remainders of `e` are `r`. */
  #ofMultiple(quotient: AffineExpr, factor: number): AffineExpr | undefined {
    if (quotient.kind !== 'floordiv' || quotient.rhs.kind !== 'constant') return undefined;
    const { lhs, rhs } = quotient;
    if (rhs.value <= 0 || factor % rhs.value !== 0) return undefined;
    const remainder = this.of(binary('mod', lhs, rhs));
    if (remainder.kind !== 'constant') return undefined;
    return binary('mul', sub(lhs, remainder), constant(factor / rhs.value));
  }

  /** Its value at some point; undefined beyond 2^53, or for what divides by 0 there. */
  #valueOf(expr: AffineExpr): number | undefined {
    const { dims, symbols } = this.#some!;
    const map = makeMap(dims.length, symbols.length, [expr]);
    const value = ifAffine(() => evaluateBigInt(map, dims.map(BigInt), symbols.map(BigInt))[0]);
    return value !== undefined && Number.isSafeInteger(Number(value)) ? Number(value) : undefined;
  }

  #isBetween(expr: AffineExpr, least: number, most: number): boolean {
    // A constant beyond 2^53 has no expression: nothing is known then.
    const bounds = ifAffine(() => [sub(expr, constant(least)), sub(constant(most), expr)]);
    return bounds?.every((bound) => isNonNegativeOver(bound, this.#points)) === true;
  }
}
