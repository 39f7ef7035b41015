/** Materializes the decisions of an analysis: out-of-place operands become copies. */
import { dim } from '@sconv/dialects/tensor';
import { maskAround } from '@sconv/dialects/vector';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { innerFirst } from '../inner-first.ts';
import { fail } from '../failure.ts';
import type { Operand } from '../op-model.ts';
import type { AnalysisState } from '../analysis/analysis-state.ts';
import { allocateTensor } from './allocate-tensor.ts';
import type { BufferTypes } from './buffer-types.ts';

/** An operand that is to have a buffer of its own. */
export interface OwnBuffer {
  readonly index: number;
  readonly needsContent: boolean;
  /** The result that is the operation's only effect on the operand, a view of it. */
  readonly view: Value | undefined;
}

/** Gives operands of an operation, or the views of them, buffers of their own. */
export const giveBuffers = (
  types: BufferTypes,
  operation: DraftOperation,
  operands: readonly OwnBuffer[],
): void => {
  const { rewriter } = types;
  for (const { index, needsContent, view } of operands) {
    if (view !== undefined) continue;
    // A mask has one op in its region.
    rewriter.setInsertionPointBefore(maskAround(operation) ?? operation);
    const copy = allocateTensor(types, operation.operands[index]!, needsContent, operation);
    rewriter.setOperand(operation, index, copy);
  }
  for (const { needsContent, view } of operands) {
    if (view !== undefined) replaceByCopy(types, view, operation, needsContent);
  }
};

/** Copies the view rather than its source: it may be smaller. */
const replaceByCopy = (
  types: BufferTypes,
  view: Value,
  operation: DraftOperation,
  needsContent: boolean,
): void => {
  const { rewriter } = types;
  const users = new Set(rewriter.users(view));
  rewriter.setInsertionPointAfter(operation);
  const copy = allocateTensor(types, view, needsContent, operation);
  rewriter.replaceUsesIf(view, copy, (user) => users.has(user) && !dim.is(user));
};

/** Whether a value that an operation defines is a view with a rank. */
const isView = (rewriter: Rewriter, value: Value): boolean =>
  rewriter.definingOperation(value) !== undefined && value.type.kind !== 'unranked-tensor';

/** The out-of-place operands of an operation. */
export const ownBuffersOf = (state: AnalysisState, operation: DraftOperation): readonly OwnBuffer[] => {
  const operands: OwnBuffer[] = [];
  for (const operand of state.tensorOperands(operation)) {
    if (state.isInPlace(operand)) continue;
    if (state.valueOf(operand).type.kind === 'unranked-tensor') {
      fail('bufferize/unranked-operand', 'copying of unranked tensors is not implemented', operation);
    }
    const { index } = operand;
    operands.push({ index, needsContent: state.needsContent(operand), view: onlyViewOf(state, operand) });
  }
  return operands;
};

/** The result that is the operation's only effect on an operand, a view of it; undefined otherwise. */
const onlyViewOf = (state: AnalysisState, operand: Operand): Value | undefined => {
  const [alias, ...others] = state.aliasingValues(operand);
  if (alias === undefined || others.length > 0 || state.writes(operand)) return undefined;
  const { value } = alias;
  return isView(state.rewriter, value) && state.aliasingOperands(value).length === 1 ? value : undefined;
};

/** The copies that upstream's analysis asks for. */
export class TensorCopies {
  readonly state: AnalysisState;
  private readonly types: BufferTypes;

  constructor(state: AnalysisState, types: BufferTypes) {
    this.state = state;
    this.types = types;
  }

  /** Inserts copies for all operations below `root`. */
  insert(root: DraftOperation): void {
    for (const operation of innerFirst(root)) {
      const model = this.state.model(operation);
      if (model === undefined) continue;
      if (model.resolveConflicts === undefined) this.resolve(operation);
      else model.resolveConflicts(operation, this);
    }
  }

  /** Inserts copies for the out-of-place operands of an operation. */
  resolve(operation: DraftOperation): void {
    giveBuffers(this.types, operation, ownBuffersOf(this.state, operation));
  }

  /** A new tensor like another, created at the insertion point for `user`. */
  copyOf(value: Value, user: DraftOperation, needsContent = true): Value {
    return allocateTensor(this.types, value, needsContent, user);
  }
}
