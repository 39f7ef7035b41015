/**
 * The mutable form of a module inside `edit`: the same shape as the frozen IR, so that code that reads an `Operation`
 * also reads a draft, plus parent links and use lists.
 *
 * A region that is isolated from above (a function) is thawed as a whole when first visited, since its use lists are
 * complete only then; regions never visited are shared with the old module.
 */
import type { Location } from '@sconv/diagnostics';
import type { Attributes } from './attribute.ts';
import { IdTable } from './id-table.ts';
import type { Block, Id, Module, Operation, Region, Value } from './operation.ts';
import type { OpFacts } from './op-facts.ts';
import { factsIn } from './op-facts.ts';
import type { Registry } from './registry.ts';
import { hasTrait } from './registry.ts';
import type { Type } from './type.ts';

/** An operation of a draft. Change it only through the rewriter, which maintains use lists and dirty flags. */
export class DraftOperation implements Operation {
  readonly id: Id;
  readonly name: string;
  /** Facts determined by its name. */
  readonly facts: OpFacts;
  operands: readonly Value[];
  results: readonly Value[];
  attributes: Attributes;
  successors: readonly Id[];
  location: Location;
  /** The parent block; undefined for the root, and for an erased or not yet inserted operation. */
  block: DraftBlock | undefined = undefined;
  /** Its neighbours in the block. */
  previous: DraftOperation | undefined = undefined;
  next: DraftOperation | undefined = undefined;
  /** The frozen operation that this one still equals, including regions unless `dirty`. */
  source: Operation | undefined;
  dirty: boolean;
  /** Undefined while the frozen regions of `source` are in use. */
  private thawed: readonly DraftRegion[] | undefined;
  private readonly draft: Draft;

  constructor(draft: Draft, id: Id, from: Omit<Operation, 'id' | 'regions'>, source: Operation | undefined) {
    this.draft = draft;
    this.id = id;
    this.name = from.name;
    this.facts = draft.factsOf(from.name);
    this.operands = from.operands;
    this.results = from.results;
    this.attributes = from.attributes;
    this.successors = from.successors;
    this.location = from.location;
    this.source = source;
    this.dirty = source === undefined;
    this.thawed = source === undefined || source.regions.length === 0 ? none : undefined;
  }

  get regions(): readonly DraftRegion[] {
    if (this.thawed === undefined) this.thaw();
    return this.thawed!;
  }

  /** Makes the regions mutable, if they are not yet. */
  thaw(): void {
    this.thawed ??= this.draft.thawRegions(this, this.source?.regions ?? none);
  }

  /** Appends an empty region. */
  addRegion(): DraftRegion {
    const region = new DraftRegion(this);
    // Most operations have no regions, and share an empty list.
    this.thawed = [...this.regions, region];
    return region;
  }

  /** Whether the regions are mutable. */
  get isThawed(): boolean {
    return this.thawed !== undefined;
  }

  /** The parent operation; undefined for the root. */
  get parent(): DraftOperation | undefined {
    return this.block?.region.operation;
  }
}

/** A block of a draft; reads like a `Block`, changed by the rewriter only. */
export class DraftBlock implements Block {
  readonly id: Id;
  arguments: readonly Value[];
  region: DraftRegion;
  first: DraftOperation | undefined = undefined;
  last: DraftOperation | undefined = undefined;
  /** The linked operations as a list, cached until the next change. */
  private listed: readonly DraftOperation[] | undefined = [];

  constructor(id: Id, blockArguments: readonly Value[], region: DraftRegion) {
    this.id = id;
    this.arguments = blockArguments;
    this.region = region;
  }

  get operations(): readonly DraftOperation[] {
    if (this.listed === undefined) {
      const list: DraftOperation[] = [];
      for (let at = this.first; at !== undefined; at = at.next) list.push(at);
      this.listed = list;
    }
    return this.listed;
  }

  /** Links an operation in before another; at the end if that is undefined. */
  insert(operation: DraftOperation, before: DraftOperation | undefined): void {
    const previous = before === undefined ? this.last : before.previous;
    operation.block = this;
    operation.previous = previous;
    operation.next = before;
    if (previous === undefined) this.first = operation;
    else previous.next = operation;
    if (before === undefined) this.last = operation;
    else before.previous = operation;
    this.listed = undefined;
  }

