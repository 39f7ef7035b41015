/** `transform.apply_dce`. */
import { success } from '@sconv/diagnostics';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { isErasable } from '@sconv/ir';
import { appliedToItself, defineTransformOp, itselfFailures, reads, typedTo } from '@sconv/transform';

/** `transform.apply_dce`: eliminates dead code in the target. */
export const applyDce = defineTransformOp({
  name: 'transform.apply_dce',
  summary: 'Eliminates dead code in the target.',
  operands: { target: reads('the ops to clean up') },
  failures: itselfFailures,
  assembly: typedTo,
  apply: (context, { target }) => {
    const itself = appliedToItself(context, target);
    if (itself !== undefined) return itself;
    for (const each of target) eraseUnused(context.rewriter, each);
    return success({});
  },
});

/** Erases unused, side-effect-free operations below `root`, and transitively their producers. */
export const eraseUnused = (rewriter: Rewriter, root: DraftOperation): void => {
  // Uses may be in earlier or later blocks: repeat to a fixed point.
  for (let before = -1; before !== rewriter.changeCount;) {
    before = rewriter.changeCount;
    for (const operation of rewriter.walk(root).toReversed()) {
      const isUnused = operation.results.every((result) => !rewriter.hasUses(result));
      if (
        operation !== root &&
        operation.block !== undefined &&
        isUnused &&
        isErasable(rewriter.registry, operation)
      )
        rewriter.eraseOperation(operation);
    }
  }
};
