/**
 * Decides which tensor operands bufferize in place: upstream's One-Shot Analysis.
 *
 * Operands are decided one by one, bottom-up, so that copies are made at the first write. An operand is in place
 * unless that, given the decisions so far, would write a read-only buffer, or make some read see newer contents than
 * those of its tensor (a read-after-write conflict).
 */
import { returnOp } from '@sconv/dialects/func';
import type { DraftOperation, Id, Value } from '@sconv/ir';
import type { OwnBuffer } from '../rewriting/tensor-copies.ts';
import { isView } from '../rewriting/tensor-copies.ts';
import { DisjointSets } from './disjoint-sets.ts';
import type { Span } from './program-order.ts';
import { SpanList } from './span-list.ts';
import { accessesSameSubset } from './subset-rule.ts';
import type { TensorFacts, Use } from './tensor-facts.ts';

/** The accesses to memory that a set of values may share. */
interface SharedMemory {
  /** Whether all of the values are writable. */
  isWritable: boolean;
  /** The uses that read the contents, each spanning definition to use (see `spanOf`). */
  readonly reads: SpanList<Use>;
  /** The in-place uses that write, at their position. */
  readonly writes: SpanList<Use>;
}

export class InPlaceAnalysis {
  readonly facts: TensorFacts;
  /** May-alias sets, induced by the in-place operands. */
  private readonly aliases: DisjointSets<SharedMemory>;
  /** Must-alias sets: values known to have the same buffer. */
  private readonly equivalences = new DisjointSets<undefined>(
    () => undefined,
    () => undefined,
  );
  private readonly outOfPlace = new Map<Id, Map<number, OwnBuffer>>();

  constructor(facts: TensorFacts) {
    this.facts = facts;
    this.aliases = new DisjointSets((value) => this.memoryOf(value), mergeMemory);
    const leavesRegion = (use: Use): boolean => facts.model(use.operation).isAlwaysInPlace === true;
    for (const use of facts.uses) {
      this.joinAliases(use);
      if (leavesRegion(use)) this.useInPlace(use);
    }
    for (const use of bottomUp(facts)) {
      if (leavesRegion(use)) continue;
      if (this.mayBeInPlace(use)) this.useInPlace(use);
      else this.useOutOfPlace(use, this.needsContent(use));
    }
    if (facts.options.bufferizeFunctionBoundaries) this.separateReturned();
  }

  /** The operations with out-of-place operands, nested ones before their parents. */
  get copied(): readonly DraftOperation[] {
    return this.facts.operations.filter(({ id }) => this.outOfPlace.has(id));
  }

  /** The out-of-place operands of an operation. */
  ownBuffersOf({ id }: DraftOperation): readonly OwnBuffer[] {
    return [...(this.outOfPlace.get(id)?.values() ?? [])].sort((a, b) => a.index - b.index);
  }

  isInPlace({ id }: DraftOperation, index: number): boolean {
    return this.outOfPlace.get(id)?.has(index) !== true;
  }

  /** Whether two values have the same buffer. */
  areEquivalent(a: Value, b: Value): boolean {
    return this.equivalences.areJoined(a, b);
  }

  /** Whether two values may share memory. */
  mayAlias(a: Value, b: Value): boolean {
    return this.aliases.areJoined(a, b);
  }

  /** Whether the buffer of a value is written. */
  isWritten(value: Value): boolean {
    return this.aliases.data(value).writes.size > 0;
  }

  // --- Deciding ---

  /** Values that alias the same operand alias each other, even if the operand is out of place. */
  private joinAliases(use: Use): void {
    const [first, ...others] = this.facts.aliasesOf(use);
    for (const other of others) this.aliases.join(first!.value, other.value);
  }

  /**
   * A caller may write what a call returns: never return constants, or the same memory twice.
   *
   * @deviation Upstream returns both unchanged, although it analyses callers as if they were writable and did not
   * alias.
   */
  private separateReturned(): void {
    const given: Value[] = [];
    for (const use of this.facts.uses) {
      if (!returnOp.is(use.operation)) continue;
      const isShared = given.some((value) => this.mayAlias(value, use.value));
      if (isShared || this.isConstant(use.value)) this.useOutOfPlace(use, true);
      else given.push(use.value);
    }
  }