  remove(operation: DraftOperation): void {
    const { previous, next } = operation;
    if (previous === undefined) this.first = next;
    else previous.next = next;
    if (next === undefined) this.last = previous;
    else next.previous = previous;
    operation.block = undefined;
    operation.previous = undefined;
    operation.next = undefined;
    this.listed = undefined;
  }
}

/** A region of a draft; reads like a `Region`, changed by the rewriter only. */
export class DraftRegion implements Region {
  readonly blocks: DraftBlock[] = [];
  readonly operation: DraftOperation;

  constructor(operation: DraftOperation) {
    this.operation = operation;
  }
}

/**
 * Whether the regions of an op are isolated from above, so that it can be thawed alone. An unregistered op is not: it
 * is thawed with its surroundings.
 */
const isIsolated = (registry: Registry, operation: Operation): boolean =>
  hasTrait(registry, operation, 'isolated-from-above');

export class Draft {
  readonly registry: Registry;
  readonly factsOf: (name: string) => OpFacts;
  readonly root: DraftOperation;
  nextId: Id;
  /** By id: thawed operations and blocks in the tree, and the definitions of values. */
  private readonly owners = new IdTable<DraftOperation | DraftBlock>();
  /**
   * The users of each value, and the branches to each block, deduplicated. Most values have a single user, which
   * needs no set: a module has as many values as operations.
   */
  private readonly users = new IdTable<DraftOperation | Set<DraftOperation>>();
  /** The module before the first edit: contains everything that has not been thawed. */
  private readonly base: Operation;
  private readonly resources: Module['resources'];
  /** Created on demand, so that an edit of a large module costs no more than the functions that it touches. */
  private holders: ReadonlyMap<Id, Id> | undefined;

  constructor(module: Module, registry: Registry) {
    this.registry = registry;
    this.factsOf = factsIn(registry);
    this.base = module.root;
    this.resources = module.resources;
    this.nextId = module.nextId;
    this.root = this.thaw(module.root);
  }

  thawRegions(operation: DraftOperation, regions: readonly Region[]): readonly DraftRegion[] {
    const thawed: DraftRegion[] = [];
    for (const region of regions) {
      const draft = new DraftRegion(operation);
      for (const block of region.blocks) {
        const draftBlock = new DraftBlock(block.id, block.arguments, draft);
        this.owners.set(block.id, draftBlock);
        for (const argument of block.arguments) this.owners.set(argument.id, draftBlock);
        const { operations } = block;
        for (let i = 0, { length } = operations; i < length; i += 1) {
          const draftChild = this.thaw(operations[i]!);
          draftBlock.insert(draftChild, undefined);
          // Everything below an isolated op is thawed at once: uses may be in any nested region.
          if (!draftChild.facts.isIsolated) draftChild.thaw();
        }
        draft.blocks.push(draftBlock);
      }
      thawed.push(draft);
    }
    return thawed;
  }

  private thaw(operation: Operation): DraftOperation {
    const draft = new DraftOperation(this, operation.id, operation, operation);
    this.register(draft);
    return draft;
  }

  // --- New objects get the next id, are registered, and are not yet in a block.

  newValue(type: Type, location?: Location): Value {
    const id = this.nextId++;
    return Object.freeze(location === undefined ? { id, type } : { id, type, location });
  }

  newOperation(from: Omit<Operation, 'regions' | 'id'>): DraftOperation {
    const operation = new DraftOperation(this, this.nextId++, from, undefined);
    this.register(operation);
    return operation;
  }

  /** A new block at the end of a region, its arguments of these types and locations. */
  newBlock(region: DraftRegion, likes: readonly Pick<Value, 'type' | 'location'>[]): DraftBlock {
    const id = this.nextId++;
    const block = new DraftBlock(
      id,
      likes.map(({ type, location }) => this.newValue(type, location)),
      region,
    );
    region.blocks.push(block);
    this.owners.set(id, block);
    for (const argument of block.arguments) this.define(argument, block);
    return block;
  }

