/**
 * The range of an expression over a box.
 *
 * A pure affine expression is quasi-periodic in each variable: there are a period P and a shift S with f(x + P) = f(x)
 * + S. So its extrema are in the first or the last period of each variable, whatever the size of the box; terms that
 * share no variable are independent. If those periods together have few points they are enumerated, and the range is
 * exact; otherwise interval arithmetic gives an enclosure.
 */
import { ifAffine } from './affine-error.ts';
import type { AffineBinaryKind, AffineExpr, AffineExprData, AffinePositionData } from './affine-expr.ts';
import { adopt, binary, constant } from './affine-expr.ts';
import type { Domain } from './box.ts';
import { intervalsOver } from './box.ts';
import { exprEvaluator } from './closure.ts';
import {
  addExact,
  ceilDivInteger,
  exact as exactInteger,
  floorDivInteger,
  gcd,
  lcm,
  modInteger,
  mulExact,
} from './integer.ts';
import type { BoundsOf, Interval, Intervals } from './interval.ts';
import { intervalsOf } from './interval.ts';
import { advancePoint, countPoints } from './points.ts';
import type { Sum, Term } from './terms.ts';
import { exprOfSum, sumOf, variableKey, variablesOf } from './terms.ts';

/** The values of an expression, half-open: `lo <= value < hi`. */
export interface ValueRange {
  /** The least value when `exact`, else a lower bound; -Infinity when there is none. */
  readonly lo: number;
  /** One more than the greatest value when `exact`, else an exclusive upper bound; Infinity when there is none. */
  readonly hi: number;
  /** Whether both ends are attained (for an infinite end: the values are unbounded). */
  readonly exact: boolean;
}

interface ExactInterval extends Interval {
  readonly exact: boolean;
}

/** Maximum number of points enumerated for one group of terms. */
const maxPoints = 1 << 16;

/**
 * The range of an expression over a box: exact if the periods of dependent variables have at most 2^16 points,
 * otherwise a sound enclosure. Ends beyond 2^53 become infinite. Errors: empty or fractional bounds.
 */
export function range(expr: AffineExprData, over: Domain | BoundsOf): ValueRange {
  return rangeOver(expr, intervalsOver(over));
}

/** `range` with bounds by variable only: a page that needs no more does not load what reads boxes. */
export function rangeWithin(expr: AffineExprData, boundsOf: BoundsOf): ValueRange {
  return rangeOver(expr, intervalsOf(boundsOf));
}

function rangeOver(expr: AffineExprData, box: Intervals): ValueRange {
  const adopted = adopt(expr);
  // A sum whose constants or factors pass 2^53 has no form to be exact about.
  const exactly = ifAffine(() => intervalOf(fixVariables(adopted, box), box));
  return halfOpen(exactly ?? enclosureOf(adopted, box));
}

/**
 * Whether the expression is nonnegative everywhere in the box (so that a truncating division can implement `floordiv`).
 */
export function isNonNegative(expr: AffineExprData, over: Domain): boolean {
  return range(expr, over).lo >= 0;
}

/** A closed interval as a range; an upper end beyond 2^53 is infinite. */
function halfOpen({ min, max, exact }: ExactInterval): ValueRange {
  const hi = max + 1;
  return max === Infinity || Number.isSafeInteger(hi)
    ? { lo: min, hi, exact }
    : { lo: min, hi: Infinity, exact: false };
}

/** The range of the result of `fixVariables`, as a closed interval. */
export function intervalOf(expr: AffineExpr, box: Intervals): ExactInterval {
  return intervalOfSum(sumOf(expr), box);
}

/** `intervalOf` for a sum. */
export function intervalOfSum(sum: Sum, box: Intervals): ExactInterval {
  let total: ExactInterval = point(sum.constant);
  for (const group of groupByVariables(sum.terms)) total = addIntervals(total, groupInterval(group, box));
  return total;
}

/**
 * An enclosure by interval arithmetic alone: cheaper than `range`, and often wider, since occurrences of one variable
 * are treated as independent. Errors: empty or fractional bounds.
 */
export function enclosure(expr: AffineExprData, over: Domain | BoundsOf): ValueRange {
  return halfOpen(enclosureOf(adopt(expr), intervalsOver(over)));
}

