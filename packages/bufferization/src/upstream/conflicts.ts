/**
 * Read-after-write conflicts: reads that, given the in-place operands, would see contents newer than their tensor's.
 */
import { mixedSlice, sameSlice } from '@sconv/dialects';
import { extractSlice, insertSlice, parallelInsertSlice } from '@sconv/dialects/tensor';
import { materializeInDestination } from '@sconv/dialects/bufferization';
import type { DraftOperation, Value } from '@sconv/ir';
import { unitAttribute } from '@sconv/ir';
import type { ExecutionOrder } from './execution-order.ts';
import type { Operand } from '../op-model.ts';
import type { OneShotState } from './one-shot-state.ts';

/** For so few, bisection takes longer. */
const fewWrites = 8;

export class Conflicts {
  private readonly state: OneShotState;
  private readonly order: ExecutionOrder;
  private readonly definitions = new Map<number, readonly Value[]>();

  constructor(state: OneShotState, order: ExecutionOrder) {
    this.state = state;
    this.order = order;
  }

  /** The operand's value, and the values that would alias it. */
  private valuesAt(operand: Operand): readonly Value[] {
    return [this.state.valueOf(operand), ...this.state.aliasingValues(operand).map(({ value }) => value)];
  }

  /** The values that may alias one of these. */
  private memoryOf(values: readonly Value[]): readonly Value[] {
    return [
      ...new Map(values.flatMap((value) => this.state.aliasesOf(value)).map((v) => [v.id, v])).values(),
    ];
  }

  private writesTo(memory: readonly Value[]): readonly Operand[] {
    return memory.flatMap((value) =>
      this.state.usesOf(value).filter((use) => this.state.isInPlace(use) && this.state.writes(use)),
    );
  }

  /** The uses that depend on the contents: reads, and views that are read. */
  private readsOf(memory: readonly Value[]): readonly Operand[] {
    const { state } = this;
    return memory.flatMap((value) =>
      state
        .usesOf(value)
        .filter(
          (use) =>
            state.reads(use) ||
            (!state.writes(use) && state.aliasingValues(use).some((alias) => state.isRead(alias.value))),
        ),
    );
  }

  /** Whether an in-place operand (assumed to be; with `isDecided` it is) leads to a write to a read-only buffer. */
  writesReadOnly(operand: Operand, isDecided = false): boolean {
    const { state } = this;
    const memory = this.memoryOf(this.valuesAt(operand));
    const isWritten = !isDecided && state.writes(operand);
    if (!isWritten && this.writesTo(memory).length === 0) return false;
    const unwritable = memory.filter((value) => !state.isWritable(value));
    if (state.options.printConflicts) for (const value of unwritable) this.markUnwritable(value);
    return unwritable.length > 0;
  }

  /** Whether placing an operand in place causes a conflict, or (`isDecided`) whether there is one regardless. */
  readsNewerContent(operand: Operand, isDecided = false): boolean {
    const memory = this.memoryOf(this.valuesAt(operand));
    const writes = new Set(this.writesTo(memory));
    if (!isDecided && this.state.writes(operand)) writes.add(operand);
    if (writes.size === 0) return false;
    const reads = this.readsOf(memory);
    if (reads.length === 0) return false;
    if (this.state.options.checkParallelRegions && [...writes].some((write) => this.leavesParallel(write)))
      return true;
    const toCheck = this.writesToCheck([...writes]);
    return reads.some((read) => {
      const definitions = this.definitionsOf(this.state.valueOf(read));
      if (definitions.length === 0) return false;
      return toCheck(read, definitions).some((write) => this.isConflict(read, write, definitions));
    });
  }

  /**
   * The writes that may conflict with a read: in straight-line code, those from its definitions up to it. Found by
   * bisection, since a chain of ops on one buffer has as many reads as writes; all of them where conflicts are
   * annotated, in order.
   */
  private writesToCheck(
    writes: readonly Operand[],
  ): (read: Operand, definitions: readonly Value[]) => readonly Operand[] {
    const { order, state } = this;
    const block = writes[0]?.operation.block;
    const isStraight =
      writes.length > fewWrites &&
      !state.options.printConflicts &&
      block !== undefined &&
      writes.every(({ operation }) => operation.block === block);
    if (!isStraight) return () => writes;
    const sorted = writes.toSorted((a, b) => order.numberOf(a.operation) - order.numberOf(b.operation));
    /** The first of the sorted writes whose operation does not come before `number`. */
    const firstFrom = (number: number): number => {
      let [from, to] = [0, sorted.length];
      while (from < to) {
        const middle = Math.floor((from + to) / 2);
        if (order.numberOf(sorted[middle]!.operation) < number) from = middle + 1;
        else to = middle;
      }
      return from;
    };
    return (read, definitions) => {
      const reading = read.operation;
      if (reading.block !== block || !order.isOrdered(reading, reading, definitions)) return writes;
      const starts = definitions.map((definition) => {
        const operation = state.rewriter.definingOperation(definition);
        return operation?.block === block ? order.numberOf(operation) : 0;
      });
      return sorted.slice(firstFrom(Math.min(...starts)), firstFrom(order.numberOf(reading) + 1));
    };
  }

  private definitionsOf(value: Value): readonly Value[] {
    let known = this.definitions.get(value.id);
    if (known === undefined) this.definitions.set(value.id, (known = this.state.definitionsOf(value)));
    return known;
  }

  /** Whether a write targets a buffer defined outside the parallel region around it. */
  private leavesParallel(write: Operand): boolean {
    const { state, order } = this;
    const home = order.parallelAround(write.operation.block?.region);
    return state
      .findUpwards(state.valueOf(write), (value) => state.isDefined(value))
      .some((value) => order.parallelAround(order.regionOf(value)) !== home);
  }

