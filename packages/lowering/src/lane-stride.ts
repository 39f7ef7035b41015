/** How far the lanes of an operand are apart. */
import type { AffineExpr } from '@sconv/affine';
import { isFunctionOfDim } from '@sconv/affine';
import { stridedLayoutOf } from '@sconv/dialects/memref';
import type { MemRefType } from '@sconv/ir';

/** The stride between lanes, in elements: 0 for a broadcast. */
export type LaneStride = 0 | 1 | 2;

/** The lane stride of an operand, in elements; undefined if unsupported. */
export const laneStride = (
  indices: readonly AffineExpr[],
  type: MemRefType,
  lane: number,
): LaneStride | undefined => {
  const moved = indices.flatMap((expr, i) => (isFunctionOfDim(expr, lane) ? [i] : []));
  if (moved.length === 0) return 0;
  const last = indices.length - 1;
  if (moved.length > 1 || moved[0] !== last || stridedLayoutOf(type)?.strides[last] !== 1) return undefined;
  const factor = factorOf(indices[last]!, lane);
  return factor === 1 || factor === 2 ? factor : undefined;
};

/** The coefficient of a dimension in a sum; undefined if it occurs in any other form. */
const factorOf = (expr: AffineExpr, position: number): number | undefined => {
  if (!isFunctionOfDim(expr, position)) return 0;
  if (expr.kind === 'dim') return 1;
  if (expr.kind === 'mul' && expr.rhs.kind === 'constant') {
    const factor = factorOf(expr.lhs, position);
    return factor === undefined ? undefined : factor * expr.rhs.value;
  }
  if (expr.kind !== 'add') return undefined;
  const [lhs, rhs] = [factorOf(expr.lhs, position), factorOf(expr.rhs, position)];
  return lhs === undefined || rhs === undefined ? undefined : lhs + rhs;
};
