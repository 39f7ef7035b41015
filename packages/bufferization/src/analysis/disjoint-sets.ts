/** Union-find over values with data attached to each set: union by size. Asking for members makes no data. */
import type { Id, Value } from '@sconv/ir';

interface DisjointSet<Data> {
  readonly members: Value[];
  readonly data: Data;
}

export class DisjointSets<Data = undefined> {
  private readonly sets = new Map<Id, DisjointSet<Data>>();
  private readonly dataOf: (value: Value) => Data;
  private readonly merge: (into: Data, other: Data) => void;

  /** `dataOf` gives the data of a singleton; `merge` merges the smaller set's data into the larger's. */
  constructor(dataOf: (value: Value) => Data, merge: (into: Data, other: Data) => void) {
    this.dataOf = dataOf;
    this.merge = merge;
  }

  /** All values in the set of `value`, including itself. */
  members(value: Value): readonly Value[] {
    return this.sets.get(value.id)?.members ?? [value];
  }

  /** The data of the set of `value`: one object, shared by all members. */
  data(value: Value): Data {
    return this.setOf(value).data;
  }

  areJoined(a: Value, b: Value): boolean {
    if (a.id === b.id) return true;
    const set = this.sets.get(a.id);
    return set !== undefined && set === this.sets.get(b.id);
  }

  join(a: Value, b: Value): void {
    if (this.areJoined(a, b)) return;
    const [x, y] = [this.setOf(a), this.setOf(b)];
    const [large, small] = x.members.length >= y.members.length ? [x, y] : [y, x];
    this.merge(large.data, small.data);
    for (const value of small.members) {
      large.members.push(value);
      this.sets.set(value.id, large);
    }
  }

  private setOf(value: Value): DisjointSet<Data> {
    let set = this.sets.get(value.id);
    if (set === undefined) {
      set = { members: [value], data: this.dataOf(value) };
      this.sets.set(value.id, set);
    }
    return set;
  }
}
