/** What may be asked of a draft: operations by id, what defines and uses values, what is inside what. */
import type { OpDefinition } from './define-op.ts';
import type { Draft } from './draft.ts';
import { DraftBlock, DraftOperation } from './draft.ts';
import type { Id, Operation, Value } from './operation.ts';
import { operationsIn } from './operation.ts';
import type { Registry } from './registry.ts';
import { definitionOf } from './registry.ts';

/** Reads the draft of a module until it is closed. */
export class DraftReader {
  /** Undefined once the edit is over: the draft then belongs to the next one. */
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

  /** What the edit knows of operations. */
  get registry(): Registry {
    return this.draft.registry;
  }

  /** The definition of an operation; undefined where the registry has none: then nothing may be assumed of it. */
  definition(operation: Operation): OpDefinition | undefined {
    return definitionOf(this.draft.registry, operation);
  }

  /**
   * The draft of an operation of the module; throws if there is none with this id, and if it has another name: two edits of
   * one module give the same ids to what they create, and an operation of the other may have come here.
   */
  find(operation: Id | Operation): DraftOperation {
    const id = typeof operation === 'number' ? operation : operation.id;
    const found = this.draft.find(id);
    if (found === undefined) throw new Error(`no operation with id ${id} in this module`);
    if (typeof operation !== 'number' && operation.name !== found.name) {
      throw new Error(
        `the operation with id ${id} is '${found.name}' in this module, not '${operation.name}': it is of another one`,
      );
    }
    return found;
  }

  /** Like `find`, undefined where the operation was erased. */
  lookup(id: Id): DraftOperation | undefined {
    return this.draft.find(id);
  }

  /** The operation that a value is a result of; undefined for a block argument. */
  definingOperation(value: Value): DraftOperation | undefined {
    const definition = this.draft.definitionOf(value);
    return definition instanceof DraftOperation ? definition : undefined;
  }

  /** `definingOperation` as a function by itself, for folds. */
  readonly sourceOf = (value: Value): DraftOperation | undefined => this.definingOperation(value);

  /** The block whose argument a value is; undefined for a result. */
  owningBlock(value: Value): DraftBlock | undefined {
    const definition = this.draft.definitionOf(value);
    return definition instanceof DraftBlock ? definition : undefined;
  }

  /** The operations that use a value, each once. */
  users(value: Value): readonly DraftOperation[] {
    return this.draft.usersOf(value);
  }

  hasUses(value: Value): boolean {
    return this.draft.isUsed(value);
  }

  /** Whether `inner` is `outer` or below it. */
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

  /** All operations below `operation`, itself first; safe against changes made while iterating. */
  walk(operation: DraftOperation): readonly DraftOperation[] {
    return operationsIn(operation);
  }
}
