/**
 * Facts about the tensors of a module: upstream's `AnalysisState`. Without decisions, every write is out of place, as
 * `copy-before-write` needs. `OneShotState` adds the decisions of the analysis.
 */
import type { DraftOperation, Registry, Rewriter, Value } from '@sconv/ir';
import { hasTrait, modelOf, typeEquals } from '@sconv/ir';
import type { FunctionSummary } from '../function-summary.ts';
import type { Alias, AliasedOperand, ModelContext, OpModel, Operand, UpstreamRules } from '../op-model.ts';
import { bufferizable, isTensor } from '../op-model.ts';
import type { ResolvedOptions } from '../options.ts';
import { isAllowed } from '../options.ts';

/** A model with the rules of upstream's analysis. */
export type UpstreamModel = Omit<OpModel, keyof UpstreamRules | 'upstream'> & UpstreamRules;

const merged = new WeakMap<OpModel, UpstreamModel>();

/** The model of an operation, with upstream's rules where they differ and decisions are upstream's. */
const decidedModelOf = (
  registry: Registry,
  operation: DraftOperation,
  decisions: ResolvedOptions['decisions'],
): UpstreamModel | undefined => {
  const model = modelOf(registry, bufferizable, operation);
  if (model?.upstream === undefined || decisions === 'sound') return model;
  let known = merged.get(model);
  if (known === undefined) merged.set(model, (known = { ...model, ...model.upstream }));
  return known;
};

/** Limits of `findUpwards`. */
export interface Upwards {
  /** Whether to include values where the chain ends. */
  readonly includeLeaves?: boolean;
  /** Whether to follow only operands with an equivalent buffer. */
  readonly onlyEquivalent?: boolean;
  /** Whether to follow only operands of the same type, and casts. */
  readonly onlySameType?: boolean;
}

/** Results cached while the IR does not change. */
interface Remembered {
  readonly reads: Map<Operand, boolean>;
  readonly writes: Map<Operand, boolean>;
  readonly isRead: Map<number, boolean>;
  readonly definitions: Map<number, readonly Value[]>;
  readonly operands: Map<DraftOperation, readonly Operand[]>;
}

export class AnalysisState implements ModelContext {
  readonly rewriter: Rewriter;
  readonly options: ResolvedOptions;
  /** The summaries of the functions analysed so far. */
  summaryOf: (call: DraftOperation) => FunctionSummary | undefined = () => undefined;
  private readonly operandsOf = new Map<DraftOperation, Operand[]>();
  private remembered: Remembered | undefined;

  constructor(rewriter: Rewriter, options: ResolvedOptions) {
    this.rewriter = rewriter;
    this.options = options;
  }

  /** Runs `analyse` with caching on; it must not change operands. */
  protected remembering<T>(analyse: () => T): T {
    this.remembered = {
      reads: new Map(),
      writes: new Map(),
      isRead: new Map(),
      definitions: new Map(),
      operands: new Map(),
    };
    try {
      return analyse();
    } finally {
      this.remembered = undefined;
    }
  }

  /** The model of an operation, if it has one and the options allow rewriting it. */
  model(operation: DraftOperation): UpstreamModel | undefined {
    const { rewriter, options } = this;
    return this.isAnalysed(operation)
      ? decidedModelOf(rewriter.registry, operation, options.decisions)
      : undefined;
  }

  protected isAnalysed(operation: DraftOperation): boolean {
    return this.options.decisions === 'sound' || isAllowed(this.options, operation);
  }

  // --- Values and operands ---

  operand(operation: DraftOperation, index: number): Operand {
    let known = this.operandsOf.get(operation);
    if (known === undefined) this.operandsOf.set(operation, (known = []));
    return (known[index] ??= { operation, index });
  }

  valueOf({ operation, index }: Operand): Value {
    return operation.operands[index]!;
  }

  tensorOperands(operation: DraftOperation): readonly Operand[] {
    const known = this.remembered?.operands.get(operation);
    if (known !== undefined) return known;
    const found: Operand[] = [];
    const { operands } = operation;
    for (let i = 0; i < operands.length; i += 1)
      if (isTensor(operands[i]!)) found.push(this.operand(operation, i));
    this.remembered?.operands.set(operation, found);
    return found;
  }

  usesOf(value: Value): readonly Operand[] {
    return this.rewriter
      .users(value)
      .flatMap((user) =>
        user.operands.flatMap(({ id }, i) => (id === value.id ? [this.operand(user, i)] : [])),
      );
  }

  /** The operation that defines a value, or the parent of the block whose argument it is. */
  ownerOf(value: Value): DraftOperation {
    const owner =
      this.rewriter.definingOperation(value) ?? this.rewriter.owningBlock(value)?.region.operation;
    if (owner === undefined) throw new Error('a value has a definition');
    return owner;
  }

  // --- What the models say ---

  reads(operand: Operand): boolean {
    return this.recall('reads', operand, () => {
      const model = this.model(operand.operation);
      return model === undefined || (model.reads?.(operand, this) ?? false);
    });
  }

  writes(operand: Operand): boolean {
    return this.recall('writes', operand, () => {
      const model = this.model(operand.operation);
      return model === undefined || (model.writes?.(operand, this) ?? false);
    });
  }

  private recall(what: 'reads' | 'writes', operand: Operand, compute: () => boolean): boolean {
    const known = this.remembered?.[what].get(operand);
    if (known !== undefined) return known;
    const value = compute();
    this.remembered?.[what].set(operand, value);
    return value;
  }

  /** The values that alias an operand if it is in place. */
  aliasingValues(operand: Operand): readonly Alias[] {
    const model = this.model(operand.operation);
    return model === undefined ? unknownValues(operand) : (model.aliases?.(operand, this) ?? []);
  }

