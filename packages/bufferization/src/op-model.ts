/**
 * What bufferization knows of an operation: upstream's `BufferizableOpInterface` as a value. A model says how the
 * operation would treat the buffers of its tensors, for the analysis, and how it is rewritten to work on them.
 */
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { opInterface } from '@sconv/ir';
import type { BufferizationContext } from './bufferization-context.ts';
import type { FunctionSummary } from './function-summary.ts';
import type { ResolvedOptions } from './options.ts';

/** One tensor operand of one operation. */
export interface Use {
  readonly operation: DraftOperation;
  readonly index: number;
  readonly value: Value;
}

/** A value that is in the memory of an operand if that operand is bufferized in place. */
export interface Alias {
  readonly value: Value;
  /** `same`: certainly all of the operand's buffer; `overlaps`: possibly, or a part of it. */
  readonly relation: 'same' | 'overlaps';
}

/** What a model may ask about the rest of the function. */
export interface ModelContext {
  readonly rewriter: Rewriter;
  readonly options: ResolvedOptions;
  /** Whether the content of a tensor is read, directly or through a view. */
  readonly isRead: (value: Value) => boolean;
  /** What a call does with its operands. */
  readonly summaryOf: (call: DraftOperation) => FunctionSummary;
}

export interface OpModel {
  /** Whether operations on tensors may stand in its regions. False by default. */
  readonly holdsTensors?: boolean;
  /** Whether at most one of its regions runs, once. False by default. */
  readonly runsOneRegion?: boolean;
  /** What is in the way of bufferizing an operation of this kind; undefined if nothing is. */
  readonly unsupported?: (operation: DraftOperation) => string | undefined;
  /** Whether the operation reads the operand's content; false if it only makes a view of it. */
  readonly reads: (use: Use, context: ModelContext) => boolean;
  /** Whether the operation writes into the operand's buffer if that is used in place. */
  readonly writes: (use: Use, context: ModelContext) => boolean;
  readonly aliases: (use: Use, context: ModelContext) => readonly Alias[];
  /** Whether operands are never copied: the values that leave a region. False by default. */
  readonly isAlwaysInPlace?: boolean;
  /** Whether the tensors that the operation defines, as results or block arguments, may be written. True by default. */
  readonly isWritable?: (value: Value, operation: DraftOperation, context: ModelContext) => boolean;
  /** Whether a result that shares no operand's memory has a content that may be read. True by default. */
  readonly hasContent?: (operation: DraftOperation) => boolean;
  /** Whether the operation accesses both operands at the same element only in each iteration, reading before writing. */
  readonly isElementwise?: (operation: DraftOperation, operands: readonly Use[]) => boolean;
  /**
   * Rewrites an operation whose tensor operands are buffers by now, so that its results are replaced by buffers. Its
   * regions are still to be rewritten.
   */
  readonly bufferize: (operation: DraftOperation, context: BufferizationContext) => void;
}

/** What an operation that bufferization is to know implements, or has attached. */
export const bufferizable = opInterface<OpModel>('bufferizable');

/** For operations without tensor operands, and those that look at the shapes of tensors only. */
export const noOperands = { reads: () => false, writes: () => false, aliases: () => [] } as const;

/** For operations that read their tensor operands and keep nothing of them. */
export const readsOnly = { reads: () => true, writes: () => false, aliases: () => [] } as const;

/** For operations whose only result is a view of their first operand. */
export const viewOf = (relation: Alias['relation']) =>
  ({
    reads: () => false,
    writes: () => false,
    aliases: ({ operation, index }: Use): readonly Alias[] =>
      index === 0 ? [{ value: operation.results[0]!, relation }] : [],
  }) as const;

/** Whether a value is a tensor, of known rank or not. */
export const isTensor = (value: Value): boolean =>
  value.type.kind === 'tensor' || value.type.kind === 'unranked-tensor';
