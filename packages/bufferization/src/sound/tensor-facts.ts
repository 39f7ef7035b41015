/**
 * Facts about the tensors of a function before any decision: their uses, which operations read and write them, and
 * which values would alias if every operand bufferized in place.
 */
import type { DraftBlock, DraftOperation, Id, Rewriter, Value } from '@sconv/ir';
import { modelOf } from '@sconv/ir';
import { innerFirst } from '../inner-first.ts';
import type { FunctionSummary } from '../function-summary.ts';
import type { ResolvedOptions } from '../options.ts';
import type { Alias, BufferRelation, ModelContext, OpModel, Operand } from '../op-model.ts';
import { bufferizable, isTensor } from '../op-model.ts';
import { isLoop, ProgramOrder } from './program-order.ts';

/** One tensor operand of one operation. */
export interface Use extends Operand {
  readonly value: Value;
}

/** An operand that a value aliases if the operand bufferizes in place. */
export interface Source {
  readonly use: Use;
  readonly relation: BufferRelation;
}

/** Whether an operation has tensors among its operands or results. */
export const hasTensors = ({ operands, results }: DraftOperation): boolean => {
  for (const value of operands) if (isTensor(value)) return true;
  for (const value of results) if (isTensor(value)) return true;
  return false;
};

export class TensorFacts implements ModelContext {
  readonly rewriter: Rewriter;
  readonly options: ResolvedOptions;
  readonly function: DraftOperation;
  readonly order: ProgramOrder;
  /** Operations with tensor operands or results; nested ones before their parents. */
  readonly operations: readonly DraftOperation[];
  /** All tensor operands, in the order of `operations`. */
  readonly uses: readonly Use[];
  readonly summaryOf: (call: DraftOperation) => FunctionSummary | undefined;
  private readonly usesByValue = new Map<Id, Use[]>();
  private readonly sourcesByValue = new Map<Id, Source[]>();
  private readonly aliasesByUse = new Map<Use, readonly Alias[]>();
  private readonly readUses = new Map<Use, boolean>();
  private readonly writtenUses = new Map<Use, boolean>();
  private readonly readValues = new Map<Id, boolean>();
  private readonly readsByValue = new Map<Id, readonly Use[]>();
  private readonly definitions = new Map<Id, readonly Value[]>();

  constructor(
    rewriter: Rewriter,
    options: ResolvedOptions,
    functionOperation: DraftOperation,
    summaryOf: (call: DraftOperation) => FunctionSummary | undefined,
  ) {
    this.rewriter = rewriter;
    this.options = options;
    this.function = functionOperation;
    this.summaryOf = summaryOf;
    this.order = new ProgramOrder(rewriter.registry, functionOperation);
    this.operations = innerFirst(functionOperation).slice(0, -1).filter(hasTensors);
    this.uses = tensorUses(this.operations);
    for (const use of this.uses) {
      append(this.usesByValue, use.value.id, use);
      const aliases = this.model(use.operation).aliases?.(use, this) ?? [];
      this.aliasesByUse.set(use, aliases);
      for (const { value, relation } of aliases) append(this.sourcesByValue, value.id, { use, relation });
    }
  }

  /** The model of an operation with tensors; all are known to have one. */
  model(operation: DraftOperation): OpModel {
    const model = modelOf(this.rewriter.registry, bufferizable, operation);
    if (model === undefined) throw new Error(`no bufferization model for ${operation.name}`);
    return model;
  }

  usesOf(value: Value): readonly Use[] {
    return this.usesByValue.get(value.id) ?? [];
  }

  /** The values that alias an operand if it is in place. */
  aliasesOf(use: Use): readonly Alias[] {
    return this.aliasesByUse.get(use) ?? [];
  }

  /** The operands that a value aliases if they are in place. */
  sourcesOf(value: Value): readonly Source[] {
    return this.sourcesByValue.get(value.id) ?? [];
  }

  reads(use: Use): boolean {
    return remember(this.readUses, use, () => this.model(use.operation).reads?.(use, this) ?? false);
  }

  writes(use: Use): boolean {
    return remember(this.writtenUses, use, () => this.model(use.operation).writes?.(use, this) ?? false);
  }

