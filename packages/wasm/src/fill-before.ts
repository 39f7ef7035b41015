/** Fills of what the next operation adds to: a microkernel begins with the value instead of reading it back. */
import type { Operation, Value } from '@sconv/ir';

export interface FillBefore {
  /** The fill, or the `scf.if` that holds nothing else. */
  readonly operation: Operation;
  /** Undefined where it is filled in any case. */
  readonly condition: Value | undefined;
  readonly value: Value;
}

/** Whether an operation does nothing but to fill the output of the structured operation behind it. */
export const fillBefore = (operation: Operation, next: Operation | undefined): FillBefore | undefined => {
  const fill = operation.name === 'scf.if' ? onlyOperationOf(operation) : operation;
  if (fill?.name !== 'linalg.fill' || next?.name !== 'linalg.generic') return undefined;
  const [value, buffer] = fill.operands;
  if (value === undefined || buffer === undefined || next.operands.at(-1)?.id !== buffer.id) return undefined;
  return { operation, condition: fill === operation ? undefined : operation.operands[0], value };
};

/** The operation that an `scf.if` holds besides the end of its block; undefined if there are others, or an `else`. */
const onlyOperationOf = ({ regions, results }: Operation): Operation | undefined => {
  const [then, otherwise] = regions;
  const operations = then?.blocks[0]?.operations ?? [];
  const isAlone = operations.length === 2 && otherwise?.blocks.length === 0 && results.length === 0;
  return isAlone ? operations[0] : undefined;
};
