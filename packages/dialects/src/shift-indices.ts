/** `linalg.index` in a copy of a structured op whose iterations are numbered from another start. */
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { bodyOf } from '@sconv/ir';
import { index } from './linalg.ts';

/**
 * Replaces the uses of each `linalg.index` in the body of a structured op by what `shift` creates from it, for its
 * dimension, right after it. `shift` returns undefined, or the index itself, for a dimension that is not renumbered.
 */
export const shiftIndices = (
  rewriter: Rewriter,
  operation: DraftOperation,
  shift: (local: Value, dimension: number) => Value | undefined,
): void => {
  if (operation.regions.length === 0) return;
  rewriter.scoped(() => {
    for (const inner of bodyOf(operation).operations.filter((each) => index.is(each))) {
      const local = inner.results[0]!;
      const users = rewriter.users(local);
      rewriter.setInsertionPointAfter(inner);
      const shifted = shift(local, index.attributes(inner).dim);
      if (shifted === undefined || shifted.id === local.id) continue;
      rewriter.replaceUsesIf(local, shifted, (user) => users.includes(user));
    }
  });
};
