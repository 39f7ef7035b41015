/** The precondition common to both kinds of split. */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { structured } from '@sconv/dialects/linalg';
import type { DraftOperation, Rewriter } from '@sconv/ir';

/** Requires a structured op with this dimension. */
export const structuredWith = (
  rewriter: Rewriter,
  operation: DraftOperation,
  dimension: number,
): Diagnosed<StructuredOp> => {
  const view = structured(rewriter.registry, operation);
  if (view === undefined) {
    return silenceableError(
      'split/not-structured',
      `only applies to structured ops, got '${operation.name}'`,
      operation,
    );
  }
  if (view.loopRanges[dimension] === undefined) {
    return silenceableError(
      'split/dimension-overflow',
      `dimension ${dimension} does not exist in target op of ${view.loopRanges.length} loops`,
      operation,
    );
  }
  return success(view);
};
