/** From an affine expression to a value of any other kind: code, another compiler's IR, a number. */
import type { AffineExpr, AffineExprData } from './affine-expr.ts';
import { adopt } from './affine-expr.ts';

/** What each kind of expression becomes in `T`. */
export interface AffineAlgebra<T> {
  dim(position: number): T;
  symbol(position: number): T;
  constant(value: number): T;
  add(lhs: T, rhs: T, expr: AffineExpr): T;
  mul(lhs: T, rhs: T, expr: AffineExpr): T;
  /** Floored: the result has the sign of the divisor. */
  mod(lhs: T, rhs: T, expr: AffineExpr): T;
  /** Rounds down. `expr` allows to ask `isNonNegative(expr, …)`, where truncation does the same. */
  floordiv(lhs: T, rhs: T, expr: AffineExpr): T;
  /** Rounds up. */
  ceildiv(lhs: T, rhs: T, expr: AffineExpr): T;
}

/** Replaces every node by what `algebra` makes of it and of its operands, operands first. */
export function fold<T>(expr: AffineExprData, algebra: AffineAlgebra<T>): T {
  const visit = (node: AffineExpr): T => {
    switch (node.kind) {
      case 'dim':
        return algebra.dim(node.position);
      case 'symbol':
        return algebra.symbol(node.position);
      case 'constant':
        return algebra.constant(node.value);
      default:
        return algebra[node.kind](visit(node.lhs), visit(node.rhs), node);
    }
  };
  return visit(adopt(expr));
}
