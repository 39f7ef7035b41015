/**
 * What MLIR's `simplifyAffineExpr` does to semi-affine expressions before flattening: resolves quotients by a symbol
 * that divides the dividend, and zero remainders. As in MLIR, symbolic divisors are assumed positive.
 *
 * @deviation MLIR 19 also divides sums and products of quotients by a symbol, and gives 0 for `(x - x mod q) floordiv
 * q`; both are unsound.
 */
import type { AffineExpr } from './affine-expr.ts';
import { add, binary, constant, mod, mul, sameExpr } from './affine-expr.ts';
import { isPureAffine } from './expr-properties.ts';

/** `simplify` compares two dividends by reducing their difference to 0. */
export function simplifySemiAffine(expr: AffineExpr, simplify: (expr: AffineExpr) => AffineExpr): AffineExpr {
  if (isPureAffine(expr) || expr.kind === 'dim' || expr.kind === 'symbol' || expr.kind === 'constant')
    return expr;
  const lhs = simplifySemiAffine(expr.lhs, simplify);
  const rhs = simplifySemiAffine(expr.rhs, simplify);
  if (expr.kind === 'add' || expr.kind === 'mul') return binary(expr.kind, lhs, rhs);
  if (expr.kind === 'mod' && removesRemainder(lhs, rhs, simplify)) return constant(0);
  if (rhs.kind === 'symbol') {
    const quotient = quotientBySymbol(lhs, rhs.position, expr.kind);
    if (quotient !== undefined) return expr.kind === 'mod' ? constant(0) : quotient;
  }
  return binary(expr.kind, lhs, rhs);
}

/** Whether `sum` is `x - x mod divisor`, as left by loop peeling: then `sum mod divisor` is 0. */
function removesRemainder(
  sum: AffineExpr,
  divisor: AffineExpr,
  simplify: (expr: AffineExpr) => AffineExpr,
): boolean {
  const summands = summandsOf(sum);
  return summands.some((summand, i) => {
    if (summand.kind !== 'mul' || summand.rhs.kind !== 'constant' || summand.rhs.value !== -1) return false;
    const remainder = summand.lhs;
    if (remainder.kind !== 'mod' || !sameExpr(remainder.rhs, divisor)) return false;
    let difference = mul(remainder.lhs, -1);
    summands.forEach((other, j) => {
      if (i !== j) difference = add(difference, other);
    });
    return sameExpr(simplify(difference), constant(0));
  });
}

function summandsOf(expr: AffineExpr): AffineExpr[] {
  return expr.kind === 'add' ? [...summandsOf(expr.lhs), ...summandsOf(expr.rhs)] : [expr];
}

/** `expr / s` if the symbol divides it, or the dividend of a quotient with the same rounding. */
function quotientBySymbol(
  expr: AffineExpr,
  position: number,
  kind: 'mod' | 'floordiv' | 'ceildiv',
): AffineExpr | undefined {
  if (kind === 'mod' || expr.kind !== kind) return exactQuotient(expr, position);
  const dividend = quotientBySymbol(expr.lhs, position, kind);
  return dividend && binary(kind, dividend, expr.rhs);
}

/** `expr / s` if every value of `expr` is a multiple of the symbol. */
function exactQuotient(expr: AffineExpr, position: number): AffineExpr | undefined {
  switch (expr.kind) {
    case 'symbol':
      return expr.position === position ? constant(1) : undefined;
    case 'constant':
      return expr.value === 0 ? expr : undefined;
    case 'add':
    case 'mod': {
      const lhs = exactQuotient(expr.lhs, position);
      const rhs = exactQuotient(expr.rhs, position);
      if (lhs === undefined || rhs === undefined) return undefined;
      return expr.kind === 'add' ? add(lhs, rhs) : mod(lhs, rhs);
    }
    case 'mul': {
      const lhs = exactQuotient(expr.lhs, position);
      if (lhs !== undefined) return mul(lhs, expr.rhs);
      const rhs = exactQuotient(expr.rhs, position);
      return rhs && mul(expr.lhs, rhs);
    }
    case 'dim':
    case 'floordiv':
    case 'ceildiv':
      return undefined;
  }
}