  isRead(value: Value): boolean {
    return remember(this.readValues, value.id, () => {
      const seen = new Set<Id>();
      const pending = [value];
      for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
        if (seen.has(at.id)) continue;
        seen.add(at.id);
        for (const use of this.usesOf(at)) {
          if (this.reads(use)) return true;
          if (!this.writes(use)) pending.push(...this.aliasesOf(use).map((alias) => alias.value));
        }
      }
      return false;
    });
  }

  /**
   * The uses that depend on the contents of a value: reads, and views whose contents are read. A view counts at its
   * creation, as long as it is not known to be in place.
   */
  readsOf(value: Value): readonly Use[] {
    return remember(this.readsByValue, value.id, () =>
      this.usesOf(value).filter(
        (use) =>
          this.reads(use) ||
          (!this.writes(use) && this.aliasesOf(use).some((alias) => this.isRead(alias.value))),
      ),
    );
  }

  isWritable(value: Value): boolean {
    const definition = this.rewriter.definingOperation(value);
    const owner = definition ?? this.blockOf(value).region.operation;
    return this.model(owner).isWritable?.(value, owner, this) ?? definition !== undefined;
  }

  /** The operation that defines a value, or the parent of the block whose argument it is. */
  ownerOf(value: Value): DraftOperation {
    return this.rewriter.definingOperation(value) ?? this.blockOf(value).region.operation;
  }

  /** The innermost loop that redefines a value in each iteration. */
  loopOf(value: Value): DraftOperation | undefined {
    const definition = this.rewriter.definingOperation(value);
    if (definition !== undefined) return this.order.loopAround(definition);
    const owner = this.ownerOf(value);
    return isLoop(this.rewriter.registry, owner) ? owner : this.order.loopAround(owner);
  }

  /** The block whose argument a value is; throws for a result. */
  blockOf(value: Value): DraftBlock {
    const block = this.rewriter.owningBlock(value);
    if (block === undefined) throw new Error('the value is no block argument');
    return block;
  }

  /**
   * The values that may define the contents of a value: up its alias chain, those written by their definition. Empty
   * if the contents are undefined.
   */
  definitionsOf(value: Value): readonly Value[] {
    return remember(this.definitions, value.id, () =>
      this.upwards(value, (at) => this.isContentDefinedBy(at)).filter((at) => this.isContentDefinedBy(at)),
    );
  }

  hasContent(value: Value): boolean {
    return this.definitionsOf(value).length > 0;
  }

  /** Walks the may-alias chain up from `value`: the values that satisfy `accept`, or else where the chain ends. */
  upwards(value: Value, accept: (value: Value) => boolean): readonly Value[] {
    const seen = new Set<Id>();
    const found: Value[] = [];
    const pending = [value];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (seen.has(at.id)) continue;
      seen.add(at.id);
      const sources = this.sourcesOf(at);
      if (accept(at) || sources.length === 0) found.push(at);
      else pending.push(...sources.map(({ use }) => use.value));
    }
    return found;
  }

  /** Whether the operation that defines a value writes its contents; block arguments count as written outside. */
  private isContentDefinedBy(value: Value): boolean {
    const operation = this.rewriter.definingOperation(value);
    if (operation === undefined) return true;
    const sources = this.sourcesOf(value);
    if (sources.length === 0) return this.model(operation).hasContent?.(operation) ?? true;
    if (sources.some(({ use }) => this.writes(use))) return true;
    // A branch defines what is written inside it.
    const isInside = (at: Value): boolean =>
      this.ownerOf(at) !== operation && this.order.isWithin(this.ownerOf(at), operation);
    return sources.some(
      ({ use }) =>
        use.operation !== operation &&
        this.upwards(use.value, (at) => !isInside(at) || this.isContentDefinedBy(at)).some(
          (at) => isInside(at) && this.isContentDefinedBy(at),
        ),
    );
  }
}

const tensorUses = (operations: readonly DraftOperation[]): readonly Use[] => {
  const uses: Use[] = [];
  for (const operation of operations) {
    let index = 0;
    for (const value of operation.operands) {
      if (isTensor(value)) uses.push({ operation, index, value });
      index += 1;
    }
  }
  return uses;
};

const append = <K, T>(lists: Map<K, T[]>, key: K, item: T): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
};

const remember = <K, T>(known: Map<K, T>, key: K, compute: () => T): T => {
  const old = known.get(key);
  if (old !== undefined) return old;
  const value = compute();
  known.set(key, value);
  return value;
};
