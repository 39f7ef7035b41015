/** Folds an affine expression into another representation: code, another compiler's IR, a number. */
import type { AffineExpr, AffineExprData } from './affine-expr.ts';
import { adopt } from './affine-expr.ts';
import { expectFunction, expectOptions } from './expect-kind.ts';

/** The value in `T` for each kind of expression. */
export interface AffineAlgebra<T> {
  dim(position: number): T;
  symbol(position: number): T;
  constant(value: number): T;
  add(lhs: T, rhs: T, expr: AffineExpr): T;
  mul(lhs: T, rhs: T, expr: AffineExpr): T;
  /** Floored: the result has the sign of the divisor. */
  mod(lhs: T, rhs: T, expr: AffineExpr): T;
  /** Rounds down. `expr` lets you check `isNonNegative(expr, …)`, where truncation gives the same. */
  floordiv(lhs: T, rhs: T, expr: AffineExpr): T;
  /** Rounds up. */
  ceildiv(lhs: T, rhs: T, expr: AffineExpr): T;
}

const kinds = ['dim', 'symbol', 'constant', 'add', 'mul', 'mod', 'floordiv', 'ceildiv'] as const;

/** Bottom-up: replaces every node by `algebra`'s result for it and its folded operands. */
export function fold<T>(expr: AffineExprData, algebra: AffineAlgebra<T>): T {
  const adopted = adopt(expr);
  expectOptions(algebra);
  for (const kind of kinds) expectFunction(Reflect.get(algebra, kind), kind);
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
  return visit(adopted);
}
