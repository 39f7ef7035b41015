/**
 * The rewriter: changes a mutable draft as MLIR's `RewriterBase` does, and records what became of every operation and
 * value.
 */
import { unknownLocation } from '@sconv/diagnostics';
import type { Location } from '@sconv/diagnostics';
import { noAttributes } from './attribute.ts';
import type { Attribute, Attributes } from './attribute.ts';
import { Copier } from './copier.ts';
import type { CopyChange } from './copier.ts';
import type { BodyBuilder, OperationState } from './define-op.ts';
import type { Draft, DraftBlock, DraftOperation, DraftRegion } from './draft.ts';
import { DraftReader } from './draft-reader.ts';
import type { Forward } from './forward.ts';
import { noForward } from './forward.ts';
import { ForwardRecorder } from './forward-recorder.ts';
import type { Id, Operation, Region, Value } from './operation.ts';
import { RewriteListeners } from './rewrite-listener.ts';
import type { RewriteListener } from './rewrite-listener.ts';
import type { Type } from './type.ts';

/**
 * Reads and changes the draft of a module inside `edit`. Operations are created at the insertion point; every change
 * maintains use lists and marks what must be frozen again.
 */
export class Rewriter extends DraftReader {
  /** The insertion point: before this operation, or at the end of the block if undefined. */
  private block: DraftBlock | undefined = undefined;
  private before: DraftOperation | undefined = undefined;
  private readonly recorder: ForwardRecorder;
  private readonly listeners = new RewriteListeners();
  private changes = 0;

  constructor(draft: Draft) {
    super(draft);
    this.recorder = new ForwardRecorder(draft.nextId);
  }

  /** The number of changes so far; a pass compares two readings to see whether it changed anything. */
  get changeCount(): number {
    return this.changes;
  }

  // --- Insertion point -------------------------------------------------------------------------------------------

  setInsertionPointBefore(operation: DraftOperation): void {
    this.block = blockOf(operation);
    this.before = operation;
  }

  setInsertionPointAfter(operation: DraftOperation): void {
    this.block = blockOf(operation);
    this.before = operation.next;
  }

  setInsertionPointToStart(block: DraftBlock): void {
    this.block = block;
    this.before = block.first;
  }

  setInsertionPointToEnd(block: DraftBlock): void {
    this.block = block;
    this.before = undefined;
  }

  /** The block of the insertion point; throws if it is not set. */
  get insertionBlock(): DraftBlock {
    if (this.block === undefined) throw new Error('no insertion point');
    return this.block;
  }

  /** Runs `build` and restores the insertion point. */
  scoped<T>(build: () => T): T {
    const { block, before } = this;
    try {
      return build();
    } finally {
      this.block = block;
      this.before = before;
    }
  }

  /** Runs `rewrite` while `listener` is notified of every change. */
  listening<T>(listener: RewriteListener, rewrite: () => T): T {
    return this.listeners.with(listener, rewrite);
  }

  // --- Creation --------------------------------------------------------------------------------------------------

  /** Creates an operation at the insertion point; the location defaults to that of the following op. */
  create(
    state: OperationState<Rewriter>,
    location = state.location ?? this.defaultLocation(),
  ): DraftOperation {
    const operation = this.draft.newOperation({
      name: state.name,
      operands: state.operands,
      results: state.resultTypes.map((type) => this.draft.newValue(type)),
      attributes: state.attributes ?? noAttributes,
      successors: state.successors ?? noIds,
      location,
    });
    this.insert(operation);
    if (state.bodies !== undefined) for (const body of state.bodies) this.buildRegion(operation, body);
    return operation;
  }

  /** `create` for the common case of one result. */
  createValue(state: OperationState<Rewriter>): Value {
    const [result, ...more] = this.create(state).results;
    if (result === undefined || more.length > 0) throw new Error(`${state.name} does not have one result`);
    return result;
  }

  /** Appends a block to a region. */
  createBlock(region: DraftRegion, argumentTypes: readonly Type[] = []): DraftBlock {
    const block = this.draft.newBlock(
      region,
      argumentTypes.map((type) => ({ type })),
    );
    this.change(region.operation);
    return block;
  }

  /** Appends an empty region to an operation. */
  createRegion(operation: DraftOperation): DraftRegion {
    const region = operation.addRegion();
    this.change(operation);
    return region;
  }