  private useInPlace(use: Use): void {
    const { facts } = this;
    if (facts.writes(use)) this.aliases.data(use.value).writes.add(use, facts.order.spanOf(use.operation));
    for (const { value, relation } of this.facts.aliasesOf(use)) {
      this.aliases.join(use.value, value);
      if (relation === 'same') this.equivalences.join(use.value, value);
    }
  }

  private useOutOfPlace(use: Use, needsContent: boolean): void {
    const { index, operation } = use;
    const own = { index, needsContent, view: this.onlyViewOf(use) };
    const known = this.outOfPlace.get(operation.id);
    if (known === undefined) this.outOfPlace.set(operation.id, new Map([[index, own]]));
    else known.set(index, own);
  }

  /** The result that is the operation's only effect on an operand, a view of it; undefined otherwise. */
  private onlyViewOf(use: Use): Value | undefined {
    const { facts } = this;
    const [alias, ...others] = facts.aliasesOf(use);
    if (alias === undefined || others.length > 0 || facts.writes(use)) return undefined;
    const { value } = alias;
    return isView(facts.rewriter, value) && facts.sourcesOf(value).length === 1 ? value : undefined;
  }

  /** Whether the copy of an operand needs its contents. */
  private needsContent(use: Use): boolean {
    const { facts } = this;
    if (!facts.hasContent(use.value)) return false;
    if (facts.reads(use)) return true;
    return !facts.writes(use) && facts.aliasesOf(use).some((alias) => facts.isRead(alias.value));
  }

  private mayBeInPlace(use: Use): boolean {
    const { facts } = this;
    const aliases = facts.aliasesOf(use);
    const ownWrites = facts.writes(use) ? [use] : [];
    // No write, and no new alias of the buffer.
    if (aliases.length === 0 && ownWrites.length === 0) return true;
    const joined = [use.value, ...aliases.map(({ value }) => value)].map((value) => this.aliases.data(value));
    const memories = [...new Set(joined)];
    if (ownWrites.length === 0 && memories.every(({ writes }) => writes.size === 0)) return true;
    if (memories.some(({ isWritable }) => !isWritable)) return false;
    // Earlier decisions rule out conflicts within one set; check only across the joined sets, and the new write.
    return memories.every(
      ({ reads }) =>
        !ownWrites.some((write) => this.isReadAround(reads, write)) &&
        memories.every(({ reads: own, writes }) => own === reads || !this.areConflicting(reads, writes)),
    );
  }

  /** Whether some write may clobber what some read reads. */
  private areConflicting(reads: SpanList<Use>, writes: SpanList<Use>): boolean {
    return reads.size < writes.size
      ? reads.some((read, span) => writes.someIn(span, (write) => this.isConflict(read, write)))
      : writes.some((write) => this.isReadAround(reads, write));
  }

  /** Whether a write may clobber what some read reads. */
  private isReadAround(reads: SpanList<Use>, write: Use): boolean {
    const span = this.facts.order.spanOf(write.operation);
    return reads.someIn(span, (read) => this.isConflict(read, write));
  }

  /** The initial data of a value that aliases no other. */
  private memoryOf(value: Value): SharedMemory {
    const { facts } = this;
    const reads = new SpanList<Use>();
    for (const read of facts.readsOf(value)) {
      const definitions = facts.definitionsOf(value);
      if (definitions.length > 0) reads.add(read, this.spanOf(read, definitions));
    }
    return { isWritable: facts.isWritable(value), reads, writes: new SpanList() };
  }

  private isConstant(value: Value): boolean {
    return this.aliases
      .members(value)
      .some(
        (alias) =>
          this.facts.rewriter.definingOperation(alias) !== undefined && !this.facts.isWritable(alias),
      );
  }

  // --- Read after write ---

  /** Whether a write that meets the span of a read may clobber what it reads. */
  private isConflict(read: Use, write: Use): boolean {
    const definitions = this.facts.definitionsOf(read.value);
    return (
      !this.isHarmless(read, write, definitions) &&
      definitions.some((definition) => this.comesAfter(write, definition))
    );
  }

