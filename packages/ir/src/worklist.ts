import { IdTable } from './id-table.ts';
import type { Id } from './operation.ts';

/** A worklist: last in, first out, without duplicates. */
export class Worklist<T extends { readonly id: Id }> {
  /** Removed items leave holes. */
  private readonly stack: (T | undefined)[] = [];
  private positions = new IdTable<number>();

  /** Adds an item, unless it is present. */
  push(item: T): void {
    if (this.positions.get(item.id) !== undefined) return;
    this.positions.set(item.id, this.stack.push(item) - 1);
  }

  /** Removes the next item; undefined if there is none. */
  pop(): T | undefined {
    while (this.stack.length > 0) {
      const item = this.stack.pop();
      if (item === undefined) continue;
      this.positions.delete(item.id);
      return item;
    }
    return undefined;
  }

  remove(item: T): void {
    const position = this.positions.get(item.id);
    if (position === undefined) return;
    this.stack[position] = undefined;
    this.positions.delete(item.id);
  }

  clear(): void {
    if (this.stack.length === 0) return;
    this.stack.length = 0;
    this.positions = new IdTable();
  }
}
