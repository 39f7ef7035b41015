/** Threads that get no iterations. */
import type { AffineExpr } from '@sconv/affine';
import { isFunctionOfDim } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import type { MixedIndex } from '@sconv/dialects';
import { indexNumber } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { structured } from '@sconv/dialects/linalg';
import type { DraftOperation, Rewriter } from '@sconv/ir';

/**
 * Fails where a thread without iterations would read outside of an operand: a window is larger than the iterations that
 * use it, so that of no iterations is not empty. Known numbers only.
 *
 * @deviation Upstream makes such slices.
 */
export const checkIdleThreads = (
  rewriter: Rewriter,
  operation: DraftOperation,
  threads: readonly MixedIndex[],
): Diagnosed<undefined> => {
  const view = structured(rewriter.registry, operation);
  for (const [dimension, number] of threads.entries()) {
    const [count, range] = [indexNumber(rewriter, number), view?.loopRanges[dimension] ?? -1];
    if (count === undefined || count < 1 || range < 0) continue;
    const each = Math.ceil(range / count);
    if (each * (count - 1) < range) continue;
    const window = windowOf(view, dimension);
    if (window === undefined) continue;
    const advice = each === 0 ? '' : `: take ${Math.ceil(range / each)}`;
    const message =
      `the last of ${count} threads would get none of ${range} iterations, and read outside of an ` +
      `operand at '${window.toString()}'${advice}`;
    return silenceableError('tile/out-of-bounds', message, operation);
  }
  return success(undefined);
};

/** An index that a dimension is part of, together with others or in steps. */
export const windowOf = (view: StructuredOp | undefined, dimension: number): AffineExpr | undefined =>
  view?.indexingMaps
    .flatMap(({ results }) => results)
    .find((expr) => expr.kind !== 'dim' && isFunctionOfDim(expr, dimension));
