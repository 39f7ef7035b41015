/** Records what an edit does while it does it, for its `Forward`. */
import type { Forward, Move } from './forward.ts';
import { follow, resolveBelow } from './forward.ts';
import type { Id } from './operation.ts';

export class ForwardRecorder {
  /** The first id that the edit gives: what is below was there before it. */
  private readonly firstId: Id;
  private readonly operations = new Map<Id, readonly Id[]>();
  private readonly values = new Map<Id, readonly Id[]>();
  /** What took over all uses of a value, for when the value itself goes. */
  private readonly successors = new Map<Id, Id>();
  private readonly moves = new Map<Id, Move>();
  private readonly changes = new Set<Id>();

  constructor(firstId: Id) {
    this.firstId = firstId;
  }

  /** An operation is gone, and these stand for it; where nothing else is said, an erased one has none. */
  replaced(operation: Id, by: readonly Id[]): void {
    this.operations.set(operation, by);
  }

  erased(operation: Id): void {
    this.replaced(operation, []);
  }

  /** All uses of a value are uses of `by` now. */
  succeeded(value: Id, by: Id): void {
    this.successors.set(value, by);
  }

  /** A value is gone: what took over its uses stands for it, nothing if it had none. */
  valueGone(value: Id): void {
    const successor = this.successors.get(value);
    this.values.set(value, successor === undefined ? [] : [successor]);
  }

  /** An operation went from below one to below another. */
  moved(operation: Id, from: Id, to: Id): void {
    this.moves.set(operation, { from: this.moves.get(operation)?.from ?? from, to });
  }

  /** The operands, attributes or blocks of an operation are others now. */
  changed(operation: Id): void {
    this.changes.add(operation);
  }

  /** What stands for an operation at this point; itself if it was not replaced. */
  standsFor(operation: Id): readonly Id[] {
    return follow(this.operations, operation);
  }

  /** What stands for a value at this point; itself if it was not replaced. */
  standsForValue(value: Id): readonly Id[] {
    return follow(this.values, value);
  }

  /** What was done so far, `nextId` being the first id that is free. */
  forward(nextId: Id): Forward {
    const { firstId } = this;
    const operations = resolveBelow(this.operations, firstId);
    const isOldAndThere = (id: Id): boolean => id < firstId && !operations.has(id);
    return {
      created: nextId === firstId ? undefined : { from: firstId, to: nextId },
      operations,
      values: resolveBelow(this.values, firstId),
      moved: new Map([...this.moves].filter(([id]) => isOldAndThere(id))),
      changed: new Set([...this.changes].filter(isOldAndThere)),
    };
  }
}
