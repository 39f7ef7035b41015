/** What passes ask of the operations of any dialect, besides their effects on memory (see `memoryEffects` of ir). */
import type { MemoryEffect, Operation, Value } from '@sconv/ir';
import { implement, memoryEffects, opInterface } from '@sconv/ir';

/** An op whose regions run any number of times: upstream's `LoopLikeOpInterface`. */
export interface LoopLike {
  /** The variables that count, one for each dimension; none where the loop counts nothing. */
  readonly inductionVariables: (operation: Operation) => readonly Value[];
  /** Whether an iteration is over when the next one begins; where it is not, iterations may run at the same time. */
  readonly isSequential: boolean;
}

export const loopLike = opInterface<LoopLike>('loop-like');

/** An op whose first result is another view of a buffer: upstream's `ViewLikeOpInterface`. */
export interface ViewLike {
  readonly source: (operation: Operation) => Value;
}

export const viewLike = opInterface<ViewLike>('view-like');

/** A terminator that hands values on to the blocks that it branches to: upstream's `BranchOpInterface`. */
export interface BranchLike {
  /** What each successor gets for its arguments. */
  readonly operands: (operation: Operation) => readonly (readonly Value[])[];
  /** All operands and attributes that it has if the successors get these values. */
  readonly withOperands: (
    operation: Operation,
    groups: readonly (readonly Value[])[],
  ) => Pick<Operation, 'operands' | 'attributes'>;
}

export const branchLike = opInterface<BranchLike>('branch-like');

const loopOf = (isSequential: boolean) => (count: (operation: Operation) => number) =>
  implement(loopLike, {
    isSequential,
    inductionVariables: (operation) =>
      operation.regions[0]?.blocks[0]?.arguments.slice(0, count(operation)) ?? [],
  });

/** A loop whose iterations run one after the other, and whose first `count` arguments of the body are its variables. */
export const sequentialLoop = loopOf(true);

/** The same, of iterations that may run at the same time. */
export const parallelLoop = loopOf(false);

/** For the ops that view their first operand. */
export const viewOfFirstOperand = implement(viewLike, { source: (operation) => operation.operands[0]! });

/** For the ops that read and write the buffers which are these operands, and do nothing else. */
export const accessesOperands = (read: readonly number[], written: readonly number[]) =>
  implement(memoryEffects, ({ operands }) => [
    ...read.map((i): MemoryEffect => ({ kind: 'read', value: operands[i]! })),
    ...written.map((i): MemoryEffect => ({ kind: 'write', value: operands[i]! })),
  ]);

/** For the ops that free the buffer which is their first operand. */
export const freesOperand = implement(memoryEffects, ({ operands }) => [
  { kind: 'free', value: operands[0]! },
]);

/** For the ops whose first result is a new buffer. */
export const allocatesResult = implement(memoryEffects, ({ results }) => [
  { kind: 'allocate', value: results[0]! },
]);