  /**
   * Clones an operation, of this module or another, with its regions. `mapping` (by value id) replaces operands and
   * receives the results and block arguments of the copy.
   */
  clone(operation: Operation, mapping = new Map<Id, Value>(), change?: CopyChange): DraftOperation {
    const copy = new Copier(this.draft, mapping).operation(operation, change);
    this.insert(copy);
    for (const { blocks } of copy.regions) this.listeners.insertedBelow(blocks);
    return copy;
  }

  /** Appends clones of a region's blocks to another region; `mapping` as for `clone`. */
  cloneRegion(from: Region, to: DraftRegion, mapping = new Map<Id, Value>()): void {
    const copies = new Copier(this.draft, mapping).region(from, to);
    this.change(to.operation);
    this.listeners.insertedBelow(copies);
  }

  // --- Changes ---------------------------------------------------------------------------------------------------

  setAttribute(operation: DraftOperation, name: string, attribute: Attribute | undefined): void {
    const { [name]: _old, ...rest } = operation.attributes;
    this.setAttributes(operation, attribute === undefined ? rest : { ...rest, [name]: attribute });
  }

  /** Replaces all attributes of an operation. */
  setAttributes(operation: DraftOperation, attributes: Attributes): void {
    this.change(operation);
    operation.attributes = attributes;
  }

  /** Sets the successors of a terminator. */
  setSuccessors(operation: DraftOperation, successors: readonly Id[]): void {
    this.change(operation);
    for (const block of operation.successors) this.draft.removeUser(block, operation);
    operation.successors = successors;
    for (const block of successors) this.draft.addUser(block, operation);
  }

  setOperands(operation: DraftOperation, operands: readonly Value[]): void {
    this.change(operation);
    const { draft } = this;
    const old = operation.operands;
    for (let i = 0, { length } = old; i < length; i += 1) draft.removeUser(old[i]!.id, operation);
    operation.operands = operands;
    for (let i = 0, { length } = operands; i < length; i += 1) draft.addUser(operands[i]!.id, operation);
  }

  setOperand(operation: DraftOperation, index: number, value: Value): void {
    this.setOperands(operation, operation.operands.with(index, value));
  }

  /** Replaces all uses of `value`, except in `except` and below it. */
  replaceAllUsesWith(value: Value, replacement: Value, except?: DraftOperation): void {
    for (const user of this.users(value))
      if (except === undefined || !this.isWithin(user, except)) this.replaceUsesIn(user, value, replacement);
    this.recorder.succeeded(value.id, replacement.id);
  }

  /** Replaces the uses of `value` in the operations that `accept` selects. */
  replaceUsesIf(value: Value, replacement: Value, accept: (user: DraftOperation) => boolean): void {
    for (const user of this.users(value)) {
      if (accept(user)) this.replaceUsesIn(user, value, replacement);
    }
  }

  private replaceUsesIn(user: DraftOperation, { id }: Value, replacement: Value): void {
    const operands = [...user.operands];
    for (let i = 0; i < operands.length; i += 1) if (operands[i]!.id === id) operands[i] = replacement;
    this.setOperands(user, operands);
  }

  /**
   * Replaces an operation by values, one per result. For handles and provenance, the operations `by` replace it: by
   * default the definitions of the values.
   */
  replaceOperation(
    operation: DraftOperation,
    values: readonly Value[],
    by?: readonly DraftOperation[],
  ): void {
    if (values.length !== operation.results.length) {
      throw new Error(
        `${operation.name} has ${operation.results.length} results, replaced by ${values.length} values`,
      );
    }
    this.listeners.replacing(operation, values);
    const definitions: Id[] = [];
    const { results } = operation;
    for (let i = 0, { length } = results; i < length; i += 1) {
      const value = values[i]!;
      this.replaceAllUsesWith(results[i]!, value);
      const definition = this.definingOperation(value);
      if (definition !== undefined && definition !== operation && !definitions.includes(definition.id)) {
        definitions.push(definition.id);
      }
    }
    this.removeOperation(operation, by?.map(({ id }) => id) ?? definitions);
  }

  /** Replaces an operation by a new one with as many results. */
  replaceWith(operation: DraftOperation, state: OperationState<Rewriter>): DraftOperation {
    const created = this.scoped(() => {
      this.setInsertionPointBefore(operation);
      return this.create(state, state.location ?? operation.location);
    });
    this.replaceOperation(operation, created.results, [created]);
    return created;
  }

