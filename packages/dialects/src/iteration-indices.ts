/** The iteration indices of a structured op as values in its body. */
import type { AffineExpr } from '@sconv/affine';
import { isFunctionOfDim } from '@sconv/affine';
import type { Rewriter, Value } from '@sconv/ir';
import { indexOp } from './linalg-generic.ts';

/**
 * Creates `linalg.index` for each of `rank` dimensions that `exprs` use, at the insertion point; undefined for the
 * others.
 */
export const createIterations = (
  rewriter: Rewriter,
  rank: number,
  exprs: readonly AffineExpr[],
): readonly (Value | undefined)[] => {
  const iterations: (Value | undefined)[] = [];
  for (let dim = 0; dim < rank; dim += 1) {
    const isUsed = exprs.some((expr) => isFunctionOfDim(expr, dim));
    iterations.push(isUsed ? rewriter.createValue(indexOp.state({ attributes: { dim } })) : undefined);
  }
  return iterations;
};
