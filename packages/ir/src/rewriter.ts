/**
 * The rewriter: works on a mutable draft as MLIR's `RewriterBase` does, and has recorded what became of every operation
 * and value.
 */
import { unknownLocation } from '@sconv/diagnostics';
import type { Location } from '@sconv/diagnostics';
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
import type { Type } from './type.ts';

/** Hears of changes as they are made: upstream's `RewriterBase::Listener`. */
export interface RewriteListener {
  /** An operation was created here, or moved here; one that is copied with its regions is heard of with all that is in it. */
  readonly inserted?: (operation: DraftOperation) => void;
  /** The operands, attributes or blocks of an operation are others now. */
  readonly changed?: (operation: DraftOperation) => void;
  /** An operation is about to go; one with regions comes before what is in it. */
  readonly erasing?: (operation: DraftOperation) => void;
  /** An operation is about to be replaced by values, one for each of its results; then it goes. */
  readonly replacing?: (operation: DraftOperation, values: readonly Value[]) => void;
}

/**
 * Reads and changes the draft of a module inside `edit`. Operations are created at the insertion point; every change keeps
 * use lists and marks what has to be frozen anew.
 */
export class Rewriter extends DraftReader {
  /** Where the next operation is inserted: before that one, at the end of the block if there is none. */
  private block: DraftBlock | undefined = undefined;
  private before: DraftOperation | undefined = undefined;
  private readonly recorder: ForwardRecorder;
  private readonly listeners: RewriteListener[] = [];
  private changes = 0;

  constructor(draft: Draft) {
    super(draft);
    this.recorder = new ForwardRecorder(draft.nextId);
  }

  /** How many changes were made; a pass compares two readings to see whether it did anything. */
  get changeCount(): number {
    return this.changes;
  }

  // --- Where to insert -------------------------------------------------------------------------------------------

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

  /** The block that operations are inserted into; throws where none was said. */
  get insertionBlock(): DraftBlock {
    if (this.block === undefined) throw new Error('no insertion point');
    return this.block;
  }

  /** Runs `build` and returns to the present insertion point. */
  scoped<T>(build: () => T): T {
    const { block, before } = this;
    try {
      return build();
    } finally {
      this.block = block;
      this.before = before;
    }
  }

  /** Runs `rewrite`, during which `listener` hears of every change. */
  listening<T>(listener: RewriteListener, rewrite: () => T): T {
    this.listeners.push(listener);
    try {
      return rewrite();
    } finally {
      this.listeners.splice(this.listeners.lastIndexOf(listener), 1);
    }
  }

  // --- Making ----------------------------------------------------------------------------------------------------

  /** Inserts a new operation at the insertion point; without a location it takes that of the op it stands before. */
  create(
    state: OperationState<Rewriter>,
    location = state.location ?? this.defaultLocation(),
  ): DraftOperation {
    const operation = this.draft.newOperation({
      name: state.name,
      operands: state.operands,
      results: state.resultTypes.map((type) => this.draft.newValue(type)),
      attributes: state.attributes,
      successors: state.successors,
      location,
    });
    this.insert(operation);
    for (const body of state.bodies) this.buildRegion(operation, body);
    return operation;
  }

  /** `create` for the usual case of one result. */
  createValue(state: OperationState<Rewriter>): Value {
    const [result, ...more] = this.create(state).results;
    if (result === undefined || more.length > 0) throw new Error(`${state.name} does not have one result`);
    return result;
  }

