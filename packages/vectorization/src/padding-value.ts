/** The padding value of `tensor.pad`. */
import { constantValueOf } from '@sconv/ir';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';

/** The uniform padding value, available outside of the op's body; undefined if it may vary. */
export const paddingValue = (rewriter: Rewriter, operation: DraftOperation): Value | undefined => {
  const block = operation.regions[0]?.blocks[0];
  const value = block?.last?.operands[0];
  if (value === undefined || rewriter.owningBlock(value) === block) return undefined;
  const definition = rewriter.definingOperation(value);
  if (definition === undefined || definition.block !== block) return value;
  if (constantValueOf(rewriter.registry, definition) === undefined) return undefined;
  rewriter.moveBefore(definition, operation);
  return value;
};
