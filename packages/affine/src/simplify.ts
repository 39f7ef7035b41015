/**
 * Simplification. Without bounds: what MLIR's `simplifyAffineExpr` gives. With bounds: quotients and remainders whose
 * low part provably stays within one period are resolved first, which also undoes a linearisation:
 * `(d0 * 152 + d1) floordiv 152` is `d0` where `0 <= d1 < 152`.
 */
import type { AffineExpr, AffineExprData } from './affine-expr.ts';
import {
  add,
  adopt,
  arityOf,
  binary,
  ceilDiv,
  constant,
  floorDiv,
  isLinear,
  mod,
  mul,
  sizeOf,
} from './affine-expr.ts';
import type { AffineMap, AffineMapData, IntegerSet, IntegerSetData } from './affine-map.ts';
import { adoptMap, adoptSet, makeMap, makeSet } from './affine-map.ts';
import type { Domain, Interval } from './box.ts';
import { IntervalBox } from './box.ts';
import { flattenAndRebuild } from './flatten.ts';
import { addExact, floorDivInteger, gcd, modInteger } from './integer.ts';
import { fixVariables, intervalOf } from './range.ts';
import type { Sum, Term } from './terms.ts';
import { exprOfSum, sumOf } from './terms.ts';

/**
 * An expression, map or set with the same value at every point of the box (without one: everywhere) and at most as
 * large. Without bounds the text is that of `mlir-opt --affine-simplify-structures`.
 */
export function simplify(expr: AffineExprData, over?: Domain): AffineExpr;
export function simplify(map: AffineMapData, over?: Domain): AffineMap;
export function simplify(set: IntegerSetData, over?: Domain): IntegerSet;
export function simplify(
  subject: AffineExprData | AffineMapData | IntegerSetData,
  over?: Domain,
): AffineExpr | AffineMap | IntegerSet {
  const box = over === undefined ? undefined : new IntervalBox(over);
  if (subject.kind === 'map') {
    const { numDims, numSymbols, results } = adoptMap(subject);
    const simplified = results.map((result) => simplifyExpr(result, numDims, numSymbols, box));
    return makeMap(numDims, numSymbols, simplified);
  }
  if (subject.kind === 'set') {
    const { numDims, numSymbols, constraints } = adoptSet(subject);
    const simplified = constraints.map(({ expr, kind }) => ({
      expr: simplifyExpr(expr, numDims, numSymbols, box),
      kind,
    }));
    return makeSet(numDims, numSymbols, simplified);
  }
  const expr = adopt(subject);
  const { numDims, numSymbols } = arityOf(expr);
  return simplifyExpr(expr, numDims, numSymbols, box);
}

function simplifyExpr(
  expr: AffineExpr,
  numDims: number,
  numSymbols: number,
  box: IntervalBox | undefined,
): AffineExpr {
  if (box === undefined) return flattenAndRebuild(expr, numDims, numSymbols);
  // The tree keeps a mod where the flat form expands it; the flat form cancels what the tree does not see. Each may
  // open the way for the other.
  let best = resolve(fixVariables(expr, box), box);
  for (;;) {
    const flat = resolve(flattenAndRebuild(best, numDims, numSymbols), box);
    if (sizeOf(flat) > sizeOf(best)) break;
    const shrinks = sizeOf(flat) < sizeOf(best);
    best = flat;
    if (!shrinks) break;
  }
  return sizeOf(best) <= sizeOf(expr) ? best : expr;
}

/** Resolves quotients and remainders from the leaves up. */
function resolve(expr: AffineExpr, box: IntervalBox): AffineExpr {
  if (isLinear(expr) || expr.kind === 'dim' || expr.kind === 'symbol' || expr.kind === 'constant')
    return expr;
  const lhs = resolve(expr.lhs, box);
  const rhs = resolve(expr.rhs, box);
  if (expr.kind === 'add' || expr.kind === 'mul') {
    return lhs === expr.lhs && rhs === expr.rhs ? expr : binary(expr.kind, lhs, rhs);
  }
  if (rhs.kind !== 'constant' || rhs.value < 1) return resolveSymbolic(expr.kind, lhs, rhs, box);
  switch (expr.kind) {
    case 'floordiv':
      return quotient(lhs, rhs.value, box);
    case 'mod':
      return remainder(lhs, rhs.value, box);
    case 'ceildiv': {
      const asFloor = quotient(add(lhs, rhs.value - 1), rhs.value, box);
      const kept = ceilDiv(lhs, rhs);
      return sizeOf(asFloor) < sizeOf(kept) ? asFloor : kept;
    }
  }
}

/** A symbolic divisor: where the dividend stays in `[0, divisor)`, the quotient is 0 and the remainder the dividend. */
function resolveSymbolic(
  kind: 'mod' | 'floordiv' | 'ceildiv',
  lhs: AffineExpr,
  rhs: AffineExpr,
  box: IntervalBox,
): AffineExpr {
  if (kind !== 'ceildiv' && rhs.kind !== 'constant') {
    const gap = intervalOf(add(rhs, mul(lhs, -1)), box);
    if (intervalOf(lhs, box).min >= 0 && gap.min >= 1) return kind === 'mod' ? lhs : constant(0);
  }
  return binary(kind, lhs, rhs);
}

