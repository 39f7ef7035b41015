import { IdTable } from './id-table.ts';
import type { Id } from './operation.ts';

/** A worklist: last in, first out, without duplicates. */
export class Worklist<T extends { readonly id: Id }> {
  /** Removed items leave holes. The array never shrinks: popping would free it, and pushing copy it to grow again. */
  private readonly stack: (T | undefined)[] = [];
  private size = 0;
  private readonly positions = new IdTable<number>();

  /** Adds an item, unless it is present. */
  push(item: T): void {
    if (this.positions.get(item.id) !== undefined) return;
    this.positions.set(item.id, this.size);
    if (this.size === this.stack.length) this.stack.push(item);
    else this.stack[this.size] = item;
    this.size += 1;
  }

  /** Removes the next item; undefined if there is none. */
  pop(): T | undefined {
    while (this.size > 0) {
      this.size -= 1;
      const item = this.stack[this.size];
      if (item === undefined) continue;
      this.stack[this.size] = undefined;
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
    while (this.pop() !== undefined);
  }
}
