/** Records what an edit does while it does it, for its `Forward`. */
import type { Forward, Move } from './forward.ts';
import { follow, resolveBelow } from './forward.ts';
import { IdTable } from './id-table.ts';
import type { Id } from './operation.ts';

/**
 * What became of ids, put down as it comes: a large edit has much to say, and often nobody asks. Later entries of an id
 * stand, where the first one stood.
 */
class IdLog {
  private readonly ids: Id[] = [];
  private readonly entries: (readonly Id[])[] = [];
  private readonly map = new Map<Id, readonly Id[]>();
  /** How many of the entries are in the map. */
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
  /** The first id that the edit gives: what is below was there before it. */
  private readonly firstId: Id;
  private readonly operations = new IdLog();
  private readonly values = new IdLog();
  /** What took over all uses of a value, for when the value itself goes. */
  private readonly successors = new IdTable<Id>();
  /** Moves: an operation, from below which one, to below which one. */
  private readonly moves: { readonly id: Id; readonly from: Id; readonly to: Id }[] = [];
  private readonly changes: Id[] = [];

  constructor(firstId: Id) {
    this.firstId = firstId;
  }

  /** An operation is gone, and these stand for it; none for one that was erased. */
  replaced(operation: Id, by: readonly Id[]): void {
    this.operations.add(operation, by);
  }

  /** All uses of a value are uses of `by` now. */
  succeeded(value: Id, by: Id): void {
    this.successors.set(value, by);
  }

  /** A value is gone: what took over its uses stands for it, nothing if it had none. */
  valueGone(value: Id): void {
    const successor = this.successors.get(value);
    this.values.add(value, successor === undefined ? noIds : [successor]);
  }

  /** An operation went from below one to below another. */
  moved(id: Id, from: Id, to: Id): void {
    this.moves.push({ id, from, to });
  }

  /** The operands, attributes or blocks of an operation are others now. */
  changed(operation: Id): void {
    this.changes.push(operation);
  }

  /** What stands for an operation at this point; itself if it was not replaced. */
  standsFor(operation: Id): readonly Id[] {
    return follow(this.operations.byId, operation);
  }

  /** What stands for a value at this point; itself if it was not replaced. */
  standsForValue(value: Id): readonly Id[] {
    return follow(this.values.byId, value);
  }

  /** What was done so far, `nextId` being the first id that is free. */
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
