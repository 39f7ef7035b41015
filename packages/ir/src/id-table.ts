/**
 * A map from ids. Ids are assigned in ascending order, so those of a function are close together: pages, created on
 * first write, are cheaper than hashing, and no larger than their contents.
 */
import type { Id } from './operation.ts';

const pageBits = 6;
const pageSize = 1 << pageBits;

export class IdTable<T> {
  private readonly pages: ((T | undefined)[] | undefined)[] = [];

  get(id: Id): T | undefined {
    return this.pages[id >>> pageBits]?.[id & (pageSize - 1)];
  }

  set(id: Id, item: T): void {
    const { pages } = this;
    const position = id >>> pageBits;
    // One after another: an array with a large gap would become a dictionary.
    while (pages.length <= position) pages.push(undefined);
    (pages[position] ??= newPage<T>())[id & (pageSize - 1)] = item;
  }

  delete(id: Id): void {
    const page = this.pages[id >>> pageBits];
    if (page !== undefined) page[id & (pageSize - 1)] = undefined;
  }
}

const emptyPage: readonly undefined[] = Array<undefined>(pageSize).fill(undefined);

// A copy takes a fraction of the time of `fill`.
const newPage = <T>(): (T | undefined)[] => emptyPage.slice();