/** Interval arithmetic alone; exact only if `exact` is set. */
export function enclosureOf(expr: AffineExpr, box: Intervals): ExactInterval {
  switch (expr.kind) {
    case 'constant':
      return point(expr.value);
    case 'dim':
    case 'symbol': {
      const { min, max } = box.of(expr);
      return { min, max, exact: true };
    }
    default:
      return operatorInterval(expr.kind, enclosureOf(expr.lhs, box), enclosureOf(expr.rhs, box));
  }
}

/** `enclosureOf` for a sum. */
export function enclosureOfSum({ terms, constant: offset }: Sum, box: Intervals): Interval {
  return addIntervals(encloseTerms(terms, box, enclosureOf), point(offset));
}

/** Variables with a single value become constants. */
export function fixVariables(expr: AffineExpr, box: Intervals): AffineExpr {
  if (!box.fixesSome) return expr;
  switch (expr.kind) {
    case 'constant':
      return expr;
    case 'dim':
    case 'symbol': {
      const { min, max } = box.of(expr);
      return min === max ? constant(min) : expr;
    }
    default: {
      const lhs = fixVariables(expr.lhs, box);
      const rhs = fixVariables(expr.rhs, box);
      return lhs === expr.lhs && rhs === expr.rhs ? expr : binary(expr.kind, lhs, rhs);
    }
  }
}

const isVariable = ({ expr: { kind } }: Term): boolean => kind === 'dim' || kind === 'symbol';

/** Groups terms that share a variable, directly or through others. */
function groupByVariables(terms: readonly Term[]): (readonly Term[])[] {
  // Equal terms are already combined, so these are distinct variables.
  if (terms.length === 1 || terms.every(isVariable)) return terms.map((term) => [term]);
  let groups: { keys: Set<string>; terms: Term[] }[] = [];
  for (const term of terms) {
    const merged = { keys: new Set(variablesOf(term.expr).map(variableKey)), terms: [term] };
    groups = groups.filter((group) => {
      if (![...group.keys].some((key) => merged.keys.has(key))) return true;
      for (const key of group.keys) merged.keys.add(key);
      merged.terms.unshift(...group.terms);
      return false;
    });
    groups.push(merged);
  }
  return groups.map((group) => group.terms);
}

/**
 * Cheapest first: interval arithmetic where exact, remainders known to take all values, quotients of exact ranges,
 * enumeration, arithmetic on operand ranges.
 */
function groupInterval(terms: readonly Term[], box: Intervals): ExactInterval {
  const [only] = terms;
  if (terms.length === 1 && only !== undefined) {
    const coarse = enclosureOf(only.expr, box);
    if (coarse.exact) return scaleInterval(coarse, only.factor);
    const remainders = allRemainders(only.expr, box);
    if (remainders !== undefined) return scaleInterval(remainders, only.factor);
    const isQuotient = only.expr.kind === 'floordiv' || only.expr.kind === 'ceildiv';
    const quotients = isQuotient ? termInterval(only.expr, box) : undefined;
    if (quotients?.exact === true) return scaleInterval(quotients, only.factor);
  }
  return enumerate(exprOfSum({ terms, constant: 0 }), box) ?? encloseTerms(terms, box, termInterval);
}

/** 0 to below the divisor, if some variable of a sum of variables alone takes the remainder through all values. */
function allRemainders(expr: AffineExpr, box: Intervals): ExactInterval | undefined {
  if (expr.kind !== 'mod' || expr.rhs.kind !== 'constant' || expr.rhs.value <= 0) return undefined;
  const { value: divisor } = expr.rhs;
  const { terms } = sumOf(expr.lhs);
  let all = false;
  for (const { expr: variable, factor } of terms) {
    if (variable.kind !== 'dim' && variable.kind !== 'symbol') return undefined;
    const { min, max } = box.of(variable);
    all ||= max - min + 1 >= divisor && gcd(factor, divisor) === 1;
  }
  return all ? { min: 0, max: divisor - 1, exact: true } : undefined;
}

