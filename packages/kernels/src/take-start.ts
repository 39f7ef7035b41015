/**
 * How the sums of a microkernel start: a fill of its output right before it, which may be conditional, would be stored
 * and read back.
 */
import type { SumStart } from '@sconv/dialects/kernel';
import { fill } from '@sconv/dialects/linalg';
import { ifOp } from '@sconv/dialects/scf';
import type { DraftOperation, MemRefType, Rewriter, Value } from '@sconv/ir';
import { typeEquals } from '@sconv/ir';

/** Removes the fill of the output right before an operation; undefined if there is none. */
export const takeStart = (
  rewriter: Rewriter,
  { previous }: DraftOperation,
  output: Value<MemRefType>,
): SumStart | undefined => {
  const filling = previous && (fill.is(previous) ? previous : onlyOperationOf(previous));
  if (previous === undefined || filling === undefined || !fill.is(filling)) return undefined;
  const { inputs, outputs } = fill.operands(filling);
  const [value] = inputs;
  // A fill converts its value.
  if (value === undefined || !typeEquals(value.type, output.type.elementType)) return undefined;
  if (outputs[0]?.id !== output.id) return undefined;
  const condition = filling === previous ? undefined : previous.operands[0];
  rewriter.eraseOperation(previous);
  return { value, condition };
};

/** The only operation in an `scf.if` besides terminators. */
const onlyOperationOf = (operation: DraftOperation): DraftOperation | undefined => {
  if (!ifOp.is(operation) || operation.results.length > 0) return undefined;
  const [then, otherwise] = operation.regions.map(({ blocks }) => blocks[0]?.operations ?? []);
  return then?.length === 2 && (otherwise?.length ?? 0) <= 1 ? then[0] : undefined;
};
