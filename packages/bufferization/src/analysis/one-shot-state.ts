/** The decisions of One-Shot Analysis: which operands are in place, and the alias sets that follow. */
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { AnalysisState } from './analysis-state.ts';
import { DisjointSets } from './disjoint-sets.ts';
import { ExecutionOrder } from './execution-order.ts';
import type { Operand } from '../op-model.ts';
import { isTensor } from '../op-model.ts';
import type { ResolvedOptions } from '../options.ts';
import { SpanList } from './span-list.ts';

/** The accesses to memory that a set of values may share. */
export interface SharedMemory {
  /** Whether all of the values are writable. */
  isWritable: boolean;
  /** Whether any use reads the contents, defined or not. */
  isRead: boolean;
  /** Whether an in-place use writes what is defined outside of the parallel region around it. */
  leavesParallel: boolean;
  /** The uses that read defined contents, each spanning definition to use (`ExecutionOrder.spanOfRead`). */
  readonly reads: SpanList<Operand>;
  /** The in-place uses that write, at their position. */
  readonly writes: SpanList<Operand>;
}

const mergeMemory = (into: SharedMemory, other: SharedMemory): void => {
  into.isWritable &&= other.isWritable;
  into.isRead ||= other.isRead;
  into.leavesParallel ||= other.leavesParallel;
  into.reads.addAll(other.reads);
  into.writes.addAll(other.writes);
};

export class OneShotState extends AnalysisState {
  /** The number of conflicts annotated so far. */
  readonly counts = { conflicts: 0, unwritable: 0 };
  private readonly inPlace = new Set<Operand>();
  /** The pairs of values that were found to alias each other, in order. */
  readonly joins: (readonly [Value, Value])[] = [];
  /** May-alias sets, induced by the in-place operands. */
  private readonly aliases = new DisjointSets<SharedMemory>((value) => this.memoryOf(value), mergeMemory);
  /** Must-alias sets: values known to have the same buffer. */
  private readonly equivalences = new DisjointSets<undefined>(
    () => undefined,
    () => undefined,
  );
  private readonly undefinedUses = new Set<Operand>();
  private readonly isSkipped: (operation: DraftOperation) => boolean;
  private currentOrder: ExecutionOrder | undefined;

  /** `isSkipped`: the operations that the analysis ignores. */
  constructor(
    rewriter: Rewriter,
    options: ResolvedOptions,
    root: DraftOperation,
    isSkipped: (operation: DraftOperation) => boolean = () => false,
  ) {
    super(rewriter, options);
    this.isSkipped = isSkipped;
    for (const operation of rewriter.walk(root)) {
      if (this.model(operation)?.isAlwaysInPlace !== true) continue;
      for (const operand of this.tensorOperands(operation)) this.inPlace.add(operand);
    }
  }

  protected override isAnalysed(operation: DraftOperation): boolean {
    return super.isAnalysed(operation) && !this.isSkipped(operation);
  }

  /** Runs `analyse`, which decides about the operations of a root but must not change operands. */
  analysing<T>(root: DraftOperation, analyse: (order: ExecutionOrder) => T): T {
    const order = new ExecutionOrder(this, root);
    this.currentOrder = order;
    return this.remembering(() => analyse(order));
  }

  private get order(): ExecutionOrder {
    if (this.currentOrder === undefined) throw new Error('nothing is analysed');
    return this.currentOrder;
  }

  override isInPlace(operand: Operand): boolean {
    return this.inPlace.has(operand);
  }

  putInPlace(operand: Operand): void {
    this.inPlace.add(operand);
    const value = this.valueOf(operand);
    if (this.writes(operand)) {
      const memory = this.memory(value);
      memory.writes.add(operand, this.order.spanOf(operand.operation));
      memory.leavesParallel ||= this.leavesParallel(operand);
    }
    for (const { value: other, relation } of this.aliasingValues(operand)) {
      this.joinAliases(other, value);
      if (relation === 'same') this.equivalences.join(value, other);
    }
  }

  /** Makes values alias each other. */
  joinAliases(a: Value, b: Value): void {
    this.joins.push([a, b]);
    this.aliases.join(a, b);
  }

  /** What happens to the memory that a value may share with others. */
  memory(value: Value): SharedMemory {
    return this.aliases.data(value);
  }

  /** The initial data of a value that aliases no other. */
  private memoryOf(value: Value): SharedMemory {
    const reads = new SpanList<Operand>();
    const all = this.readsOf(value);
    const definitions = all.length === 0 ? [] : this.definitionsOf(value);
    if (definitions.length > 0)
      for (const read of all) reads.add(read, this.order.spanOfRead(read.operation, definitions));
    return {
      isWritable: this.isWritable(value),
      isRead: all.length > 0,
      leavesParallel: false,
      reads,
      writes: new SpanList(),
    };
  }

  /**
   * The uses that depend on the contents of a value: reads, and views whose contents are read. A view counts at its
   * creation, as long as it is not known to be in place.
   */
  private readsOf(value: Value): readonly Operand[] {
    return this.usesOf(value).filter(
      (use) =>
        this.reads(use) ||
        (!this.writes(use) && this.aliasingValues(use).some((alias) => this.isRead(alias.value))),
    );
  }

  /** Whether a write targets a buffer defined outside of the parallel region around it. */
  leavesParallel(write: Operand): boolean {
    const { order } = this;
    const home = order.parallelAround(write.operation.block?.region);
    return this.findUpwards(this.valueOf(write), (value) => this.isDefined(value)).some(
      (value) => order.parallelAround(order.regionOf(value)) !== home,
    );
  }

  override aliasesOf(value: Value): readonly Value[] {
    return this.aliases.members(value);
  }

  mayAlias(a: Value, b: Value): boolean {
    return this.aliases.areJoined(a, b);
  }

  override areEquivalent(a: Value, b: Value): boolean {
    return this.equivalences.areJoined(a, b);
  }

  joinEquivalent(a: Value, b: Value): void {
    this.equivalences.join(a, b);
  }

  override hasUndefinedContent(operand: Operand): boolean {
    return this.undefinedUses.has(operand);
  }

  /** Records the uses of results with undefined contents. */
  findUndefinedUses(operations: readonly DraftOperation[]): void {
    for (const operation of operations) {
      if (this.model(operation) === undefined) continue;
      for (const result of operation.results) {
        if (!isTensor(result) || !this.rewriter.hasUses(result)) continue;
        if (this.definitionsOf(result).length > 0) continue;
        for (const use of this.usesOf(result)) this.undefinedUses.add(use);
      }
    }
  }

  /** Whether the buffer of a value is written. */
  isWritten(value: Value): boolean {
    return this.aliasesOf(value).some((alias) =>
      this.usesOf(alias).some((use) => this.isInPlace(use) && this.writes(use)),
    );
  }

  isWritable(value: Value): boolean {
    const operation = this.ownerOf(value);
    const model = this.model(operation);
    if (model === undefined) return false;
    const isResult = this.rewriter.definingOperation(value) !== undefined;
    return model.isWritable?.(value, operation, this) ?? isResult;
  }
}