  /** Erases an operation whose results are unused, and everything below it. */
  eraseOperation(operation: DraftOperation): void {
    this.removeOperation(operation, noIds);
  }

  /** Erases an operation that others replace. */
  private removeOperation(operation: DraftOperation, by: readonly Id[]): void {
    if (operation.regions.length === 0) {
      this.listeners.erasing(operation);
      this.dropUses(operation);
      this.forgetOperation(operation, by);
    } else {
      const erased = this.walk(operation);
      for (const each of erased) this.listeners.erasing(each);
      for (const each of erased) this.dropUses(each);
      for (const each of erased) this.forgetOperation(each, each === operation ? by : noIds);
    }
    this.detach(operation);
  }

  /** Takes an operation off the use lists of its operands, and the arguments of its blocks away. */
  private dropUses(operation: DraftOperation): void {
    const { operands, successors, regions } = operation;
    const { draft } = this;
    for (let i = 0, { length } = operands; i < length; i += 1) draft.removeUser(operands[i]!.id, operation);
    for (let i = 0, { length } = successors; i < length; i += 1) draft.removeUser(successors[i]!, operation);
    for (const { blocks } of regions) {
      for (const block of blocks) {
        for (const argument of block.arguments) this.forgetValue(argument);
        draft.forgetBlock(block);
      }
    }
  }

  private forgetOperation(operation: DraftOperation, by: readonly Id[]): void {
    const { results } = operation;
    for (let i = 0, { length } = results; i < length; i += 1) {
      if (this.hasUses(results[i]!)) throw new Error(`${operation.name} is erased while its result is used`);
      this.forgetValue(results[i]!);
    }
    this.draft.forgetOperation(operation);
    this.recorder.replaced(operation.id, by);
  }

  /** Moves an operation before another. */
  moveBefore(operation: DraftOperation, before: DraftOperation): void {
    if (operation === before) return;
    this.scoped(() => {
      this.setInsertionPointBefore(before);
      this.move(operation);
    });
  }

  /** Moves the operations of a block to the insertion point, replacing its arguments by values. */
  inlineBlock(block: DraftBlock, values: readonly Value[]): void {
    block.arguments.forEach((argument, i) => {
      const value = values[i];
      if (value === undefined) throw new Error('an inlined block needs a value for each argument');
      this.replaceAllUsesWith(argument, value);
    });
    for (const operation of block.operations) this.move(operation);
  }

  /** Moves all blocks of a region to another: before a given block, or to the end. */
  moveRegion(from: DraftRegion, to: DraftRegion, before?: DraftBlock): void {
    const blocks = from.blocks.splice(0);
    for (const block of blocks) {
      for (const { id } of block.operations) this.recorder.moved(id, from.operation.id, to.operation.id);
      block.region = to;
    }
    to.blocks.splice(before === undefined ? to.blocks.length : to.blocks.indexOf(before), 0, ...blocks);
    this.change(from.operation);
    this.change(to.operation);
  }

  /** Moves `operation` and everything after it to a new block, directly after the old one. */
  splitBlock(operation: DraftOperation): DraftBlock {
    const block = blockOf(operation);
    const { region } = block;
    const rest = this.draft.newBlock(region, []);
    region.blocks.splice(region.blocks.indexOf(block) + 1, 0, ...region.blocks.splice(-1));
    this.scoped(() => {
      this.setInsertionPointToEnd(rest);
      const { operations } = block;
      for (const each of operations.slice(operations.indexOf(operation))) this.move(each);
    });
    this.change(region.operation);
    return rest;
  }

  /** Erases a block without predecessors, with its contents. */
  eraseBlock(block: DraftBlock): void {
    const { region } = block;
    // In reverse: operations of a block may use earlier results.
    for (const operation of block.operations.toReversed()) this.eraseOperation(operation);
    for (const argument of block.arguments) {
      if (this.hasUses(argument)) throw new Error('a block is erased while its argument is used');
      this.forgetValue(argument);
    }
    this.draft.forgetBlock(block);
    region.blocks.splice(region.blocks.indexOf(block), 1);
    this.change(region.operation);
  }