/** The sum of the terms' intervals, each computed by `of`. */
function encloseTerms(
  terms: readonly Term[],
  box: Intervals,
  of: (expr: AffineExpr, box: Intervals) => ExactInterval,
): ExactInterval {
  let enclosure = point(0);
  for (const { expr, factor } of terms) {
    enclosure = addIntervals(enclosure, scaleInterval(of(expr, box), factor));
  }
  return terms.length === 1 ? enclosure : { min: enclosure.min, max: enclosure.max, exact: false };
}

/** The interval of an expression other than a sum, from its operands' ranges. */
function termInterval(expr: AffineExpr, box: Intervals): ExactInterval {
  if (expr.kind === 'dim' || expr.kind === 'symbol' || expr.kind === 'constant')
    return enclosureOf(expr, box);
  return operatorInterval(expr.kind, intervalOf(expr.lhs, box), intervalOf(expr.rhs, box));
}

/** The interval of an operator's values for independent operands. */
function operatorInterval(kind: AffineBinaryKind, lhs: ExactInterval, rhs: ExactInterval): ExactInterval {
  const fixed = rhs.min === rhs.max;
  switch (kind) {
    case 'add': {
      const sum = addIntervals(lhs, rhs);
      return fixed ? sum : { ...sum, exact: false };
    }
    case 'mul':
      return fixed ? scaleInterval(lhs, rhs.min) : corners(lhs, rhs, times, false);
    case 'floordiv':
    case 'ceildiv': {
      // Monotone in the dividend, and in a positive divisor if the dividend has one sign.
      if (rhs.min <= 0) return unknown;
      const quotient = kind === 'floordiv' ? floorQuotient : ceilQuotient;
      if (!fixed) return corners(lhs, rhs, quotient, false);
      return { min: quotient(lhs.min, rhs.min), max: quotient(lhs.max, rhs.min), exact: lhs.exact };
    }
    case 'mod':
      return rhs.min <= 0 ? unknown : remainderInterval(lhs, rhs);
  }
}

/**
 * A dividend within one period keeps its interval; otherwise remainders are bounded by the divisor and the dividend.
 */
function remainderInterval(lhs: ExactInterval, rhs: ExactInterval): ExactInterval {
  const last = rhs.max - 1;
  if (rhs.min < rhs.max) {
    if (lhs.min >= 0 && lhs.max < rhs.min) return lhs;
  } else {
    const period = floorQuotient(lhs.min, rhs.min);
    if (Number.isFinite(period) && floorQuotient(lhs.max, rhs.min) === period) {
      return {
        min: modInteger(lhs.min, rhs.min),
        max: modInteger(lhs.max, rhs.min),
        exact: lhs.exact,
      };
    }
  }
  return { min: 0, max: lhs.min >= 0 ? Math.min(last, lhs.max) : last, exact: false };
}

const unknown: ExactInterval = { min: -Infinity, max: Infinity, exact: false };

function point(value: number): ExactInterval {
  return { min: value, max: value, exact: true };
}

function addIntervals(a: ExactInterval, b: ExactInterval): ExactInterval {
  return saturate({ min: a.min + b.min, max: a.max + b.max, exact: a.exact && b.exact });
}

function scaleInterval(a: ExactInterval, factor: number): ExactInterval {
  const x = times(a.min, factor);
  const y = times(a.max, factor);
  return saturate({ min: Math.min(x, y), max: Math.max(x, y), exact: a.exact });
}

/** The hull of `op` over the ends of two intervals. */
function corners(
  a: Interval,
  b: Interval,
  op: (x: number, y: number) => number,
  exact: boolean,
): ExactInterval {
  const values = [op(a.min, b.min), op(a.min, b.max), op(a.max, b.min), op(a.max, b.max)];
  return saturate({ min: Math.min(...values), max: Math.max(...values), exact });
}

/** An end that a number may not represent exactly becomes infinite. */
function saturate(interval: ExactInterval): ExactInterval {
  const { min, max } = interval;
  const lost = (end: number) => Number.isFinite(end) && !Number.isSafeInteger(end);
  if (!lost(min) && !lost(max)) return interval;
  return { min: lost(min) ? -Infinity : min, max: lost(max) ? Infinity : max, exact: false };
}

/** The product, with 0 * ±Infinity = 0. */
function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

/** The divisor may be infinite. */
function floorQuotient(a: number, b: number): number {
  if (!Number.isFinite(a)) return a;
  return floorDivInteger(a, b);
}

