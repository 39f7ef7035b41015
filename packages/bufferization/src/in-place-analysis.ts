/**
 * Which tensor operands may be bufferized in place: upstream's One-Shot Analysis.
 *
 * Operands are decided one after another, from the end of the function to its start, so that copies go where a value
 * is first changed. An operand is in place unless its buffer, with the decisions made so far, would be written although
 * it may not be, or some read would find a newer content than that of its tensor (a read-after-write conflict).
 */
import { returnOp } from '@sconv/dialects/func';
import type { DraftOperation, Id, Value } from '@sconv/ir';
import { DisjointSets } from './disjoint-sets.ts';
import type { Use } from './op-model.ts';
import type { Span } from './program-order.ts';
import { SpanList } from './span-list.ts';
import { accessesSameSubset } from './subset-rule.ts';
import type { TensorFacts } from './tensor-facts.ts';

/** What becomes of an operand: its own buffer, a new one, or a new one with its content. */
export type Placement = 'in-place' | 'allocate' | 'copy';

/** What is done with memory that values may share. */
interface SharedMemory {
  /** Whether all of the values may be written. */
  isWritable: boolean;
  /** The uses that depend on the content that a definition gave, from the definition to the use (see `spanOf`). */
  readonly reads: SpanList<Use>;
  /** The uses in place that write, where they stand. */
  readonly writes: SpanList<Use>;
}

export class InPlaceAnalysis {
  readonly facts: TensorFacts;
  /** Values that may share memory, by the operands that are in place. */
  private readonly aliases: DisjointSets<SharedMemory>;
  /** Values that certainly have the same buffer. */
  private readonly equivalences = new DisjointSets<undefined>(
    () => undefined,
    () => undefined,
  );
  private readonly outOfPlace = new Map<Id, Map<number, Placement>>();

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
      else this.useOutOfPlace(use, this.needsContent(use) ? 'copy' : 'allocate');
    }
    if (facts.options.bufferizeFunctionBoundaries) this.separateReturned();
  }

  placementOf(operation: DraftOperation, index: number): Placement {
    return this.outOfPlace.get(operation.id)?.get(index) ?? 'in-place';
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

  /** Values in the memory of one operand share memory even if the operand is out of place. */
  private joinAliases(use: Use): void {
    const [first, ...others] = this.facts.aliasesOf(use);
    for (const other of others) this.aliases.join(first!.value, other.value);
  }

  /**
   * A caller may write what it is given: it gets neither constants nor the same memory twice.
   *
   * @deviation Upstream returns both as they are, although its analysis of the caller takes them for writable and apart.
   */
  private separateReturned(): void {
    const given: Value[] = [];
    for (const use of this.facts.uses) {
      if (!returnOp.is(use.operation)) continue;
      const isShared = given.some((value) => this.mayAlias(value, use.value));
      if (isShared || this.isConstant(use.value)) this.useOutOfPlace(use, 'copy');
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

  private useOutOfPlace(use: Use, placement: Placement): void {
    const known = this.outOfPlace.get(use.operation.id);
    if (known === undefined) this.outOfPlace.set(use.operation.id, new Map([[use.index, placement]]));
    else known.set(use.index, placement);
  }

  /** Whether the copy of an operand must have its content. */
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
    // Nothing is written and no new name for the buffer is made.
    if (aliases.length === 0 && ownWrites.length === 0) return true;
    const joined = [use.value, ...aliases.map(({ value }) => value)].map((value) => this.aliases.data(value));
    const memories = [...new Set(joined)];
    if (ownWrites.length === 0 && memories.every(({ writes }) => writes.size === 0)) return true;
    if (memories.some(({ isWritable }) => !isWritable)) return false;
    // Within one there is no conflict, by the decisions before: the new neighbours matter, and the new write.
    return memories.every(
      ({ reads }) =>
        !ownWrites.some((write) => this.isReadAround(reads, write)) &&
        memories.every(({ reads: own, writes }) => own === reads || !this.areConflicting(reads, writes)),
    );
  }

  /** Whether one of the writes may change what one of the reads reads. */
  private areConflicting(reads: SpanList<Use>, writes: SpanList<Use>): boolean {
    return reads.size < writes.size
      ? reads.some((read, span) => writes.someIn(span, (write) => this.isConflict(read, write)))
      : writes.some((write) => this.isReadAround(reads, write));
  }

  /** Whether a write may change what one of the reads reads. */
  private isReadAround(reads: SpanList<Use>, write: Use): boolean {
    const span = this.facts.order.spanOf(write.operation);
    return reads.someIn(span, (read) => this.isConflict(read, write));
  }

  /** What is known of the memory of a value that shares it with no other. */
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

  /** Whether a write that meets the span of a read may change what that reads. */
  private isConflict(read: Use, write: Use): boolean {
    const definitions = this.facts.definitionsOf(read.value);
    return (
      !this.isHarmless(read, write, definitions) &&
      definitions.some((definition) => this.comesAfter(write, definition))
    );
  }

  /**
   * The part of the program that a conflicting write must meet: from the first definition to the read, and all of the
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
   * Whether a write does not change what a read finds, wherever the definition is.
   *
   * @deviation The rule for slices applies only where order is known. Upstream applies it to a slice whose offset
   * differs from iteration to iteration of a loop, too, and then reads what an earlier iteration wrote.
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
   * Whether the order of the text says whether the write comes before the read of the definition. It does not if the
   * read and the write are repeated in a loop that the definition is not repeated in.
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

  /** All loads of an element happen before the stores to it, and the buffers coincide. */
  private isElementwise(read: Use, write: Use): boolean {
    const model = this.facts.model(read.operation);
    return (
      model.isElementwise?.(read.operation, [read, write]) === true &&
      (this.isSameUpwards(read.value, write.value) || this.isSameUpwards(write.value, read.value))
    );
  }

  /** Whether `value` has the buffer of `target` if all operands on the way are in place. */
  private isSameUpwards(value: Value, target: Value): boolean {
    for (let at: Value | undefined = value; at !== undefined;) {
      if (this.areEquivalent(at, target)) return true;
      const [source, ...others] = this.facts.sourcesOf(at);
      at = source?.relation === 'same' && others.length === 0 ? source.use.value : undefined;
    }
    return false;
  }

  /** Whether a write may take place after a definition that it does not make itself. */
  private comesAfter(write: Use, definition: Value): boolean {
    const { facts } = this;
    const operation = facts.rewriter.definingOperation(definition);
    if (operation === undefined) {
      // Outside the block of an argument, and so before it.
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

/** Operands in the order of decision: later operations first, loops before what is in them. */
const bottomUp = (facts: TensorFacts): readonly Use[] => {
  const byOperation = new Map<DraftOperation, Use[]>();
  for (const use of facts.uses) {
    const list = byOperation.get(use.operation);
    if (list === undefined) byOperation.set(use.operation, [use]);
    else list.push(use);
  }
  return [...byOperation.values()].toReversed().flat();
};
