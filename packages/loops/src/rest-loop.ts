/** Loops in two parts: one that ends earlier, and a copy that continues from there. */
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';

/**
 * Creates a copy of a loop right after it, which takes over the uses of its results. The caller sets where the copy
 * starts, and makes it take the results of the loop as initial values.
 */
export const createCopyAfter = (rewriter: Rewriter, loop: DraftOperation): DraftOperation => {
  rewriter.setInsertionPointAfter(loop);
  const copy = rewriter.clone(loop);
  loop.results.forEach((result, i) => {
    rewriter.replaceUsesIf(result, copy.results[i]!, () => true);
  });
  return copy;
};

/** Creates the rest of an `scf.for` from the value `from` on. */
export const createRest = (rewriter: Rewriter, loop: DraftOperation, from: Value): DraftOperation => {
  const rest = createCopyAfter(rewriter, loop);
  const [, upper, step] = rest.operands as [Value, Value, Value, ...Value[]];
  rewriter.setOperands(rest, [from, upper, step, ...loop.results]);
  return rest;
};
