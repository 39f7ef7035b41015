/** What passes ask the affine algebra before they change anything, with its errors as failures of the payload. */
import type { AffineExpr } from '@sconv/affine';
import { isAffineError, range, usedDims } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import type { Operation, Value } from '@sconv/ir';
import { DYNAMIC, isStaticShape } from '@sconv/ir';
import type { StructuredOp } from './linalg-view.ts';

/**
 * The result of `compute`; a silenceable failure with `code` at `operation` where the affine algebra throws, as it does
 * for numbers beyond 2^53: they come from the payload, which may hold any.
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

/** Whether an op can be cut in parts of static size: its loops and its operands, tensors or scalars, are static. */
export const hasStaticSizes = ({ loopRanges, inputs, outputs }: StructuredOp): boolean =>
  !loopRanges.includes(DYNAMIC) && [...inputs, ...outputs].every(isStaticTensorOrScalar);

/** Whether slices of static size can be taken of an operand: a tensor of static shape, or a scalar, which is taken whole. */
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

/** The values of an index: `lo <= value < hi`. */
export interface TouchedRange {
  readonly lo: number;
  readonly hi: number;
  /** Whether both ends are attained; else the range encloses more than is touched. */
  readonly exact: boolean;
}

const empty: TouchedRange = { lo: 0, hi: 0, exact: true };

/**
 * The indices that `expr` takes while each iteration dimension runs over `[0, extent)`, `[0, 0)` where it takes none. A
 * dimension that `expr` does not use does not count, even if it has no iterations.
 */
export const touchedRange = (expr: AffineExpr, extents: readonly number[]): TouchedRange => {
  const hasNone = extents.some((extent) => extent <= 0);
  if (hasNone && usedDims(expr).some((dimension) => extents[dimension]! <= 0)) return empty;
  return range(expr, ({ kind, position }) => (kind === 'dim' ? [0, extents[position]!] : undefined));
};
