/**
 * What One-Shot Bufferize needs to know about an operation: upstream's `BufferizableOpInterface` as a value. The
 * defaults describe an operation that neither reads nor writes its operands and creates new tensors.
 */
import type { Diagnostic } from '@sconv/diagnostics';
import type { DraftOperation, Value } from '@sconv/ir';
import { opInterface } from '@sconv/ir';
import type { AnalysisState } from './analysis-state.ts';
import type { BufferType, BufferTypes } from './buffer-types.ts';
import type { TensorCopies } from './tensor-copies.ts';
import type { Bufferizer } from './bufferizer.ts';

/** One operand of one operation; the same object for the same position. */
export interface Operand {
  readonly operation: DraftOperation;
  readonly index: number;
}

/** How a value relates to an operand that it may alias: exactly the same buffer, or unknown. */
export type BufferRelation = 'equivalent' | 'unknown';

/** A value that aliases an operand if the operand bufferizes in place. */
export interface AliasingValue {
  readonly value: Value;
  readonly relation: BufferRelation;
  /** Whether the alias is certain, rather than decided at run time. */
  readonly isDefinite: boolean;
}

/** An operand that a value aliases if the operand bufferizes in place. */
export interface AliasingOperand {
  readonly operand: Operand;
  readonly relation: BufferRelation;
  readonly isDefinite: boolean;
}

export interface OneShotModel {
  /** Whether the buffer of the operand is read. */
  readonly reads?: (operand: Operand, state: AnalysisState) => boolean;
  /** Whether the buffer of the operand is written if it is in place. */
  readonly writes?: (operand: Operand, state: AnalysisState) => boolean;
  readonly aliasingValues?: (operand: Operand, state: AnalysisState) => readonly AliasingValue[];
  /** By default derived from `aliasingValues` of the operation's own operands. */
  readonly aliasingOperands?: (
    value: Value,
    operation: DraftOperation,
    state: AnalysisState,
  ) => readonly AliasingOperand[];
  /** Whether the op defines the contents of a result; by default if it aliases no operand or one that is written. */
  readonly definesResult?: (result: Value, operation: DraftOperation, state: AnalysisState) => boolean;
  readonly isAlwaysInPlace?: boolean;
  /** Whether results and block arguments of the operation are writable; true for results that are no views. */
  readonly isWritable?: (value: Value, operation: DraftOperation, state: AnalysisState) => boolean;
  /** Whether results are new buffers. */
  readonly allocates?: boolean;
  /** Whether these operands are accessed element-wise, each element read before it is written. */
  readonly isElementwise?: (operation: DraftOperation, operands: readonly Operand[]) => boolean;
  /** Inserts copies for the out-of-place operands; by default before the operation, or of its only view. */
  readonly resolveConflicts?: (operation: DraftOperation, copies: TensorCopies) => void;
  /** What is wrong with the decisions for this operation. */
  readonly verifyAnalysis?: (operation: DraftOperation, state: AnalysisState) => Diagnostic | undefined;
  /** Whether a region may run several times. */
  readonly isRepetitive?: (operation: DraftOperation, region: number, state: AnalysisState) => boolean;
  /** Whether runs of a region may overlap. */
  readonly isParallel?: (operation: DraftOperation, region: number, state: AnalysisState) => boolean;
  /** Whether at most one of the regions runs. */
  readonly runsOneRegion?: boolean;
  /** Whether its regions may contain branches between blocks. */
  readonly allowsBranches?: boolean;
  /** Whether there is anything to bufferize; by default if an operand, a result or a block argument is a tensor. */
  readonly hasTensors?: (operation: DraftOperation) => boolean;
  /** The buffer type of a result or a block argument, before the operation is bufferized. */
  readonly bufferType?: (value: Value, operation: DraftOperation, types: BufferTypes) => BufferType;
  /** Rewrites the operation; the insertion point is before it. */
  readonly bufferize: (operation: DraftOperation, bufferizer: Bufferizer) => void;
}

/** The interface that One-Shot Bufferize queries. */
export const oneShotBufferizable = opInterface<OneShotModel>('one-shot-bufferizable');

export const isTensor = ({ type }: Value): boolean =>
  type.kind === 'tensor' || type.kind === 'unranked-tensor';

/** Shorthands for aliases, as upstream. */
export const equivalent = (value: Value, isDefinite = true): AliasingValue => ({
  value,
  relation: 'equivalent',
  isDefinite,
});

/** For operations whose first result is their operand's buffer under another type. */
export const sameBuffer = {
  aliasingValues: ({ operation }: Operand): readonly AliasingValue[] => [equivalent(operation.results[0]!)],
} as const;

const no = (): boolean => false;
const none = (): readonly never[] => [];

/** For operations that read their tensor operands without capturing them. */
export const readsOperands = { reads: () => true, writes: no, aliasingValues: none } as const;
