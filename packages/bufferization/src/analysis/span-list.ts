/** Items located in the text of a function, searchable by span. */
import type { Span } from './execution-order.ts';

interface Entry<T> extends Span {
  readonly item: T;
}

/** A list that finds the items that overlap a span without scanning all of them. */
export class SpanList<T> {
  /** The entries sorted by first position, and again by last position. */
  private readonly byFirst: Entry<T>[] = [];
  private readonly byLast: Entry<T>[] = [];

  get size(): number {
    return this.byFirst.length;
  }

  add(item: T, { first, last }: Span): void {
    const entry = { item, first, last };
    this.byFirst.splice(countBelow(this.byFirst, 'first', first), 0, entry);
    this.byLast.splice(countBelow(this.byLast, 'last', last), 0, entry);
  }

  addAll(other: SpanList<T>): void {
    for (const entry of other.byFirst) this.add(entry.item, entry);
  }

  /** Whether any item passes the test. */
  some(test: (item: T, span: Span) => boolean): boolean {
    return this.byFirst.some((entry) => test(entry.item, entry));
  }

  /** Whether any item that overlaps `span` passes the test. */
  someIn(span: Span, test: (item: T) => boolean): boolean {
    // Those that begin before its end, or those that end after its start: whichever are fewer.
    const begun = countBelow(this.byFirst, 'first', span.last + 1);
    const over = countBelow(this.byLast, 'last', span.first);
    if (begun <= this.size - over) {
      for (let i = 0; i < begun; i++) {
        const { item, last } = this.byFirst[i]!;
        if (last >= span.first && test(item)) return true;
      }
      return false;
    }
    for (let i = over; i < this.size; i++) {
      const { item, first } = this.byLast[i]!;
      if (first <= span.last && test(item)) return true;
    }
    return false;
  }
}

/** How many entries of a sorted list have `end` below the limit. */
const countBelow = (entries: readonly Span[], end: keyof Span, limit: number): number => {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]![end] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
};
