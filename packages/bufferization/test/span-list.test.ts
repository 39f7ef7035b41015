import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SpanList } from '../src/analysis/span-list.ts';

const span = fc
  .tuple(fc.nat({ max: 20 }), fc.nat({ max: 6 }))
  .map(([first, length]) => ({ first, last: first + length }));
const spans = fc.array(span, { maxLength: 12 });

describe('a list of spans', () => {
  it('shows a test those that meet a span, each once, and no other', () => {
    fc.assert(
      fc.property(spans, spans, span, (left, right, asked) => {
        const [list, more] = [new SpanList<number>(), new SpanList<number>()];
        left.forEach((each, i) => {
          list.add(i, each);
        });
        right.forEach((each, i) => {
          more.add(left.length + i, each);
        });
        list.addAll(more);
        const shown: number[] = [];
        expect(list.someIn(asked, (item) => shown.push(item) === 0)).toBe(false);
        const meeting = [...left, ...right].flatMap(({ first, last }, i) =>
          first <= asked.last && last >= asked.first ? [i] : [],
        );
        expect(shown.toSorted((a, b) => a - b)).toEqual(meeting);
        expect(list.size).toBe(left.length + right.length);
      }),
    );
  });

  it('stops at the first that passes', () => {
    const list = new SpanList<string>();
    list.add('a', { first: 1, last: 2 });
    list.add('b', { first: 2, last: 3 });
    const seen: string[] = [];
    expect(list.someIn({ first: 2, last: 2 }, (item) => seen.push(item) > 0)).toBe(true);
    expect(seen).toHaveLength(1);
    expect(list.some((item, { last }) => item === 'b' && last === 3)).toBe(true);
    expect(list.some((item, { last }) => item === 'a' && last === 3)).toBe(false);
    expect(new SpanList<string>().some(() => true)).toBe(false);
  });
});
