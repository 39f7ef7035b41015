/** Records the `Forward` of an edit while it runs. */
import type { Forward, Move } from './forward.ts';
import { follow, resolveBelow } from './forward.ts';
import { IdTable } from './id-table.ts';
import type { Id } from './operation.ts';

/**
 * A log of what ids became: a large edit has many entries, and often nobody reads them. The last entry of an id wins,
 * at the position of the first.
 */
class IdLog {
  private readonly ids: Id[] = [];
  private readonly entries: (readonly Id[])[] = [];
  private readonly map = new Map<Id, readonly Id[]>();
  /** The number of entries already in the map. */
  private mapped = 0;

  add(id: Id, to: readonly Id[]): void {
    this.ids.push(id);
    this.entries.push(to);
  }

  get byId(): ReadonlyMap<Id, readonly Id[]> {
    for (; this.mapped < this.ids.length; this.mapped += 1)
      this.map.set(this.ids[this.mapped]!, this.entries[this.mapped]!);
    return this.map;
  }
}

const noIds: readonly Id[] = Object.freeze([]);

export class ForwardRecorder {
  /** The first id that the edit assigns: lower ones existed before. */
  private readonly firstId: Id;
  private readonly operations = new IdLog();
  private readonly values = new IdLog();
  /** The value that took over all uses of another, for when that other is erased. */
  private readonly successors = new IdTable<Id>();
  /** Moves: an operation, its old parent, its new parent. */
  private readonly moves: { readonly id: Id; readonly from: Id; readonly to: Id }[] = [];
  private readonly changes: Id[] = [];

  constructor(firstId: Id) {
    this.firstId = firstId;
  }

  /** An operation was replaced by these; erased if empty. */
  replaced(operation: Id, by: readonly Id[]): void {
    this.operations.add(operation, by);
  }

  /** All uses of a value now use `by`. */
  succeeded(value: Id, by: Id): void {
    this.successors.set(value, by);
  }

  /** A value was erased: the one that took over its uses replaces it, if any. */
  valueGone(value: Id): void {
    const successor = this.successors.get(value);
    this.values.add(value, successor === undefined ? noIds : [successor]);
  }

  /** An operation moved from one parent to another. */
  moved(id: Id, from: Id, to: Id): void {
    this.moves.push({ id, from, to });
  }

  /** The operands, attributes or blocks of an operation changed. */
  changed(operation: Id): void {
    this.changes.push(operation);
  }

  /** The current replacement of an operation; itself if it was not replaced. */
  standsFor(operation: Id): readonly Id[] {
    return follow(this.operations.byId, operation);
  }

  /** The current replacement of a value; itself if it was not replaced. */
  standsForValue(value: Id): readonly Id[] {
    return follow(this.values.byId, value);
  }

  /** The forward so far; `nextId` is the first free id. */
  forward(nextId: Id): Forward {
    const { firstId } = this;
    const operations = resolveBelow(this.operations.byId, firstId);
    const isOldAndThere = (id: Id): boolean => id < firstId && !operations.has(id);
    const moved = new Map<Id, Move>();
    for (const { id, from, to } of this.moves)
      if (isOldAndThere(id)) moved.set(id, { from: moved.get(id)?.from ?? from, to });
    return {
      created: nextId === firstId ? undefined : { from: firstId, to: nextId },
      operations,
      values: resolveBelow(this.values.byId, firstId),
      moved,
      changed: new Set(this.changes.filter(isOldAndThere)),
    };
  }
}
