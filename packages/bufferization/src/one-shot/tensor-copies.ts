/** Materializes the decisions of the analysis: out-of-place operands become copies. */
import { dim } from '@sconv/dialects/tensor';
import type { DraftOperation, Value } from '@sconv/ir';
import { allocateTensor } from './allocate-tensor.ts';
import type { AnalysisState } from './analysis-state.ts';
import type { BufferTypes } from './buffer-types.ts';
import { fail } from './failure.ts';
import type { Operand } from './model.ts';
import { innerFirst } from './one-shot-analysis.ts';

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
    const { state } = this;
    const operands: (readonly [Operand, boolean])[] = [];
    const views: (readonly [Value, boolean])[] = [];
    for (const operand of state.tensorOperands(operation)) {
      if (state.isInPlace(operand)) continue;
      if (state.valueOf(operand).type.kind === 'unranked-tensor') {
        fail('bufferize/unranked-operand', 'copying of unranked tensors is not implemented', operation);
      }
      const view = this.onlyViewOf(operand);
      if (view === undefined) operands.push([operand, state.needsContent(operand)]);
      else views.push([view, state.needsContent(operand)]);
    }
    for (const [{ index }, needsContent] of operands) {
      this.state.rewriter.setInsertionPointBefore(operation);
      const copy = this.copyOf(operation.operands[index]!, operation, needsContent);
      this.state.rewriter.setOperand(operation, index, copy);
    }
    for (const [view, needsContent] of views) this.replaceByCopy(view, operation, needsContent);
  }

  /** The result that is the operation's only effect on an operand, a view of it; undefined otherwise. */
  private onlyViewOf(operand: Operand): Value | undefined {
    const { state } = this;
    const [alias, ...others] = state.aliasingValues(operand);
    if (alias === undefined || others.length > 0 || state.writes(operand)) return undefined;
    const { value } = alias;
    const isView =
      state.rewriter.definingOperation(value) !== undefined &&
      state.aliasingOperands(value).length === 1 &&
      value.type.kind !== 'unranked-tensor';
    return isView ? value : undefined;
  }

  /** Copy the view rather than its source: it may be smaller. */
  private replaceByCopy(view: Value, operation: DraftOperation, needsContent: boolean): void {
    const { rewriter } = this.state;
    const users = rewriter.users(view);
    rewriter.setInsertionPointAfter(operation);
    const copy = this.copyOf(view, operation, needsContent);
    rewriter.replaceUsesIf(view, copy, (user) => users.includes(user) && !dim.is(user));
  }

  /** A new tensor like another, created at the insertion point for `user`. */
  copyOf(value: Value, user: DraftOperation, needsContent = true): Value {
    return allocateTensor(this.types, value, needsContent, user);
  }
}
