/**
 * Read-after-write conflicts: reads that, given the in-place operands, would see contents newer than their tensor's.
 */
import { mixedSlice, sameSlice } from '@sconv/dialects';
import { extractSlice, insertSlice, parallelInsertSlice } from '@sconv/dialects/tensor';
import { materializeInDestination } from '@sconv/dialects/bufferization';
import type { DraftOperation, Value } from '@sconv/ir';
import { unitAttribute } from '@sconv/ir';
import type { ExecutionOrder } from './execution-order.ts';
import type { AliasedOperand, Operand } from '../op-model.ts';
import type { OneShotState, SharedMemory } from './one-shot-state.ts';
import type { SpanList } from './span-list.ts';

export class Conflicts {
  private readonly state: OneShotState;
  private readonly order: ExecutionOrder;

  constructor(state: OneShotState, order: ExecutionOrder) {
    this.state = state;
    this.order = order;
  }

  /** The memory of an operand and of the values that would alias it. */
  private memoriesAt(operand: Operand): readonly SharedMemory[] {
    const { state } = this;
    const values = [state.valueOf(operand), ...state.aliasingValues(operand).map(({ value }) => value)];
    return [...new Set(values.map((value) => state.memory(value)))];
  }

  /** Whether an operand can be placed in place: no write then meets a read-only buffer, or a read of older contents. */
  mayBeInPlace(operand: Operand): boolean {
    const memories = this.memoriesAt(operand);
    const write = this.state.writes(operand) ? operand : undefined;
    if (write === undefined && memories.every(({ writes }) => writes.size === 0)) return true;
    return !this.writesReadOnly(operand, memories) && !this.readsNewerContent(memories, write);
  }

  /** What is wrong whatever is decided about an operand that is in place. */
  unavoidable(operand: Operand): 'conflict' | 'write' | undefined {
    const memories = this.memoriesAt(operand);
    if (memories.every(({ writes }) => writes.size === 0)) return undefined;
    if (this.readsNewerContent(memories, undefined, true)) return 'conflict';
    return this.state.isInPlace(operand) && this.writesReadOnly(operand, memories) ? 'write' : undefined;
  }

  /** Whether memory that is written is read-only. */
  private writesReadOnly(operand: Operand, memories: readonly SharedMemory[]): boolean {
    if (memories.every(({ isWritable }) => isWritable)) return false;
    if (this.state.options.printConflicts) this.markUnwritable(operand);
    return true;
  }

  /**
   * Whether joining memories causes a conflict, with a new write or without. Earlier decisions rule out conflicts
   * within one memory: only those across the joined ones are looked for, unless `within`.
   */
  private readsNewerContent(
    memories: readonly SharedMemory[],
    write: Operand | undefined,
    within = false,
  ): boolean {
    const { state } = this;
    if (memories.every(({ isRead }) => !isRead)) return false;
    if (state.options.checkParallelRegions) {
      const leaves = memories.some(({ leavesParallel }) => leavesParallel);
      if (leaves || (write !== undefined && state.leavesParallel(write))) return true;
    }
    return memories.some(
      ({ reads }) =>
        (write !== undefined && this.isReadAround(reads, write)) ||
        memories.some(
          ({ reads: own, writes }) => (within || own !== reads) && this.areConflicting(reads, writes),
        ),
    );
  }

  /** Whether some write may clobber what some read reads. */
  private areConflicting(reads: SpanList<Operand>, writes: SpanList<Operand>): boolean {
    return reads.size < writes.size
      ? reads.some((read, span) => writes.someIn(span, (write) => this.isConflict(read, write)))
      : writes.some((write) => this.isReadAround(reads, write));
  }

  /** Whether a write may clobber what some read reads. */
  private isReadAround(reads: SpanList<Operand>, write: Operand): boolean {
    const span = this.order.spanOf(write.operation);
    return reads.someIn(span, (read) => this.isConflict(read, write));
  }

  private isConflict(read: Operand, write: Operand): boolean {
    const definitions = this.state.definitionsOf(this.state.valueOf(read));
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

  /**
   * Whether a value has the buffer of another, assuming that all operands on the way are in place.
   *
   * @deviation Upstream takes any way: where a branch may hand on another part of the same buffer, it computes in place
   * what is read and written at different places.
   */
  private isSameUpwards(start: Operand, other: Operand): boolean {
    const { state } = this;
    const target = state.valueOf(other);
    for (let at: Value | undefined = state.valueOf(start); at !== undefined;) {
      if (state.areEquivalent(at, target)) return true;
      const [source, ...others]: readonly AliasedOperand[] =
        state.model(state.ownerOf(at)) === undefined ? [] : state.aliasingOperands(at);
      at = source?.relation === 'same' && others.length === 0 ? state.valueOf(source.operand) : undefined;
    }
    return false;
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

  private markUnwritable(operand: Operand): void {
    const { state } = this;
    const values = [state.valueOf(operand), ...state.aliasingValues(operand).map(({ value }) => value)];
    const all = new Map(values.flatMap((each) => state.aliasesOf(each)).map((each) => [each.id, each]));
    for (const value of all.values())
      if (!state.isWritable(value)) this.markValue(`W_${state.counts.unwritable++}[NOT-WRITABLE: `, value);
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