function ceilQuotient(a: number, b: number): number {
  if (!Number.isFinite(a)) return a;
  return ceilDivInteger(a, b);
}

/** f(x + period) = f(x) + shift, for every x and whatever the other variables. */
interface Quasiperiod {
  readonly period: number;
  readonly shift: number;
}

/** The quasi-period of an expression in one variable; undefined if it has none. Errors: one that is beyond 2^53. */
function quasiperiod(expr: AffineExpr, variable: AffinePositionData): Quasiperiod | undefined {
  switch (expr.kind) {
    case 'constant':
      return { period: 1, shift: 0 };
    case 'dim':
    case 'symbol':
      return { period: 1, shift: expr.kind === variable.kind && expr.position === variable.position ? 1 : 0 };
    default: {
      const lhs = quasiperiod(expr.lhs, variable);
      const rhs = quasiperiod(expr.rhs, variable);
      if (lhs === undefined || rhs === undefined) return undefined;
      if (expr.kind === 'add') {
        const period = exactInteger(lcm(lhs.period, rhs.period));
        const shiftOf = (part: Quasiperiod) => mulExact(part.shift, period / part.period);
        return { period, shift: addExact(shiftOf(lhs), shiftOf(rhs)) };
      }
      if (expr.rhs.kind !== 'constant') {
        // Neither operand depends on the variable, or nothing is known.
        const constantBoth = lhs.shift === 0 && lhs.period === 1 && rhs.shift === 0 && rhs.period === 1;
        return constantBoth ? lhs : undefined;
      }
      const { value } = expr.rhs;
      if (expr.kind === 'mul') return { period: lhs.period, shift: mulExact(lhs.shift, value) };
      const common = gcd(value, lhs.shift);
      const period = mulExact(lhs.period, Math.abs(value) / common);
      return { period, shift: expr.kind === 'mod' ? 0 : (lhs.shift / common) * Math.sign(value) };
    }
  }
}

/** The exact interval by enumerating the periods that hold the extrema; undefined if they have too many points. */
function enumerate(expr: AffineExpr, box: Intervals): ExactInterval | undefined {
  const variables = variablesOf(expr);
  const lowest: Interval[] = [];
  const highest: Interval[] = [];
  for (const variable of variables) {
    const interval = box.of(variable);
    const repeats = ifAffine(() => quasiperiod(expr, variable)) ?? { period: Infinity, shift: 0 };
    if (repeats.period === Infinity && interval.max - interval.min === Infinity) return undefined;
    lowest.push(extremalPeriod(interval, repeats.period, repeats.shift));
    highest.push(extremalPeriod(interval, repeats.period, -repeats.shift));
  }
  const isFinite = ({ min, max }: Interval) => Number.isFinite(min) && Number.isFinite(max);
  const [hasMin, hasMax] = [lowest.every(isFinite), highest.every(isFinite)];
  if ((hasMin && countPoints(lowest) > maxPoints) || (hasMax && countPoints(highest) > maxPoints))
    return undefined;
  const evaluateAt = exprEvaluator(expr, variables);
  // A point may have no value: a zero divisor, an overflow.
  return ifAffine(() => {
    const min = hasMin ? extremum(lowest, evaluateAt, Math.min, Infinity) : -Infinity;
    const max = hasMax ? extremum(highest, evaluateAt, Math.max, -Infinity) : Infinity;
    return { min, max, exact: true };
  });
}

/**
 * The part of an interval that holds the minimum of a function with this quasi-period; infinite if there is no minimum.
 */
function extremalPeriod({ min, max }: Interval, period: number, shift: number): Interval {
  if (max - min < period) return { min, max };
  if (shift > 0) return { min, max: min + period - 1 };
  if (shift < 0) return { min: max - period + 1, max };
  // Any whole period will do.
  return { min: 0, max: period - 1 };
}

function extremum(
  intervals: readonly Interval[],
  evaluateAt: (values: readonly number[]) => number,
  pick: (a: number, b: number) => number,
  worst: number,
): number {
  let best = worst;
  const values = intervals.map(({ min }) => min);
  // Not by a generator: this is most of what some compilations compute.
  do best = pick(best, evaluateAt(values));
  while (advancePoint(values, intervals));
  return best;
}
