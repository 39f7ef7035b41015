/** Resolves quotients and remainders whose dividend, or a part of it, stays within one period of the divisor. */
import type { AffineExpr } from './affine-expr.ts';
import { add, binary, ceilDiv, constant, floorDiv, mod, mul, sub } from './affine-expr.ts';
import { isLinear, sizeOf } from './expr-properties.ts';
import type { Interval } from './interval.ts';
import { IntervalBox } from './box.ts';
import { addExact, ceilDivInteger, floorDivInteger, gcd, modInteger, mulExact } from './integer.ts';
import { enclosureOf, enclosureOfSum, intervalOf, intervalOfSum } from './range.ts';
import type { Sum, Term } from './terms.ts';
import { exprOfSum, sumOf } from './terms.ts';

const everywhere = new IntervalBox({});

/**
 * Replaces quotients that are constant for all values of the variables, and remainders with such a quotient: `(d0 mod
 * 4) floordiv 4` is 0. Returns the expression itself if there are none.
 */
export function foldConstantQuotients(expr: AffineExpr): AffineExpr {
  if (isLinear(expr) || isLeaf(expr)) return expr;
  const lhs = foldConstantQuotients(expr.lhs);
  const rhs = foldConstantQuotients(expr.rhs);
  if (expr.kind !== 'add' && expr.kind !== 'mul' && rhs.kind === 'constant' && rhs.value > 0) {
    const dividend = expr.kind === 'ceildiv' ? add(lhs, rhs.value - 1) : lhs;
    const quotient = quotientWithin(enclosureOf(dividend, everywhere), rhs.value);
    if (quotient !== undefined) {
      return expr.kind === 'mod' ? sub(lhs, mulExact(quotient, rhs.value)) : constant(quotient);
    }
    const reduced = expr.kind === 'mod' ? undefined : cancelFactor(expr.kind, lhs, rhs.value);
    if (reduced !== undefined) return reduced;
  }
  return lhs === expr.lhs && rhs === expr.rhs ? expr : binary(expr.kind, lhs, rhs);
}

/**
 * `(g * x + k) floordiv (g * c)` is `(x + k floordiv g) floordiv c`, likewise for ceildiv; undefined if divisor and
 * terms are coprime.
 */
function cancelFactor(
  kind: 'floordiv' | 'ceildiv',
  dividend: AffineExpr,
  divisor: number,
): AffineExpr | undefined {
  const sum = sumOf(dividend);
  const common = sum.terms.reduce((factor, term) => gcd(factor, term.factor), divisor);
  if (common === 1) return undefined;
  const rounded = (kind === 'floordiv' ? floorDivInteger : ceilDivInteger)(sum.constant, common);
  const reduced = scaled({ terms: sum.terms, constant: 0 }, common, rounded);
  return binary(kind, reduced, divisor / common);
}

function isLeaf(expr: AffineExpr): expr is Exclude<AffineExpr, { readonly lhs: AffineExpr }> {
  return expr.kind === 'dim' || expr.kind === 'symbol' || expr.kind === 'constant';
}

/** Resolves quotients and remainders bottom-up, as far as the box allows. */
export function resolve(expr: AffineExpr, box: IntervalBox): AffineExpr {
  if (isLinear(expr) || isLeaf(expr)) return expr;
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

/** A symbolic divisor: if the dividend stays in `[0, divisor)`, the quotient is 0 and the remainder is the dividend. */
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

/** The split of `sum` with the largest divisor of `period`; undefined if no part is bounded that way. */
function splitAt(sum: Sum, period: number, box: IntervalBox): Split | undefined {
  for (const divisor of commonDivisors(sum.terms, period)) {
    const divides = ({ factor }: Term) => factor % divisor === 0;
    const offset = modInteger(sum.constant, divisor);
    const high = { terms: sum.terms.filter(divides), constant: addExact(sum.constant, -offset) };
    const low = { terms: sum.terms.filter((term) => !divides(term)), constant: offset };
    const quotient = constantQuotient(low, divisor, box);
    if (quotient !== undefined) return { divisor, high, low, quotient };
  }
  return undefined;
}

/** The value of `sum floordiv divisor` if it is constant over the box. */
function constantQuotient(sum: Sum, divisor: number, box: IntervalBox): number | undefined {
  // Interval arithmetic is cheap and usually sufficient.
  return (
    quotientWithin(enclosureOfSum(sum, box), divisor) ?? quotientWithin(intervalOfSum(sum, box), divisor)
  );
}

/** The common quotient of all values in an interval; undefined if there is none. */
function quotientWithin({ min, max }: Interval, divisor: number): number | undefined {
  if (!Number.isFinite(min) || !Number.isFinite(max)) return undefined;
  const first = floorDivInteger(min, divisor);
  return first === floorDivInteger(max, divisor) ? first : undefined;
}

/** The period, then its smaller divisors that some of the factors share; without 1. */
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
  // Extract whole multiples of the divisor.
  const whole = sum.terms.filter(({ factor }) => factor % divisor === 0);
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
    const rest = exprOfSum({
      terms: low.terms,
      constant: addExact(low.constant, mulExact(-split.quotient, divisor)),
    });
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
