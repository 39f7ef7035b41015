/** Interfaces that passes query on operations of any dialect, besides memory effects (see `memoryEffects` of ir). */
import type { Bounds } from '@sconv/affine';
import type { Attribute, DraftOperation, MemoryEffect, Operation, Value } from '@sconv/ir';
import { implement, memoryEffects, opInterface } from '@sconv/ir';

/** An op whose regions run any number of times: upstream's `LoopLikeOpInterface`. */
export interface LoopLike {
  /** The induction variables, one per dimension; none for a loop without a counter. */
  readonly inductionVariables: (operation: Operation) => readonly Value[];
  /** Whether an iteration ends before the next one begins; otherwise iterations may run in parallel. */
  readonly isSequential: boolean;
}

export const loopLike = opInterface<LoopLike>('loop-like');

/** An op whose first result is a view of a buffer: upstream's `ViewLikeOpInterface`. */
export interface ViewLike {
  readonly source: (operation: Operation) => Value;
}

export const viewLike = opInterface<ViewLike>('view-like');

/** A value that may be another, or view the same buffer. */
export interface Flow {
  readonly from: Value;
  readonly to: Value;
}

/** Pairs of values as far as both lists go. */
export const flows = (from: readonly Value[], to: readonly Value[] = []): readonly Flow[] =>
  from.slice(0, to.length).map((value, i) => ({ from: value, to: to[i]! }));

/**
 * An op whose results, or arguments of its regions, may be other values: of upstream, `RegionBranchOpInterface`, and
 * what `BufferViewFlowAnalysis` knows besides. It is asked where the operands of `source` go: those of the op itself,
 * or of a terminator in its regions that has no successors.
 */
export type Forwarding = (operation: DraftOperation, source: DraftOperation) => readonly Flow[];

export const forwarding = opInterface<Forwarding>('forwarding');

/** A terminator that forwards operands to its successors: upstream's `BranchOpInterface`. */
export interface BranchLike {
  /** The successor operands. */
  readonly operands: (operation: Operation) => readonly (readonly Value[])[];
  /** All operands and attributes of the branch, given these successor operands. */
  readonly withOperands: (
    operation: Operation,
    groups: readonly (readonly Value[])[],
  ) => Pick<Operation, 'operands' | 'attributes'>;
}

export const branchLike = opInterface<BranchLike>('branch-like');

/**
 * Whether an operation without effects may run where it did not before, such as ahead of a loop without iterations:
 * upstream's `ConditionallySpeculatable`. It is asked about the op itself; its regions are asked op by op.
 */
export type Speculatable = (
  operation: Operation,
  /** The value of a constant; undefined for other values. */
  constantOf: (value: Value) => Attribute | undefined,
  boundsOf: BoundsOf,
) => boolean;

/** The least value of an index, and the first number beyond the greatest, as far as they are known. */
export type BoundsOf = (value: Value) => Bounds;

export const speculatable = opInterface<Speculatable>('speculatable');

const loopOf = (isSequential: boolean) => (count: (operation: Operation) => number) =>
  implement(loopLike, {
    isSequential,
    inductionVariables: (operation) =>
      operation.regions[0]?.blocks[0]?.arguments.slice(0, count(operation)) ?? [],
  });

/** A sequential loop whose first `count` body arguments are its induction variables. */
export const sequentialLoop = loopOf(true);

/** The same for a loop with parallel iterations. */
export const parallelLoop = loopOf(false);

const entryArguments = ({ regions }: Operation, region = 0): readonly Value[] =>
  regions[region]?.blocks[0]?.arguments ?? [];

/** For loops whose last operands are passed from iteration to iteration, to the last arguments and the results. */
export const carriesLastOperands = implement(forwarding, (loop, { operands }) => {
  const last = (values: readonly Value[]) => values.slice(values.length - loop.results.length);
  return [loop.results, last(entryArguments(loop))].flatMap((to) => flows(last(operands), to));
});

/** For the loop whose first body decides, by the first operand of its end, whether the second one runs. */
export const carriesByCondition = implement(forwarding, (loop, source) => {
  const [before, after] = [0, 1].map((region) => entryArguments(loop, region));
  const goesOn = source.block?.region === loop.regions[0];
  if (!goesOn) return flows(source.operands, before);
  return [loop.results, after].flatMap((to) => flows(source.operands.slice(1), to));
});

/** For ops whose results are the operands of the ends of their regions. */
export const yieldsResults = implement(forwarding, (operation, source) =>
  source === operation ? [] : flows(source.operands, operation.results),
);

/** For ops whose result may be any of these operands, or tells where it is. */
export const forwardsOperands = (...indices: readonly number[]) =>
  implement(forwarding, ({ operands, results }) =>
    indices.map((i) => ({ from: operands[i]!, to: results[0]! })),
  );

/** For the ops that view their first operand. */
export const viewOfFirstOperand = implement(viewLike, { source: (operation) => operation.operands[0]! });

/** For ops that read and write the buffers at these operands, and have no other effect. */
export const accessesOperands = (read: readonly number[], written: readonly number[]) =>
  implement(memoryEffects, ({ operands }) => [
    ...read.map((i): MemoryEffect => ({ kind: 'read', value: operands[i]! })),
    ...written.map((i): MemoryEffect => ({ kind: 'write', value: operands[i]! })),
  ]);

/** For ops that free the buffer at their first operand. */
export const freesOperand = implement(memoryEffects, ({ operands }) => [
  { kind: 'free', value: operands[0]! },
]);

/** For the ops whose first result is a new buffer. */
export const allocatesResult = implement(memoryEffects, ({ results }) => [
  { kind: 'allocate', value: results[0]! },
]);