  /** Changes the type of a block argument; its uses are updated to the new value. */
  changeArgumentType(block: DraftBlock, index: number, type: Type): Value {
    const old = block.arguments[index];
    if (old === undefined) throw new Error(`the block has no argument ${index}`);
    const value = this.draft.newValue(type, old.location);
    block.arguments = block.arguments.with(index, value);
    this.draft.define(value, block);
    this.replaceAllUsesWith(old, value);
    this.forgetValue(old);
    this.change(block.region.operation);
    return value;
  }

  /** Adds an argument to a block. */
  addArgument(block: DraftBlock, type: Type): Value {
    const value = this.draft.newValue(type);
    block.arguments = [...block.arguments, value];
    this.draft.define(value, block);
    this.change(block.region.operation);
    return value;
  }

  /** Erases an unused block argument. */
  eraseArgument(block: DraftBlock, index: number): void {
    const old = block.arguments[index];
    if (old === undefined) throw new Error(`the block has no argument ${index}`);
    if (this.hasUses(old)) throw new Error('a block argument is erased while it is used');
    block.arguments = block.arguments.toSpliced(index, 1);
    this.forgetValue(old);
    this.change(block.region.operation);
  }

  // --- Results ---------------------------------------------------------------------------------------------------

  /** The current replacement of an operation; itself if it was not replaced. */
  standsFor(operation: Operation): readonly Id[] {
    return this.recorder.standsFor(operation.id);
  }

  /** The current replacement of a value; itself if it was not replaced. */
  standsForValue(value: Value): readonly Id[] {
    return this.recorder.standsForValue(value.id);
  }

  /** The effect of the edit so far. What it created and erased again leaves no trace. */
  forward(): Forward {
    return this.recorded();
  }

  /** A lazy `forward` of the current state, also valid after the edit if that ends here. */
  get recorded(): () => Forward {
    const { changes, recorder } = this;
    const { nextId } = this.draft;
    return () => (changes === 0 ? noForward : recorder.forward(nextId));
  }

  // --- Inside ----------------------------------------------------------------------------------------------------

  private defaultLocation(): Location {
    return this.before?.location ?? this.block?.region.operation.location ?? unknownLocation;
  }

  private insert(operation: DraftOperation): void {
    const { insertionBlock: block, before } = this;
    if (before !== undefined && before.block !== block) {
      throw new Error('the operation at the insertion point was moved or erased');
    }
    block.insert(operation, before);
    this.touch(block.region.operation);
    this.listeners.inserted(operation);
  }

  private detach(operation: DraftOperation): void {
    const block = blockOf(operation);
    if (this.before === operation) {
      this.block = block;
      this.before = operation.next;
    }
    block.remove(operation);
    this.touch(block.region.operation);
  }

  /** Moves an operation to the insertion point. */
  private move(operation: DraftOperation): void {
    const from = blockOf(operation).region.operation.id;
    this.detach(operation);
    this.insert(operation);
    this.recorder.moved(operation.id, from, blockOf(operation).region.operation.id);
  }

  private buildRegion(operation: DraftOperation, body: BodyBuilder<Rewriter> | undefined): void {
    const region = this.createRegion(operation);
    if (body === undefined) return;
    const block = this.createBlock(region, body.argumentTypes);
    this.scoped(() => {
      this.setInsertionPointToEnd(block);
      body.build(this, ...block.arguments);
    });
  }

  private forgetValue(value: Value): void {
    this.draft.forget(value);
    this.recorder.valueGone(value.id);
  }

  /** Records that the operation itself changed. */
  private change(operation: DraftOperation): void {
    if (!this.draft.holds(operation)) throw notHere(operation);
    this.recorder.changed(operation.id);
    this.touch(operation);
    this.listeners.changed(operation);
  }

  private touch(operation: DraftOperation): void {
    this.changes += 1;
    for (let at: DraftOperation | undefined = operation; at !== undefined && !at.dirty; at = at.parent) {
      at.dirty = true;
      // The root of another draft of the module; an erased operation has none.
      if (at !== this.root && at.id === this.root.id) throw notHere(operation);
    }
  }
}

const noIds: readonly Id[] = Object.freeze([]);

const blockOf = (operation: DraftOperation): DraftBlock => {
  if (operation.block === undefined) throw notHere(operation);
  return operation.block;
};

const notHere = ({ name }: DraftOperation): Error =>
  new Error(
    `this '${name}' is not in the module: it was erased, or is of another edit (find it in this one)`,
  );