  /** The operands that a value aliases if they are in place. */
  aliasingOperands(value: Value): readonly AliasedOperand[] {
    const operation = this.ownerOf(value);
    const model = this.model(operation);
    if (model?.sources !== undefined) {
      return model.sources(value, operation, this).map(({ operand, relation }) => ({
        operand: this.operand(operand.operation, operand.index),
        relation,
      }));
    }
    if (model === undefined) {
      const block = this.rewriter.owningBlock(value);
      if (block !== undefined && block.region.blocks[0] !== block) return [];
    }
    const givers = [operation, ...(model?.runsOneRegion === true ? terminatorsOf(operation) : [])];
    return givers.flatMap((giver) =>
      this.tensorOperands(giver).flatMap((operand) =>
        this.aliasingValues(operand).flatMap((alias) =>
          alias.value.id === value.id ? [{ operand, relation: alias.relation }] : [],
        ),
      ),
    );
  }

  /** Whether the definition of a value gives it contents. */
  isDefined(value: Value): boolean {
    const operation = this.rewriter.definingOperation(value);
    if (operation === undefined) return true;
    const model = this.model(operation);
    if (model === undefined) return true;
    if (model.hasContent !== undefined) return model.hasContent(operation);
    const sources = this.aliasingOperands(value);
    if (sources.length === 0 || sources.some(({ operand }) => this.writes(operand))) return true;
    // A branch defines the values that it yields and that are written inside it.
    const isWrittenInside = (at: Value): boolean =>
      this.rewriter.isWithin(this.ownerOf(at), operation) && this.isDefined(at);
    return sources.some(
      ({ operand }) =>
        this.findUpwards(this.valueOf(operand), isWrittenInside, { includeLeaves: false }).length > 0,
    );
  }

  /** Whether the contents of a value are read, directly or through views. */
  isRead(value: Value): boolean {
    const known = this.remembered?.isRead.get(value.id);
    if (known !== undefined) return known;
    const seen = new Set<Operand>();
    const pending = [...this.usesOf(value)];
    let isRead = false;
    for (let use = pending.pop(); use !== undefined && !isRead; use = pending.pop()) {
      if (seen.has(use)) continue;
      seen.add(use);
      isRead = this.reads(use);
      if (!isRead && !this.writes(use) && this.model(use.operation) !== undefined) {
        pending.push(...this.aliasingValues(use).flatMap((alias) => this.usesOf(alias.value)));
      }
    }
    this.remembered?.isRead.set(value.id, isRead);
    return isRead;
  }

  /** Walks the alias chain up from `start`: the values that are `wanted`, or where the chain ends. */
  findUpwards(start: Value, wanted: (value: Value) => boolean, how: Upwards = {}): readonly Value[] {
    const { includeLeaves = true, onlyEquivalent = false, onlySameType = false } = how;
    const seen = new Set<number>();
    const found = new Map<number, Value>();
    const pending = [start];
    for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
      if (seen.has(value.id)) continue;
      seen.add(value.id);
      if (wanted(value)) {
        found.set(value.id, value);
        continue;
      }
      const isKnown = this.model(this.ownerOf(value)) !== undefined;
      const sources = isKnown ? this.aliasingOperands(value) : [];
      let isLeaf = sources.length === 0;
      for (const { operand, relation } of sources) {
        const source = this.valueOf(operand);
        const isFollowed =
          !(onlyEquivalent && relation === 'overlaps') &&
          (!onlySameType || typeEquals(source.type, value.type) || this.isCast(value));
        if (isFollowed) pending.push(source);
        else isLeaf = true;
      }
      if (isLeaf && includeLeaves) found.set(value.id, value);
    }
    return [...found.values()];
  }

  private isCast(value: Value): boolean {
    const operation = this.rewriter.definingOperation(value);
    return operation !== undefined && hasTrait(this.rewriter.registry, operation, 'cast');
  }

  /** The values that define the contents of a value. */
  definitionsOf(value: Value): readonly Value[] {
    const known = this.remembered?.definitions.get(value.id);
    if (known !== undefined) return known;
    const found = this.findUpwards(value, (at) => this.isDefined(at), { includeLeaves: false });
    this.remembered?.definitions.set(value.id, found);
    return found;
  }

  /** Whether an out-of-place operand needs the contents of its old buffer. */
  needsContent(operand: Operand): boolean {
    if (this.hasUndefinedContent(operand)) return false;
    const reads = this.reads(operand);
    if (this.writes(operand) && !reads) return false;
    return reads || this.aliasingValues(operand).some(({ value }) => this.isRead(value));
  }

  // --- Decisions ---

  isInPlace(operand: Operand): boolean {
    return operand.operation.name === 'bufferization.to_memref' || !this.writes(operand);
  }

  areEquivalent(_a: Value, _b: Value): boolean {
    return false;
  }

  hasUndefinedContent(_operand: Operand): boolean {
    return false;
  }

  /** The values that may alias a value. */
  aliasesOf(value: Value): readonly Value[] {
    return [value];
  }
}

const terminatorsOf = ({ regions }: DraftOperation): readonly DraftOperation[] =>
  regions.flatMap(({ blocks }) => blocks.flatMap(({ last }) => last ?? []));

/** For an op without a model: any operand may alias any result and any region argument. */
const unknownValues = ({ operation }: Operand): readonly Alias[] =>
  [...operation.results, ...operation.regions.flatMap(({ blocks }) => blocks[0]?.arguments ?? [])].flatMap(
    (value) => (isTensor(value) ? [{ value, relation: 'overlaps' }] : []),
  );