  /** Registers an operation, without its regions. */
  private register(operation: DraftOperation): void {
    const { results, operands, successors } = operation;
    this.owners.set(operation.id, operation);
    // By index here and wherever it is often done: V8 makes an iterator for a frozen array, and an object for each
    // step.
    for (let i = 0, { length } = results; i < length; i += 1) this.owners.set(results[i]!.id, operation);
    for (let i = 0, { length } = operands; i < length; i += 1) this.addUser(operands[i]!.id, operation);
    for (let i = 0, { length } = successors; i < length; i += 1) this.addUser(successors[i]!, operation);
  }

  /** The operation or block that defines a value. */
  definitionOf(value: Value): DraftOperation | DraftBlock | undefined {
    return this.owners.get(value.id);
  }

  /** Registers a value that is new, or has a new definition. */
  define(value: Value, by: DraftBlock): void {
    this.owners.set(value.id, by);
  }

  /** Registers a user of a value, or a branch to a block. */
  addUser(id: Id, user: DraftOperation): void {
    const users = this.users.get(id);
    if (users === undefined) this.users.set(id, user);
    else if (users instanceof Set) users.add(user);
    else if (users !== user) this.users.set(id, new Set<DraftOperation>().add(users).add(user));
  }

  removeUser(id: Id, user: DraftOperation): void {
    const users = this.users.get(id);
    if (users instanceof Set) users.delete(user);
    else if (users === user) this.users.delete(id);
  }

  /** The users of a value, or the branches to a block, deduplicated. */
  usersOf({ id }: { readonly id: Id }): readonly DraftOperation[] {
    const users = this.users.get(id);
    return users === undefined ? none : users instanceof Set ? [...users] : [users];
  }

  /** The user of a value, or the branch to a block, if there is just one. */
  onlyUserOf({ id }: { readonly id: Id }): DraftOperation | undefined {
    const users = this.users.get(id);
    if (!(users instanceof Set)) return users;
    return users.size === 1 ? [...users][0] : undefined;
  }

  isUsed(value: Value): boolean {
    const users = this.users.get(value.id);
    return users !== undefined && (!(users instanceof Set) || users.size > 0);
  }

  /** Unregisters a value. */
  forget(value: Value): void {
    this.owners.delete(value.id);
    this.users.delete(value.id);
  }

  /** Unregisters a block; its arguments must be unregistered separately. */
  forgetBlock(block: DraftBlock): void {
    this.owners.delete(block.id);
    this.users.delete(block.id);
  }

  /** The block with this id, if it is thawed and in the tree. */
  blockWith(id: Id): DraftBlock | undefined {
    const owner = this.owners.get(id);
    return owner instanceof DraftBlock && owner.id === id ? owner : undefined;
  }

  /** Unregisters an operation; its results must be unregistered separately. */
  forgetOperation(operation: DraftOperation): void {
    this.owners.delete(operation.id);
  }

  /** Whether an operation is in the tree. */
  holds(operation: DraftOperation): boolean {
    return this.owners.get(operation.id) === operation;
  }

  /** The operation with this id, if thawed. */
  private thawedWith(id: Id): DraftOperation | undefined {
    const owner = this.owners.get(id);
    // Values and blocks have ids, too.
    return owner instanceof DraftOperation && owner.id === id ? owner : undefined;
  }

  /** The operation with this id; thaws its ancestors. */
  find(id: Id): DraftOperation | undefined {
    const known = this.thawedWith(id);
    if (known !== undefined) return known;
    const holder = this.holderOf(id);
    if (holder === undefined) return undefined;
    // Visiting an operation thaws its contents, down to the next isolated ones.
    this.find(holder)?.thaw();
    return this.thawedWith(id);
  }

  /** The frozen operation with this id, in an unchanged module that this draft represents. */
  findFrozen(id: Id): Operation | undefined {
    const known = this.thawedWith(id);
    if (known !== undefined) return known.source;
    const holder = this.holderOf(id);
    const around = holder === undefined ? undefined : this.findFrozen(holder);
    return around === undefined ? undefined : isolatedIndex(this.registry, around).own.get(id);
  }

