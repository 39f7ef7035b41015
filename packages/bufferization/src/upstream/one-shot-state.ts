/** The decisions of One-Shot Analysis: which operands are in place, and the alias sets that follow. */
import type { DraftOperation, Id, Rewriter, Value } from '@sconv/ir';
import { AnalysisState } from './analysis-state.ts';
import type { Operand } from '../op-model.ts';
import { isTensor } from '../op-model.ts';
import type { ResolvedOptions } from '../options.ts';

/** Union-find over values, keeping the order in which they were joined. */
class ValueSets {
  private readonly sets = new Map<Id, readonly Value[]>();

  membersOf(value: Value): readonly Value[] {
    return this.sets.get(value.id) ?? [value];
  }

  areJoined(a: Value, b: Value): boolean {
    return a.id === b.id || this.membersOf(a).some(({ id }) => id === b.id);
  }

  join(first: Value, second: Value): void {
    if (this.areJoined(first, second)) return;
    const all = [...this.membersOf(first), ...this.membersOf(second)];
    for (const { id } of all) this.sets.set(id, all);
  }
}

export class OneShotState extends AnalysisState {
  /** The number of conflicts annotated so far. */
  readonly counts = { conflicts: 0, unwritable: 0 };
  private readonly inPlace = new Set<Operand>();
  private readonly aliases = new ValueSets();
  private readonly equivalences = new ValueSets();
  private readonly undefinedUses = new Set<Operand>();
  private readonly isSkipped: (operation: DraftOperation) => boolean;

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
      for (const operand of this.tensorOperands(operation)) this.putInPlace(operand);
    }
  }

  protected override isAnalysed(operation: DraftOperation): boolean {
    return super.isAnalysed(operation) && !this.isSkipped(operation);
  }

  /** Runs `analyse`, which makes decisions but must not change operands. */
  analysing<T>(analyse: () => T): T {
    return this.remembering(analyse);
  }

  override isInPlace(operand: Operand): boolean {
    return this.inPlace.has(operand);
  }

  putInPlace(operand: Operand): void {
    if (this.inPlace.has(operand)) return;
    this.inPlace.add(operand);
    for (const { value } of this.aliasingValues(operand)) this.aliases.join(value, this.valueOf(operand));
  }

  override aliasesOf(value: Value): readonly Value[] {
    return this.aliases.membersOf(value);
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
