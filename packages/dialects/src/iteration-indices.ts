/** The iteration indices of a structured op as values in its body. */
import type { AffineExpr } from '@sconv/affine';
import { usedDims } from '@sconv/affine';
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
  const used = new Set(exprs.flatMap((expr) => usedDims(expr)));
  return Array.from({ length: rank }, (_, dim) =>
    used.has(dim) ? rewriter.createValue(indexOp.state({ attributes: { dim } })) : undefined,
  );
};
