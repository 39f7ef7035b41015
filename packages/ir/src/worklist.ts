/** What is still to be looked at: the last that was added comes first, and everything stands there once. */
export class Worklist<T> {
  /** Holes are left by what was removed. */
  private readonly stack: (T | undefined)[] = [];
  private readonly positions = new Map<T, number>();

  /** Adds an item, unless it is there. */
  push(item: T): void {
    if (this.positions.has(item)) return;
    this.positions.set(item, this.stack.push(item) - 1);
  }

  /** Takes the next item; undefined if there is none. */
  pop(): T | undefined {
    while (this.stack.length > 0) {
      const item = this.stack.pop();
      if (item === undefined) continue;
      this.positions.delete(item);
      return item;
    }
    return undefined;
  }

  remove(item: T): void {
    const position = this.positions.get(item);
    if (position === undefined) return;
    this.stack[position] = undefined;
    this.positions.delete(item);
  }

  clear(): void {
    this.stack.length = 0;
    this.positions.clear();
  }
}