  private isConflict(read: Operand, write: Operand, definitions: readonly Value[]): boolean {
    if (this.isHarmless(read, write, definitions)) return false;
    const definition = definitions.find((value) => this.comesAfter(write, value));
    if (definition === undefined) return false;
    if (this.state.options.printConflicts) this.markConflict(read, write, definition);
    return true;
  }

  /**
   * Whether a write cannot change what a read sees, wherever the definition is.
   *
   * @deviation The subset rule applies only where program order is conclusive. Upstream also applies it to a slice
   * whose offset varies per iteration, and then reads what an earlier iteration wrote.
   */
  private isHarmless(read: Operand, write: Operand, definitions: readonly Value[]): boolean {
    const { order } = this;
    const [reading, writing] = [read.operation, write.operation];
    if (!order.isOrdered(reading, writing, definitions)) return false;
    return (
      order.happensBefore(reading, writing) ||
      read === write ||
      order.areExclusive(reading, writing) ||
      (reading === writing && this.isElementwise(read, write)) ||
      this.accessSameSubset(read, write)
    );
  }

  /** Whether both access only the same element of one buffer, reading before writing. */
  private isElementwise(read: Operand, write: Operand): boolean {
    const { state } = this;
    const { operation } = read;
    return (
      state.model(operation)?.isElementwise?.(operation, [read, write]) === true &&
      (this.isSameUpwards(read, write) || this.isSameUpwards(write, read))
    );
  }

  private isSameUpwards(start: Operand, other: Operand): boolean {
    const { id } = this.state.valueOf(other);
    const how = { includeLeaves: false, onlyEquivalent: true, onlySameType: true };
    return this.state.findUpwards(this.state.valueOf(start), (value) => value.id === id, how).length > 0;
  }

  /**
   * Whether a write may execute after a definition that is not its own.
   *
   * @deviation Upstream takes a write in another block than that of a defining block argument to come before it, and so
   * overwrites arguments of functions with several blocks that are read later.
   */
  private comesAfter(write: Operand, definition: Value): boolean {
    const { state, order } = this;
    const operation = state.rewriter.definingOperation(definition);
    if (operation === undefined) {
      const block = state.rewriter.owningBlock(definition)!;
      if (!order.mayFollow(write.operation, block)) return false;
    } else {
      if (order.happensBefore(write.operation, operation)) return false;
      if (write.operation !== operation && state.rewriter.isWithin(write.operation, operation)) return false;
    }
    const aliases = state.aliasingValues(write);
    return !(aliases.length === 1 && aliases[0]!.value.id === definition.id);
  }

  // --- Slices that are extracted, changed and inserted back ---

  private accessSameSubset(read: Operand, write: Operand): boolean {
    const { state } = this;
    const [from, into] = [insertionOf(read.operation), insertionOf(write.operation)];
    if (from !== undefined) {
      // The insertion does not read the part that is written.
      if (read === from.destination(state) && this.isPart(state.valueOf(write), read.operation)) return true;
      // The insertion writes what it reads, in place.
      if (
        read === from.source(state) &&
        write === from.destination(state) &&
        this.isPart(state.valueOf(read), read.operation)
      )
        return true;
    }
    if (into === undefined) return false;
    if (write !== into.destination(state)) return false;
    // The insertion overwrites the part with what the reader's tensor already has there.
    const source = state.valueOf(into.source(state));
    return state.areEquivalent(state.valueOf(read), source) && this.isPart(source, write.operation);
  }

  /** Whether every definition of a value is the part of the destination that an insertion overwrites. */
  private isPart(value: Value, insertion: DraftOperation): boolean {
    const { state } = this;
    const destination = insertion.operands[1]!;
    const isPart = (candidate: Value): boolean => {
      const extraction = state.rewriter.definingOperation(candidate);
      if (extraction === undefined) return false;
      if (materializeInDestination.is(insertion)) return state.areEquivalent(destination, candidate);
      return (
        extractSlice.is(extraction) &&
        state.areEquivalent(extraction.operands[0]!, destination) &&
        sameSlice(state.rewriter, mixedSlice(extraction), mixedSlice(insertion))
      );
    };
    return state.findUpwards(value, isPart).every(isPart);
  }

  // --- Attributes for printing ---

  private markConflict(read: Operand, write: Operand, definition: Value): void {
    const id = `C_${this.state.counts.conflicts++}`;
    this.mark(write.operation, `${id}[CONFL-WRITE: ${write.index}]`);
    this.mark(read.operation, `${id}[READ: ${read.index}]`);
    this.markValue(`${id}[DEF: `, definition);
  }

  private markUnwritable(value: Value): void {
    this.markValue(`W_${this.state.counts.unwritable++}[NOT-WRITABLE: `, value);
  }

  private markValue(text: string, value: Value): void {
    const { rewriter } = this.state;
    const operation = rewriter.definingOperation(value);
    const values = operation?.results ?? rewriter.owningBlock(value)?.arguments ?? [];
    const position = values.findIndex(({ id }) => id === value.id);
    const kind = operation === undefined ? 'bbArg' : 'result';
    this.mark(this.state.ownerOf(value), `${text}${kind} ${position}]`);
  }

  private mark(operation: DraftOperation, name: string): void {
    this.state.rewriter.setAttribute(operation, name, unitAttribute);
  }
}

/** The operands of an insertion of a slice into a tensor; undefined for other ops. */
const insertionOf = (operation: DraftOperation) =>
  insertSlice.is(operation) || parallelInsertSlice.is(operation) || materializeInDestination.is(operation)
    ? {
        source: (state: OneShotState): Operand => state.operand(operation, 0),
        destination: (state: OneShotState): Operand => state.operand(operation, 1),
      }
    : undefined;
