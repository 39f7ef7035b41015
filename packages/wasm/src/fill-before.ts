/**
 * Fills whose target the next operation accumulates into: a microkernel starts at the value instead of reading it back.
 */
import type { Operation, Value } from '@sconv/ir';

export interface FillBefore {
  /** The fill, or the `scf.if` that holds nothing else. */
  readonly operation: Operation;
  /** Undefined for an unconditional fill. */
  readonly condition: Value | undefined;
  readonly value: Value;
}

/** The fill that an operation is, if it does nothing but fill the output of the structured operation after it. */
export const fillBefore = (operation: Operation, next: Operation | undefined): FillBefore | undefined => {
  const fill = operation.name === 'scf.if' ? onlyOperationOf(operation) : operation;
  if (fill?.name !== 'linalg.fill' || next?.name !== 'linalg.generic') return undefined;
  const [value, buffer] = fill.operands;
  if (value === undefined || buffer === undefined || next.operands.at(-1)?.id !== buffer.id) return undefined;
  return { operation, condition: fill === operation ? undefined : operation.operands[0], value };
};

/** The only operation in an `scf.if` besides the terminator; undefined if there are others, or an `else`. */
const onlyOperationOf = ({ regions, results }: Operation): Operation | undefined => {
  const [then, otherwise] = regions;
  const operations = then?.blocks[0]?.operations ?? [];
  const isAlone = operations.length === 2 && otherwise?.blocks.length === 0 && results.length === 0;
  return isAlone ? operations[0] : undefined;
};