  /** The innermost isolated ancestor of an operation that is not thawed; undefined if no operation had this id. */
  private holderOf(id: Id): Id | undefined {
    this.holders ??= holdersIn(this.registry, this.base);
    return this.holders.get(id);
  }

  /** Freezes the module; unchanged operations are the same objects as before. */
  freeze(): Module {
    const { root, nextId, resources } = this;
    const frozen = freezeOperation(root);
    return Object.freeze({ root: frozen, nextId, ...(resources === undefined ? {} : { resources }) });
  }
}

/** The operation with this id in a frozen tree; searches functions by their index. */
export const findFrozen = (registry: Registry, root: Operation, id: Id): Operation | undefined => {
  if (root.id === id) return root;
  const index = isolatedIndex(registry, root);
  const own = index.own.get(id);
  if (own !== undefined) return own;
  for (const nested of index.nested) {
    const below = findFrozen(registry, nested, id);
    if (below !== undefined) return below;
  }
  return undefined;
};

interface IsolatedIndex {
  /** All operations below, down to and including the isolated ones. */
  readonly own: ReadonlyMap<Id, Operation>;
  readonly nested: readonly Operation[];
}

/** The innermost isolated ancestor of each operation of a frozen tree. */
const holdersIn = (registry: Registry, root: Operation): ReadonlyMap<Id, Id> => {
  const holders = new Map<Id, Id>();
  const visit = (holder: Operation): void => {
    const { own, nested } = isolatedIndex(registry, holder);
    for (const id of own.keys()) holders.set(id, holder.id);
    nested.forEach(visit);
  };
  visit(root);
  return holders;
};

/** By registry, which determines what is isolated. */
const indexes = new WeakMap<Registry, WeakMap<Operation, IsolatedIndex>>();

/** The operations below an isolated one; cached for the lifetime of the frozen operation. */
const isolatedIndex = (registry: Registry, operation: Operation): IsolatedIndex => {
  const known = indexes.get(registry) ?? new WeakMap<Operation, IsolatedIndex>();
  indexes.set(registry, known);
  const index = known.get(operation) ?? indexOf(registry, operation);
  known.set(operation, index);
  return index;
};

const indexOf = (registry: Registry, operation: Operation): IsolatedIndex => {
  const own = new Map<Id, Operation>();
  const nested: Operation[] = [];
  const visit = (parent: Operation): void => {
    for (const region of parent.regions) {
      for (const block of region.blocks) {
        for (const child of block.operations) {
          own.set(child.id, child);
          if (isIsolated(registry, child)) nested.push(child);
          else visit(child);
        }
      }
    }
  };
  visit(operation);
  return { own, nested };
};

const freezeOperation = (draft: DraftOperation): Operation => {
  if (!draft.dirty && draft.source !== undefined) return draft.source;
  const frozen: Operation = Object.freeze({
    id: draft.id,
    name: draft.name,
    operands: frozenList(draft.operands),
    results: frozenList(draft.results),
    attributes: Object.freeze(draft.attributes),
    regions: draft.isThawed ? frozenRegions(draft.regions) : (draft.source?.regions ?? none),
    successors: frozenList(draft.successors),
    location: draft.location,
  });
  draft.source = frozen;
  draft.dirty = false;
  return frozen;
};

const none: readonly never[] = Object.freeze([]);

/** A frozen copy: the caller may own the list. */
const frozenList = <T>(list: readonly T[]): readonly T[] =>
  list.length === 0 ? none : Object.isFrozen(list) ? list : Object.freeze([...list]);

const frozenRegions = (regions: readonly DraftRegion[]): readonly Region[] =>
  regions.length === 0 ? none : Object.freeze(regions.map(freezeRegion));

const freezeRegion = (region: DraftRegion): Region =>
  Object.freeze({
    blocks: Object.freeze(
      region.blocks.map((block) =>
        Object.freeze({
          id: block.id,
          arguments: frozenList(block.arguments),
          operations: Object.freeze(block.operations.map(freezeOperation)),
        }),
      ),
    ),
  });
