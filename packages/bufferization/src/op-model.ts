/**
 * What bufferization knows about an operation: upstream's `BufferizableOpInterface` as a value. A model says how the
 * operation treats the buffers of its tensors, and rewrites it to use them. The defaults describe
 * an operation that neither reads nor writes its operands and gives new tensors.
 */
import type { Diagnostic } from '@sconv/diagnostics';
import type { DraftOperation, Rewriter, TensorType, Type, UnrankedTensorType, Value } from '@sconv/ir';
import { opInterface } from '@sconv/ir';
import type { FunctionSummary } from './function-summary.ts';
import type { ResolvedOptions } from './options.ts';
import type { BufferType, BufferTypes } from './rewriting/buffer-types.ts';
import type { Bufferizer } from './rewriting/bufferizer.ts';
import type { TensorCopies } from './rewriting/tensor-copies.ts';
import type { AnalysisState } from './analysis/analysis-state.ts';

/** One operand of one operation. */
export interface Operand {
  readonly operation: DraftOperation;
  readonly index: number;
}

/**
 * How a value relates to an operand that it may alias. `same`: certainly the operand's whole buffer; `either`: the
 * whole buffer of this operand or of another, as control flow decides; `overlaps`: possibly, or a part of it.
 */
export type BufferRelation = 'same' | 'either' | 'overlaps';

/** A value that aliases an operand if that operand bufferizes in place. */
export interface Alias {
  readonly value: Value;
  readonly relation: BufferRelation;
}

/** An operand that a value aliases if the operand bufferizes in place. */
export interface AliasedOperand {
  readonly operand: Operand;
  readonly relation: BufferRelation;
}

/** Queries that a model may make about the rest of the program. */
export interface ModelContext {
  readonly rewriter: Rewriter;
  readonly options: ResolvedOptions;
  /** Whether the contents of a tensor are read, directly or through a view. */
  readonly isRead: (value: Value) => boolean;
  /** How the callee treats its operands; undefined if it may do anything. */
  readonly summaryOf: (call: DraftOperation) => FunctionSummary | undefined;
}

/** What an analysis asks about an operation. */
interface AnalysisRules<Context extends ModelContext> {
  /** Whether the operation reads the operand's contents; false if it only creates a view. False by default. */
  readonly reads?: (operand: Operand, context: Context) => boolean;
  /** Whether the operation writes the operand's buffer if it is in place. False by default. */
  readonly writes?: (operand: Operand, context: Context) => boolean;
  /** None by default. */
  readonly aliases?: (operand: Operand, context: Context) => readonly Alias[];
  /** Whether operands are never copied, such as what a terminator hands on. False by default. */
  readonly isAlwaysInPlace?: boolean;
  /**
   * Whether the tensors that the operation defines, as results or block arguments, are writable. By default results
   * are and block arguments are not.
   */
  readonly isWritable?: (value: Value, operation: DraftOperation, context: Context) => boolean;
  /**
   * Whether the operation defines the contents of its results; by default if they alias no operand, or one that is
   * written.
   */
  readonly hasContent?: (operation: DraftOperation) => boolean;
  /** Whether each iteration accesses both operands only at the same element, reading before writing. */
  readonly isElementwise?: (operation: DraftOperation, operands: readonly Operand[]) => boolean;
}

/** What only upstream's analysis asks, and where its rules differ. */
export interface UpstreamRules extends AnalysisRules<AnalysisState> {
  /**
   * The operands that a value may alias. By default derived from the aliases of the operation's own operands and, if
   * it runs one of its regions, of their terminators'.
   */
  readonly sources?: (
    value: Value,
    operation: DraftOperation,
    state: AnalysisState,
  ) => readonly AliasedOperand[];
  /** Inserts copies for the out-of-place operands; by default before the operation, or of its only view. */
  readonly resolveConflicts?: (operation: DraftOperation, copies: TensorCopies) => void;
  /** What is wrong with the decisions for this operation. */
  readonly verifyAnalysis?: (operation: DraftOperation, state: AnalysisState) => Diagnostic | undefined;
  /** Whether a region may run several times; by default if the operation is a loop. */
  readonly isRepetitive?: (operation: DraftOperation, region: number, state: AnalysisState) => boolean;
  /** Whether runs of a region may overlap. False by default. */
  readonly isParallel?: (operation: DraftOperation, region: number, state: AnalysisState) => boolean;
}

/**
 * How an operation is bufferized: attach it with `attach(bufferizable, 'my.op', model)`. Only `bufferize` is
 * required.
 */
export interface OpModel extends AnalysisRules<ModelContext> {
  /** Whether its regions may contain operations on tensors. False by default. */
  readonly holdsTensors?: boolean;
  /** Whether at most one of its regions runs, once. False by default. */
  readonly runsOneRegion?: boolean;
  /**
   * Whether its regions may contain branches between blocks; only upstream's analysis follows them. False by default.
   */
  readonly allowsBranches?: boolean;
  /** Whether results are new buffers, without an operand to put them in. False by default. */
  readonly allocates?: boolean;
  /** Whether there is anything to bufferize; by default if an operand, a result or a block argument is a tensor. */
  readonly hasTensors?: (operation: DraftOperation) => boolean;
  /** Why `sound` decisions are not made for an operation of this kind; undefined if they are. */
  readonly unsupported?: (operation: DraftOperation) => string | undefined;
  /** Where upstream's analysis assumes something else. */
  readonly upstream?: UpstreamRules;
  /**
   * The buffer type of a result or a block argument, before the operation is bufferized. By default that of the first
   * operand whose buffer it is, else one of unknown layout.
   */
  readonly bufferType?: (value: Value, operation: DraftOperation, types: BufferTypes) => BufferType;
  /** Rewrites the operation; the insertion point is before it. The out-of-place operands have been copied. */
  readonly bufferize: (operation: DraftOperation, bufferizer: Bufferizer) => void;
}

/** The interface that ops implement, or have attached, to be bufferized. */
export const bufferizable = opInterface<OpModel>('bufferizable');

/** For operations that read their tensor operands without capturing them. */
export const readsOnly = { reads: () => true } as const;

/** For operations whose only result is a view of their first operand. */
export const viewOf = (relation: BufferRelation) =>
  ({
    aliases: ({ operation, index }: Operand): readonly Alias[] =>
      index === 0 ? [{ value: operation.results[0]!, relation }] : [],
  }) as const;

/** Whether a type is that of a tensor, ranked or not. */
export const isTensorType = (type: Type): type is TensorType | UnrankedTensorType =>
  type.kind === 'tensor' || type.kind === 'unranked-tensor';

/** Whether a value is a tensor, ranked or not. */
export const isTensor = ({ type }: Value): boolean => isTensorType(type);

/** Whether an operation has tensors among its operands or results. */
export const hasTensors = ({ operands, results }: DraftOperation): boolean =>
  operands.some(isTensor) || results.some(isTensor);
