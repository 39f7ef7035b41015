/** The pass `loop-invariant-code-motion`. */
import { success } from '@sconv/diagnostics';
import { loopLike, mayRunAhead } from '@sconv/dialects';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { defineOperationPass, effectsOf, modelOf } from '@sconv/ir';

/** Hoists loop-invariant operations, innermost loops first. */
export const loopInvariantCodeMotion = defineOperationPass({
  name: 'loop-invariant-code-motion',
  title: 'LoopInvariantCodeMotion',
  summary: 'hoist loop-invariant operations',
  runOn: (rewriter, operation) => {
    for (const loop of rewriter.walk(operation).toReversed()) {
      if (loop !== operation && modelOf(rewriter.registry, loopLike, loop) !== undefined)
        hoistInvariants(rewriter, loop);
    }
    return success(undefined);
  },
});

/** Hoists invariant operations out of a loop. */
export const hoistInvariants = (rewriter: Rewriter, loop: DraftOperation): void => {
  for (const { blocks } of loop.regions) {
    // In block order, so that users of hoisted values follow.
    for (const operation of blocks.flatMap((block) => block.operations)) {
      if (isInvariant(rewriter, operation, loop)) rewriter.moveBefore(operation, loop);
    }
  }
};

const isInvariant = (rewriter: Rewriter, operation: DraftOperation, loop: DraftOperation): boolean => {
  const traits = rewriter.definition(operation)?.traits;
  if (traits === undefined || traits.has('terminator')) return false;
  const effects = effectsOf(rewriter.registry, operation);
  if (effects === undefined || effects.length > 0) return false;
  const isOutside = (operand: Value): boolean =>
    rewriter.isDefinedOutside(operand, loop) || !rewriter.isDefinedOutside(operand, operation);
  return (
    rewriter.walk(operation).every(({ operands }) => operands.every(isOutside)) &&
    mayRunAhead(rewriter, operation, loop)
  );
};
