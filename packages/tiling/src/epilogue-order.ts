/** Ensures that the operands of an elementwise op are computed before the loops that it is fused into. */
import type { DraftBlock, DraftOperation, Rewriter, Value } from '@sconv/ir';
import { ancestorInBlock, effectsOf, precedes } from '@sconv/ir';

/** Whether a value is defined before an operation, in its block or an enclosing one. */
const isBefore = (rewriter: Rewriter, value: Value, operation: DraftOperation): boolean => {
  const definition = rewriter.definingOperation(value);
  const block = blockOf(rewriter, value);
  return definition === undefined
    ? ancestorInBlock(block, operation) !== undefined
    : precedes(definition, operation);
};

/** The block in which a value is defined. */
export const blockOf = (rewriter: Rewriter, value: Value): DraftBlock | undefined =>
  rewriter.owningBlock(value) ?? rewriter.definingOperation(value)?.block;

/**
 * The operations in the block of `anchor` that must move before it, in order, so that `values` are available there;
 * undefined if one may have effects, is `anchor`, or depends on it.
 */
export const computedAfter = (
  rewriter: Rewriter,
  anchor: DraftOperation,
  values: readonly Value[],
): readonly DraftOperation[] | undefined => {
  const { block } = anchor;
  const moved = new Set<DraftOperation>();
  const pending = [...values];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (isBefore(rewriter, value, anchor)) continue;
    const definition = rewriter.definingOperation(value);
    if (definition === undefined || definition.block !== block || definition === anchor) return undefined;
    if (moved.has(definition)) continue;
    if (effectsOf(rewriter.registry, definition)?.length !== 0) return undefined;
    moved.add(definition);
    for (const each of rewriter.walk(definition)) {
      pending.push(...each.operands.filter((operand) => rewriter.isDefinedOutside(operand, definition)));
    }
  }
  return block?.operations.filter((operation) => moved.has(operation));
};
