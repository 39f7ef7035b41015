/** Queries on a draft: operations by id, definitions, uses, nesting. */
import type { Attribute } from './attribute.ts';
import type { OpDefinition } from './define-op.ts';
import type { Draft } from './draft.ts';
import { DraftBlock, DraftOperation } from './draft.ts';
import type { Id, Operation, Value } from './operation.ts';
import { operationsIn } from './operation.ts';
import type { Registry } from './registry.ts';
import { definitionOf } from './registry.ts';

/** Reads the draft of a module until it is closed. */
export class DraftReader {
  /** Undefined once the edit has ended: the draft then belongs to the next one. */
  private openDraft: Draft | undefined;

  constructor(draft: Draft) {
    this.openDraft = draft;
  }

  protected get draft(): Draft {
    if (this.openDraft === undefined)
      throw new Error('this edit is over: a rewriter is of use only in its callback');
    return this.openDraft;
  }

  /** Ends the edit. */
  close(): void {
    this.openDraft = undefined;
  }

  get root(): DraftOperation {
    return this.draft.root;
  }

  /** The registry of the edit. */
  get registry(): Registry {
    return this.draft.registry;
  }

  /** The definition of an operation; undefined for an unregistered one, about which nothing may be assumed. */
  definition(operation: Operation): OpDefinition | undefined {
    return definitionOf(this.draft.registry, operation);
  }

  /**
   * The draft of an operation of the module; throws if there is none with this id, or if it has another name: two
   * edits of one module assign the same ids, so an operation of the other edit may have been passed.
   */
  find(operation: Id | Operation): DraftOperation {
    const id = typeof operation === 'object' ? operation.id : operation;
    const found = this.draft.find(id);
    if (found === undefined) throw new Error(`no operation with id ${id} in this module`);
    if (typeof operation !== 'number' && operation.name !== found.name) {
      throw new Error(
        `the operation with id ${id} is '${found.name}' in this module, not '${operation.name}': it is of another one`,
      );
    }
    return found;
  }

  /** Like `find`; undefined if the operation was erased. */
  lookup(id: Id): DraftOperation | undefined {
    return this.draft.find(id);
  }

  /** Whether an operation of the draft is still in it. */
  holds(operation: DraftOperation): boolean {
    return this.draft.holds(operation);
  }

  /** The operation that defines a value; undefined for a block argument. */
  definingOperation(value: Value): DraftOperation | undefined {
    const definition = this.draft.definitionOf(value);
    return definition instanceof DraftOperation ? definition : undefined;
  }

  /** `definingOperation` as a standalone function, for folds. */
  readonly sourceOf = (value: Value): DraftOperation | undefined => this.definingOperation(value);

  /** The value of a constant, of any dialect; undefined for other values. A standalone function, for folds. */
  readonly constantOf = (value: Value): Attribute | undefined => {
    const source = this.definingOperation(value);
    return source?.facts.constant?.value(source);
  };

  /** The block that a value is an argument of; undefined for a result. */
  owningBlock(value: Value): DraftBlock | undefined {
    const definition = this.draft.definitionOf(value);
    return definition instanceof DraftBlock ? definition : undefined;
  }

  /** The block with this id, in constant time: a successor of a branch. */
  blockWith(id: Id): DraftBlock | undefined {
    return this.draft.blockWith(id);
  }

  /** The terminators that branch to a block, deduplicated. */
  branchesTo(block: DraftBlock): readonly DraftOperation[] {
    return this.draft.usersOf(block);
  }

  /** The terminator that branches to a block, if there is just one, in constant time. */
  onlyBranchTo(block: DraftBlock): DraftOperation | undefined {
    return this.draft.onlyUserOf(block);
  }

  /** The users of a value, deduplicated. */
  users(value: Value): readonly DraftOperation[] {
    return this.draft.usersOf(value);
  }

  hasUses(value: Value): boolean {
    return this.draft.isUsed(value);
  }

  /** Whether `inner` is `outer` or nested in it. */
  isWithin(inner: DraftOperation, outer: DraftOperation): boolean {
    for (let at: DraftOperation | undefined = inner; at !== undefined; at = at.parent) {
      if (at === outer) return true;
    }
    return false;
  }

  /** Whether a value is defined outside `operation`'s regions, and so may be used before it. */
  isDefinedOutside(value: Value, operation: DraftOperation): boolean {
    const definition = this.draft.definitionOf(value);
    if (definition === undefined) throw new Error('a value without a definition');
    const holder = definition instanceof DraftBlock ? definition.region.operation : definition.parent;
    return holder === undefined || !this.isWithin(holder, operation);
  }

  /** All operations below `operation`, itself first, in pre-order; safe against changes during iteration. */
  walk(operation: DraftOperation): readonly DraftOperation[] {
    return operationsIn(operation);
  }
}
