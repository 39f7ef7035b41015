/** Properties of expressions that every node knows of itself: size, arity and class. */
import type { AffineExprData } from './affine-expr.ts';
import { adopt, summaryOf } from './affine-expr.ts';

/** Number of nodes, shared ones counted once per occurrence. */
export function sizeOf(expr: AffineExprData): number {
  return summaryOf(adopt(expr)).size;
}

/** The fewest dimensions and symbols that a map with this result needs. */
export function arityOf(expr: AffineExprData): { numDims: number; numSymbols: number } {
  const { numDims, numSymbols } = summaryOf(adopt(expr));
  return { numDims, numSymbols };
}

/** Whether the expression contains no dimension. */
export function isSymbolicOrConstant(expr: AffineExprData): boolean {
  return summaryOf(adopt(expr)).numDims === 0;
}

/** Whether every factor and every divisor is a constant; otherwise the expression is semi-affine. */
export function isPureAffine(expr: AffineExprData): boolean {
  return summaryOf(adopt(expr)).pure;
}

/** Whether the expression consists only of sums and multiples by constants. */
export function isLinear(expr: AffineExprData): boolean {
  return summaryOf(adopt(expr)).linear;
}
