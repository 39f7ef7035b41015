/**
 * What bufferization knows about an operation: upstream's `BufferizableOpInterface` as a value. A model describes how
 * the operation treats the buffers of its tensors, for the analysis, and how to rewrite it to use them.
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

/** A value that aliases an operand if that operand bufferizes in place. */
export interface Alias {
  readonly value: Value;
  /** `same`: certainly the operand's whole buffer; `overlaps`: possibly, or a part of it. */
  readonly relation: 'same' | 'overlaps';
}

/** Queries that a model may make about the rest of the function. */
export interface ModelContext {
  readonly rewriter: Rewriter;
  readonly options: ResolvedOptions;
  /** Whether the contents of a tensor are read, directly or through a view. */
  readonly isRead: (value: Value) => boolean;
  /** How the callee treats its operands. */
  readonly summaryOf: (call: DraftOperation) => FunctionSummary;
}

export interface OpModel {
  /** Whether its regions may contain operations on tensors. False by default. */
  readonly holdsTensors?: boolean;
  /** Whether at most one of its regions runs, once. False by default. */
  readonly runsOneRegion?: boolean;
  /** Why an operation of this kind cannot be bufferized; undefined if it can. */
  readonly unsupported?: (operation: DraftOperation) => string | undefined;
  /** Whether the operation reads the operand's contents; false if it only creates a view. */
  readonly reads: (use: Use, context: ModelContext) => boolean;
  /** Whether the operation writes the operand's buffer if it is in place. */
  readonly writes: (use: Use, context: ModelContext) => boolean;
  readonly aliases: (use: Use, context: ModelContext) => readonly Alias[];
  /** Whether operands are never copied: the terminator operands of a region. False by default. */
  readonly isAlwaysInPlace?: boolean;
  /** Whether the tensors that the operation defines, as results or block arguments, are writable. True by default. */
  readonly isWritable?: (value: Value, operation: DraftOperation, context: ModelContext) => boolean;
  /** Whether the contents of a result that aliases no operand are defined. True by default. */
  readonly hasContent?: (operation: DraftOperation) => boolean;
  /** Whether each iteration accesses both operands only at the same element, reading before writing. */
  readonly isElementwise?: (operation: DraftOperation, operands: readonly Use[]) => boolean;
  /**
   * Rewrites an operation whose tensor operands are buffers by now, replacing its results by buffers. Its regions are
   * not yet rewritten.
   */
  readonly bufferize: (operation: DraftOperation, context: BufferizationContext) => void;
}

/** The interface that ops implement, or have attached, to be bufferized. */
export const bufferizable = opInterface<OpModel>('bufferizable');

/** For operations without tensor operands, or that only query tensor shapes. */
export const noOperands = { reads: () => false, writes: () => false, aliases: () => [] } as const;

/** For operations that read their tensor operands without capturing them. */
export const readsOnly = { reads: () => true, writes: () => false, aliases: () => [] } as const;

/** For operations whose only result is a view of their first operand. */
export const viewOf = (relation: Alias['relation']) =>
  ({
    reads: () => false,
    writes: () => false,
    aliases: ({ operation, index }: Use): readonly Alias[] =>
      index === 0 ? [{ value: operation.results[0]!, relation }] : [],
  }) as const;

/** Whether a value is a tensor, ranked or not. */
export const isTensor = (value: Value): boolean =>
  value.type.kind === 'tensor' || value.type.kind === 'unranked-tensor';