  /** Appends a block to a region. */
  createBlock(region: DraftRegion, argumentTypes: readonly Type[] = []): DraftBlock {
    const block = this.draft.newBlock(region, argumentTypes);
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
   * Inserts a copy of an operation, of this module or another, with its regions. `mapping` (by value id) replaces
   * operands and receives the results and block arguments of the copy.
   */
  clone(operation: Operation, mapping = new Map<Id, Value>(), change?: CopyChange): DraftOperation {
    const copy = new Copier(this.draft, mapping).operation(operation, change);
    this.insert(copy);
    for (const { blocks } of copy.regions) this.notifyBelow(blocks);
    return copy;
  }

  /** Appends copies of a region's blocks to another region; `mapping` as for `clone`. */
  cloneRegion(from: Region, to: DraftRegion, mapping = new Map<Id, Value>()): void {
    const copies = new Copier(this.draft, mapping).region(from, to);
    this.change(to.operation);
    this.notifyBelow(copies);
  }

  // --- Changing --------------------------------------------------------------------------------------------------

  setAttribute(operation: DraftOperation, name: string, attribute: Attribute | undefined): void {
    const { [name]: _old, ...rest } = operation.attributes;
    this.setAttributes(operation, attribute === undefined ? rest : { ...rest, [name]: attribute });
  }

  /** Gives an operation these attributes in place of all that it has. */
  setAttributes(operation: DraftOperation, attributes: Attributes): void {
    this.change(operation);
    operation.attributes = attributes;
  }

  /** Lets a terminator branch to these blocks. */
  setSuccessors(operation: DraftOperation, successors: readonly Id[]): void {
    this.change(operation);
    operation.successors = successors;
  }

  setOperands(operation: DraftOperation, operands: readonly Value[]): void {
    this.change(operation);
    for (const operand of operation.operands) this.draft.removeUser(operand, operation);
    operation.operands = operands;
    for (const operand of operands) this.draft.addUser(operand, operation);
  }

  setOperand(operation: DraftOperation, index: number, value: Value): void {
    this.setOperands(operation, operation.operands.with(index, value));
  }

  /** Uses `replacement` wherever `value` was used, save in `except` and below it. */
  replaceAllUsesWith(value: Value, replacement: Value, except?: DraftOperation): void {
    this.replaceUsesIf(value, replacement, (user) => except === undefined || !this.isWithin(user, except));
    this.recorder.succeeded(value.id, replacement.id);
  }

  /** Uses `replacement` instead of `value` in the operations that `accept` says. */
  replaceUsesIf(value: Value, replacement: Value, accept: (user: DraftOperation) => boolean): void {
    for (const user of this.users(value)) {
      if (!accept(user)) continue;
      this.setOperands(
        user,
        user.operands.map((operand) => (operand.id === value.id ? replacement : operand)),
      );
    }
  }

  /**
   * Replaces an operation by values, one for each result. What stands for it from now on, for handles and provenance, are
   * the operations `by`: those that define the values, if nothing else is said.
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
    for (const listener of this.listeners) listener.replacing?.(operation, values);
    const definitions: DraftOperation[] = [];
    operation.results.forEach((result, i) => {
      const value = values[i]!;
      this.replaceAllUsesWith(result, value);
      const definition = this.definingOperation(value);
      if (definition !== undefined && definition !== operation && !definitions.includes(definition)) {
        definitions.push(definition);
      }
    });
    this.removeOperation(
      operation,
      (by ?? definitions).map(({ id }) => id),
    );
  }

  /** Replaces an operation by a newly created one with as many results. */
  replaceWith(operation: DraftOperation, state: OperationState<Rewriter>): DraftOperation {
    const created = this.scoped(() => {
      this.setInsertionPointBefore(operation);
      return this.create(state, state.location ?? operation.location);
    });
    this.replaceOperation(operation, created.results, [created]);
    return created;
  }

  /** Removes an operation whose results are not used, and what is below it. */
  eraseOperation(operation: DraftOperation): void {
    this.removeOperation(operation, noIds);
  }

  /** Erases an operation for which others stand from now on. */
  private removeOperation(operation: DraftOperation, by: readonly Id[]): void {
    const erased = operation.regions.length === 0 ? [operation] : this.walk(operation);
    for (const each of erased) for (const listener of this.listeners) listener.erasing?.(each);
    for (const each of erased) {
      for (const operand of each.operands) this.draft.removeUser(operand, each);
      for (const region of each.regions) {
        for (const block of region.blocks) {
          for (const argument of block.arguments) this.forgetValue(argument);
        }
      }
    }
    for (const each of erased) {
      for (const result of each.results) {
        if (this.hasUses(result)) throw new Error(`${each.name} is erased while its result is used`);
        this.forgetValue(result);
      }
      this.draft.forgetOperation(each);
      this.recorder.replaced(each.id, each === operation ? by : noIds);
    }
    this.detach(operation);
  }

  /** Moves an operation before another. */
  moveBefore(operation: DraftOperation, before: DraftOperation): void {
    if (operation === before) return;
    this.scoped(() => {
      this.setInsertionPointBefore(before);
      this.move(operation);
    });
  }

  /** Moves the operations of a block to the insertion point, its arguments replaced by values. */
  inlineBlock(block: DraftBlock, values: readonly Value[]): void {
    block.arguments.forEach((argument, i) => {
      const value = values[i];
      if (value === undefined) throw new Error('an inlined block needs a value for each argument');
      this.replaceAllUsesWith(argument, value);
    });
    for (const operation of block.operations) this.move(operation);
  }

  /** Moves all blocks of a region to another: before a block of that, to its end unless one is given. */
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

  /** Moves `operation` and what follows it in its block to a new block, which stands after that one. */
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

  /** Removes a block that nothing branches to, with what is in it. */
  eraseBlock(block: DraftBlock): void {
    const { region } = block;
    // Operations of a block may use each other's results: from the last to the first.
    for (const operation of block.operations.toReversed()) this.eraseOperation(operation);
    for (const argument of block.arguments) {
      if (this.hasUses(argument)) throw new Error('a block is erased while its argument is used');
      this.forgetValue(argument);
    }
    region.blocks.splice(region.blocks.indexOf(block), 1);
    this.change(region.operation);
  }

  /** Gives a block argument another type; its uses follow to the new value. */
  changeArgumentType(block: DraftBlock, index: number, type: Type): Value {
    const old = block.arguments[index];
    if (old === undefined) throw new Error(`the block has no argument ${index}`);
    const value = this.draft.newValue(type);
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

  /** Removes a block argument that is not used. */
  eraseArgument(block: DraftBlock, index: number): void {
    const old = block.arguments[index];
    if (old === undefined) throw new Error(`the block has no argument ${index}`);
    if (this.hasUses(old)) throw new Error('a block argument is erased while it is used');
    block.arguments = block.arguments.toSpliced(index, 1);
    this.forgetValue(old);
    this.change(block.region.operation);
  }

  // --- Ending ----------------------------------------------------------------------------------------------------

  /** What stands, at this point of the edit, for an operation that was replaced; itself if it was not. */
  standsFor(operation: Operation): readonly Id[] {
    return this.recorder.standsFor(operation.id);
  }

  /** What stands, at this point of the edit, for a value that was replaced; itself if it was not. */
  standsForValue(value: Value): readonly Id[] {
    return this.recorder.standsForValue(value.id);
  }

  /** What the edit did so far. What it created and erased again leaves no trace. */
  forward(): Forward {
    return this.recorded();
  }

  /** `forward` as it stands now, for when it is asked for: also after the edit, where that has ended here. */
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
    this.notifyInserted(operation);
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

  /** Notes that an operation itself is another now. */
  private change(operation: DraftOperation): void {
    if (!this.draft.holds(operation)) {
      throw new Error(`'${operation.name}' is changed, but was erased or never inserted`);
    }
    this.recorder.changed(operation.id);
    this.touch(operation);
    for (const listener of this.listeners) listener.changed?.(operation);
  }

  private notifyInserted(operation: DraftOperation): void {
    for (const listener of this.listeners) listener.inserted?.(operation);
  }

  private notifyBelow(blocks: readonly DraftBlock[]): void {
    if (this.listeners.length === 0) return;
    for (const { operations } of blocks) {
      for (const operation of operations) {
        this.notifyInserted(operation);
        for (const region of operation.regions) this.notifyBelow(region.blocks);
      }
    }
  }

  private touch(operation: DraftOperation): void {
    this.changes += 1;
    for (let at: DraftOperation | undefined = operation; at !== undefined && !at.dirty; at = at.parent)
      at.dirty = true;
  }
}

const noIds: readonly Id[] = Object.freeze([]);

const blockOf = (operation: DraftOperation): DraftBlock => {
  if (operation.block === undefined) throw new Error(`${operation.name} is not in a block`);
  return operation.block;
};
