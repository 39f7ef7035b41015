/** Disjoint sets of values, with the members of each at hand: union by size, the smaller list joins the larger. */
import type { Id, Value } from '@sconv/ir';

export class DisjointSets {
  private readonly sets = new Map<Id, Value[]>();

  /** The values in the set of `value`, itself included. */
  members(value: Value): readonly Value[] {
    return this.sets.get(value.id) ?? [value];
  }

  areJoined(a: Value, b: Value): boolean {
    if (a.id === b.id) return true;
    const set = this.sets.get(a.id);
    return set !== undefined && set === this.sets.get(b.id);
  }

  join(a: Value, b: Value): void {
    if (this.areJoined(a, b)) return;
    const [x, y] = [this.setOf(a), this.setOf(b)];
    const [large, small] = x.length >= y.length ? [x, y] : [y, x];
    for (const value of small) {
      large.push(value);
      this.sets.set(value.id, large);
    }
  }

  private setOf(value: Value): Value[] {
    let set = this.sets.get(value.id);
    if (set === undefined) {
      set = [value];
      this.sets.set(value.id, set);
    }
    return set;
  }
}
