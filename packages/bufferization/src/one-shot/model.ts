/**
 * What One-Shot Bufferize asks of an operation: upstream's `BufferizableOpInterface` as a value. All answers that a model
 * does not give are those of an operation that neither reads nor writes its operands and makes new tensors.
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

/** How a value and an operand that may share memory do so: in exactly one buffer, or in a way that is not known. */
export type BufferRelation = 'equivalent' | 'unknown';

/** A value in the memory of an operand, if that is bufferized in place. */
export interface AliasingValue {
  readonly value: Value;
  readonly relation: BufferRelation;
  /** Whether it is so whatever happens at run time. */
  readonly isDefinite: boolean;
}

/** An operand in whose memory a value is, if the operand is bufferized in place. */
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
  /** By default what `aliasingValues` of the operation's own operands say. */
  readonly aliasingOperands?: (
    value: Value,
    operation: DraftOperation,
    state: AnalysisState,
  ) => readonly AliasingOperand[];
  /** Whether a result has a content that the operation defines; by default if a result without operands or a write does. */
  readonly definesResult?: (result: Value, operation: DraftOperation, state: AnalysisState) => boolean;
  readonly isAlwaysInPlace?: boolean;
  /** Whether results and block arguments of the operation may be written; true for results that are no views. */
  readonly isWritable?: (value: Value, operation: DraftOperation, state: AnalysisState) => boolean;
  /** Whether results are new buffers. */
  readonly allocates?: boolean;
  /** Whether these operands are accessed element by element, each read before it is written. */
  readonly isElementwise?: (operation: DraftOperation, operands: readonly Operand[]) => boolean;
  /** Makes copies for the operands that are out of place; by default before the operation, or of its one view. */
  readonly resolveConflicts?: (operation: DraftOperation, copies: TensorCopies) => void;
  /** What is wrong with the decisions for this operation. */
  readonly verifyAnalysis?: (operation: DraftOperation, state: AnalysisState) => Diagnostic | undefined;
  /** Whether a region may run several times. */
  readonly isRepetitive?: (operation: DraftOperation, region: number, state: AnalysisState) => boolean;
  /** Whether runs of a region may overlap. */
  readonly isParallel?: (operation: DraftOperation, region: number, state: AnalysisState) => boolean;
  /** Whether at most one of the regions runs. */
  readonly runsOneRegion?: boolean;
  /** Whether control may branch between blocks of its regions. */
  readonly allowsBranches?: boolean;
  /** Whether there is anything to bufferize; by default if an operand, a result or a block argument is a tensor. */
  readonly hasTensors?: (operation: DraftOperation) => boolean;
  /** The type of the buffer of a result or a block argument, before the operation is bufferized. */
  readonly bufferType?: (value: Value, operation: DraftOperation, types: BufferTypes) => BufferType;
  /** Rewrites the operation; the insertion point is before it. */
  readonly bufferize: (operation: DraftOperation, bufferizer: Bufferizer) => void;
}

/** What One-Shot Bufferize is to know of an operation. */
export const oneShotBufferizable = opInterface<OneShotModel>('one-shot-bufferizable');

export const isTensor = ({ type }: Value): boolean =>
  type.kind === 'tensor' || type.kind === 'unranked-tensor';

/** Upstream's short forms of an alias. */
export const equivalent = (value: Value, isDefinite = true): AliasingValue => ({
  value,
  relation: 'equivalent',
  isDefinite,
});

/** For operations whose first result is the buffer of their operands, under another type. */
export const sameBuffer = {
  aliasingValues: ({ operation }: Operand): readonly AliasingValue[] => [equivalent(operation.results[0]!)],
} as const;

const no = (): boolean => false;
const none = (): readonly never[] => [];

/** For operations that read their tensor operands and keep nothing of them. */
export const readsOperands = { reads: () => true, writes: no, aliasingValues: none } as const;
