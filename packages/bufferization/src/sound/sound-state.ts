/**
 * Sound decisions for a function: those of One-Shot Analysis, in upstream's order, where they keep the meaning of every
 * program.
 *
 * @deviation Values that alias the same operand alias each other even if it is out of place. A function never returns
 * constants, or the same memory twice.
 */
import { returnOp } from '@sconv/dialects/func';
import type { DraftOperation, Id, Rewriter, Value } from '@sconv/ir';
import { Conflicts } from '../analysis/conflicts.ts';
import { OneShotState } from '../analysis/one-shot-state.ts';
import type { FunctionSummary } from '../function-summary.ts';
import { innerFirst } from '../inner-first.ts';
import type { Alias, AliasedOperand, Operand } from '../op-model.ts';
import { hasTensors } from '../op-model.ts';
import type { ResolvedOptions } from '../options.ts';

/** The tensor operands of a function, what they alias if they are in place, and the reverse. */
interface AliasTable {
  readonly uses: Map<Id, Operand[]>;
  readonly values: Map<Operand, readonly Alias[]>;
  readonly operands: Map<Id, AliasedOperand[]>;
}

export class SoundState extends OneShotState {
  readonly function: DraftOperation;
  /** Operations with tensor operands or results; nested ones before their parents. */
  readonly operations: readonly DraftOperation[];
  /** What returns hand on as copies. */
  private readonly separated = new Set<Operand>();
  private readonly table: AliasTable = { uses: new Map(), values: new Map(), operands: new Map() };

  /** Decides about a function whose callees are known. */
  constructor(
    rewriter: Rewriter,
    options: ResolvedOptions,
    operation: DraftOperation,
    summaryOf: (call: DraftOperation) => FunctionSummary | undefined,
  ) {
    super(rewriter, options, operation);
    this.function = operation;
    this.summaryOf = summaryOf;
    this.operations = innerFirst(operation).slice(0, -1).filter(hasTensors);
    this.fillTable();
    this.analysing(operation, (order) => {
      this.decide(new Conflicts(this, order));
      this.findUndefinedUses(this.operations);
    });
  }

  private decide(conflicts: Conflicts): void {
    for (const operand of this.operations.flatMap((each) => this.tensorOperands(each))) {
      const [first, ...others] = this.aliasingValues(operand);
      for (const other of others) this.joinAliases(first!.value, other.value);
      if (this.isInPlace(operand)) this.putInPlace(operand);
    }
    for (const operation of this.operations.toReversed()) {
      for (const operand of this.tensorOperands(operation)) {
        if (this.isInPlace(operand)) continue;
        if (conflicts.mayBeInPlace(operand)) this.putInPlace(operand);
      }
    }
    if (this.options.bufferizeFunctionBoundaries) this.separateReturned();
  }

  /**
   * A caller may write what a call returns: never return constants, or the same memory twice.
   *
   * @deviation Upstream returns both unchanged, although it analyses callers as if they were writable and did not
   * alias.
   */
  private separateReturned(): void {
    const given: Value[] = [];
    for (const operand of this.operations
      .filter((each) => returnOp.is(each))
      .flatMap((each) => this.tensorOperands(each))) {
      const value = this.valueOf(operand);
      if (given.some((other) => this.mayAlias(other, value)) || this.isConstant(value))
        this.separated.add(operand);
      else given.push(value);
    }
  }

  private isConstant(value: Value): boolean {
    return this.aliasesOf(value).some(
      (alias) => this.rewriter.definingOperation(alias) !== undefined && !this.isWritable(alias),
    );
  }

  override isInPlace(operand: Operand): boolean {
    return super.isInPlace(operand) && !this.separated.has(operand);
  }

  override needsContent(operand: Operand): boolean {
    return this.separated.has(operand) || super.needsContent(operand);
  }

  override usesOf(value: Value): readonly Operand[] {
    return this.table.uses.get(value.id) ?? [];
  }

  override aliasingValues(operand: Operand): readonly Alias[] {
    return this.table.values.get(operand) ?? [];
  }

  override aliasingOperands(value: Value): readonly AliasedOperand[] {
    return this.table.operands.get(value.id) ?? [];
  }

  private fillTable(): void {
    const { table } = this;
    const operands = this.operations.flatMap((each) => this.tensorOperands(each));
    for (const operand of operands) append(table.uses, this.valueOf(operand).id, operand);
    for (const operand of operands) {
      const aliases = this.model(operand.operation)?.aliases?.(operand, this) ?? [];
      table.values.set(operand, aliases);
      for (const { value, relation } of aliases) append(table.operands, value.id, { operand, relation });
    }
  }
}

const append = <K, T>(lists: Map<K, T[]>, key: K, item: T): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
};
