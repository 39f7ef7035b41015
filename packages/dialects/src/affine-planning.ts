/**
 * Affine queries that passes make before they change anything; errors of the algebra become failures of the payload.
 */
import type { AffineExpr } from '@sconv/affine';
import { isAffineError, rangeWithin, usedDims } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import type { Operation, Value } from '@sconv/ir';
import { DYNAMIC, isStaticShape } from '@sconv/ir';
import type { StructuredOp } from './linalg-view.ts';

/**
 * The result of `compute`; a silenceable failure with `code` at `operation` if the affine algebra throws, as for
 * numbers beyond 2^53: they come from the payload, so they are not a broken invariant.
 */
export const tryAffine = <T>(operation: Operation, code: string, compute: () => T): Diagnosed<T> => {
  try {
    return success(compute());
  } catch (problem) {
    if (!isAffineError(problem)) throw problem;
    const message = `the indices of '${operation.name}' cannot be computed: ${problem.message}`;
    return silenceableError(code, message, operation);
  }
};

/** Whether an op can be cut into parts of static size: its loops and operands (tensors or scalars) are static. */
export const hasStaticSizes = ({ loopRanges, inputs, outputs }: StructuredOp): boolean =>
  !loopRanges.includes(DYNAMIC) && [...inputs, ...outputs].every(isStaticTensorOrScalar);

/**
 * Whether slices of static size can be taken of an operand: a tensor of static shape, or a scalar, which is not
 * sliced.
 */
const isStaticTensorOrScalar = ({ type }: Value): boolean => {
  switch (type.kind) {
    case 'tensor':
      return isStaticShape(type);
    case 'integer':
    case 'float':
    case 'index':
      return true;
    default:
      return false;
  }
};

/** The range of an index: `lo <= value < hi`. */
export interface TouchedRange {
  readonly lo: number;
  readonly hi: number;
  /** Whether both ends are attained; otherwise the range over-approximates. */
  readonly exact: boolean;
}

const empty: TouchedRange = { lo: 0, hi: 0, exact: true };

/**
 * The range of `expr` as each iteration dimension runs over `[0, extent)`; `[0, 0)` if there are no iterations. A
 * dimension that `expr` does not use is ignored, even if it has no iterations.
 */
export const touchedRange = (expr: AffineExpr, extents: readonly number[]): TouchedRange => {
  const hasNone = extents.some((extent) => extent <= 0);
  if (hasNone && usedDims(expr).some((dimension) => extents[dimension]! <= 0)) return empty;
  return rangeWithin(expr, ({ kind, position }) => (kind === 'dim' ? [0, extents[position]!] : undefined));
};