  /**
   * The part of the program in which a write can conflict: from the first definition to the read, plus all of the
   * loop that repeats the read but not a definition.
   */
  private spanOf(read: Use, definitions: readonly Value[]): Span {
    const { facts } = this;
    let { first, last } = facts.order.spanOf(read.operation);
    for (const definition of definitions) {
      const loop = this.loopBetween(read, definition) ?? read.operation;
      const [from, around] = [facts.order.spanOf(facts.ownerOf(definition)), facts.order.spanOf(loop)];
      first = Math.min(first, from.first, around.first);
      last = Math.max(last, around.last);
    }
    return { first, last };
  }

  /**
   * Whether a write cannot change what a read sees, wherever the definition is.
   *
   * @deviation The subset rule applies only where program order is conclusive. Upstream also applies it to a slice
   * whose offset varies per iteration, and then reads what an earlier iteration wrote.
   */
  private isHarmless(read: Use, write: Use, definitions: readonly Value[]): boolean {
    const { order } = this.facts;
    if (!this.isOrdered(read, write, definitions)) return false;
    if (read === write) return true;
    if (order.happensBefore(read.operation, write.operation)) return true;
    if (order.areExclusive(read.operation, write.operation)) return true;
    if (read.operation === write.operation && this.isElementwise(read, write)) return true;
    return accessesSameSubset(this, read, write);
  }

  /**
   * Whether program order determines if the write comes between the definition and the read. It does not if some loop
   * repeats the read and the write, but not the definition.
   */
  private isOrdered(read: Use, write: Use, definitions: readonly Value[]): boolean {
    return definitions.every((definition) => {
      const loop = this.loopBetween(read, definition);
      return loop === undefined || !this.facts.order.isWithin(write.operation, loop);
    });
  }

  /** The outermost loop that repeats a read but not the definition of what it reads. */
  private loopBetween(read: Use, definition: Value): DraftOperation | undefined {
    const { facts } = this;
    const home = facts.loopOf(definition);
    let outermost: DraftOperation | undefined;
    for (
      let loop = facts.order.loopAround(read.operation);
      loop !== undefined && loop !== home;
      loop = facts.order.loopAround(loop)
    ) {
      outermost = loop;
    }
    return outermost;
  }

  /** Every element is loaded before it is stored, and the buffers coincide. */
  private isElementwise(read: Use, write: Use): boolean {
    const model = this.facts.model(read.operation);
    return (
      model.isElementwise?.(read.operation, [read, write]) === true &&
      (this.isSameUpwards(read.value, write.value) || this.isSameUpwards(write.value, read.value))
    );
  }

  /** Whether `value` has the buffer of `target`, assuming that all operands on the def-use chain are in place. */
  private isSameUpwards(value: Value, target: Value): boolean {
    for (let at: Value | undefined = value; at !== undefined;) {
      if (this.areEquivalent(at, target)) return true;
      const [source, ...others] = this.facts.sourcesOf(at);
      at = source?.relation === 'same' && others.length === 0 ? source.use.value : undefined;
    }
    return false;
  }

  /** Whether a write may execute after a definition that is not its own. */
  private comesAfter(write: Use, definition: Value): boolean {
    const { facts } = this;
    const operation = facts.rewriter.definingOperation(definition);
    if (operation === undefined) {
      // A write outside the argument's block comes before it.
      if (!facts.order.isWithin(write.operation, facts.ownerOf(definition))) return false;
      if (write.operation === facts.ownerOf(definition)) return false;
    } else {
      if (facts.order.happensBefore(write.operation, operation)) return false;
      if (write.operation !== operation && facts.order.isWithin(write.operation, operation)) return false;
    }
    const aliases = facts.aliasesOf(write);
    return !(aliases.length === 1 && aliases[0]!.value.id === definition.id);
  }
}

const mergeMemory = (into: SharedMemory, other: SharedMemory): void => {
  into.isWritable &&= other.isWritable;
  into.reads.addAll(other.reads);
  into.writes.addAll(other.writes);
};

/** Operands in decision order: later operations first, loops before their bodies. */
const bottomUp = (facts: TensorFacts): readonly Use[] => {
  const byOperation = new Map<DraftOperation, Use[]>();
  for (const use of facts.uses) {
    const list = byOperation.get(use.operation);
    if (list === undefined) byOperation.set(use.operation, [use]);
    else list.push(use);
  }
  return [...byOperation.values()].toReversed().flat();
};