/**
 * `high + low` where a divisor g of the period divides `high`, and `low = quotient * g + r` with `0 <= r < g`
 * everywhere in the box: then `high + quotient * g` alone decides the quotient by any multiple of g.
 */
interface Split {
  readonly divisor: number;
  readonly high: Sum;
  readonly low: Sum;
  readonly quotient: number;
}

/** The split of `sum` with the largest divisor of `period`; undefined when no part of it is bounded so. */
function splitAt(sum: Sum, period: number, box: IntervalBox): Split | undefined {
  for (const divisor of commonDivisors(sum.terms, period)) {
    const divides = ({ factor }: Term) => factor % divisor === 0;
    const offset = modInteger(sum.constant, divisor);
    const high = { terms: sum.terms.filter(divides), constant: sum.constant - offset };
    const low = { terms: sum.terms.filter((term) => !divides(term)), constant: offset };
    const quotient = constantQuotient(exprOfSum(low), divisor, box);
    if (quotient !== undefined) return { divisor, high, low, quotient };
  }
  return undefined;
}

/** The value of `expr floordiv divisor` if it is the same everywhere in the box. */
function constantQuotient(expr: AffineExpr, divisor: number, box: IntervalBox): number | undefined {
  const quotientOf = ({ min, max }: Interval) => {
    if (!Number.isFinite(min) || !Number.isFinite(max)) return undefined;
    const first = floorDivInteger(min, divisor);
    return first === floorDivInteger(max, divisor) ? first : undefined;
  };
  // Interval arithmetic is cheap and mostly enough.
  return quotientOf(intervalOf(expr, box, 0)) ?? quotientOf(intervalOf(expr, box));
}

/** The period, then the smaller divisors of it that some of the factors have in common; without 1. */
function commonDivisors(terms: readonly Term[], period: number): number[] {
  const divisors = terms.map(({ factor }) => gcd(factor, period)).sort((a, b) => b - a);
  const found = new Set([period]);
  let common = period;
  for (const divisor of divisors) {
    common = gcd(common, divisor);
    found.add(divisor).add(common);
  }
  found.delete(1);
  return [...found].sort((a, b) => b - a);
}

/** `dividend floordiv divisor`, the divisor positive. */
function quotient(dividend: AffineExpr, divisor: number, box: IntervalBox): AffineExpr {
  if (divisor === 1) return dividend;
  const sum = sumOf(dividend);
  const nested = quotientOfQuotient(sum, divisor);
  if (nested !== undefined) return quotient(nested.dividend, nested.divisor, box);
  const split = splitAt(sum, divisor, box);
  if (split !== undefined) {
    const high = scaled(split.high, split.divisor, split.quotient);
    return quotient(high, divisor / split.divisor, box);
  }
  // Whole multiples of the divisor leave the quotient.
  const whole = sum.terms.filter(({ factor }) => factor % divisor === 0);
  if (whole.length === 0) return floorDiv(dividend, divisor);
  const rest = sum.terms.filter(({ factor }) => factor % divisor !== 0);
  const outside = scaled({ terms: whole, constant: 0 }, divisor, 0);
  return add(outside, floorDiv(exprOfSum({ terms: rest, constant: sum.constant }), divisor));
}

/** `(x floordiv a + k) floordiv b` is `(x + a * k) floordiv (a * b)`. */
function quotientOfQuotient(
  sum: Sum,
  divisor: number,
): { dividend: AffineExpr; divisor: number } | undefined {
  const [term, ...others] = sum.terms;
  if (term?.factor !== 1 || others.length > 0 || term.expr.kind !== 'floordiv') return undefined;
  const { lhs, rhs } = term.expr;
  if (rhs.kind !== 'constant' || rhs.value < 1 || !Number.isSafeInteger(rhs.value * divisor))
    return undefined;
  return { dividend: add(lhs, mul(rhs, sum.constant)), divisor: rhs.value * divisor };
}

/** `dividend mod modulus`, the modulus positive. */
function remainder(dividend: AffineExpr, modulus: number, box: IntervalBox): AffineExpr {
  if (modulus === 1) return constant(0);
  const sum = sumOf(dividend);
  const split = splitAt(sum, modulus, box);
  if (split !== undefined) {
    const { divisor, high, low } = split;
    const carried = scaled(high, divisor, split.quotient);
    const rest = exprOfSum({ terms: low.terms, constant: addExact(low.constant, -split.quotient * divisor) });
    return add(mul(remainder(carried, modulus / divisor, box), divisor), rest);
  }
  const terms = sum.terms.filter(({ factor }) => factor % modulus !== 0);
  if (terms.length === sum.terms.length) return mod(dividend, modulus);
  return mod(exprOfSum({ terms, constant: modInteger(sum.constant, modulus) }), modulus);
}

/** `sum / divisor + offset`; the divisor divides all of the sum. */
function scaled(sum: Sum, divisor: number, offset: number): AffineExpr {
  const terms = sum.terms.map(({ expr, factor }) => ({ expr, factor: factor / divisor }));
  return exprOfSum({ terms, constant: addExact(sum.constant / divisor, offset) });
}
