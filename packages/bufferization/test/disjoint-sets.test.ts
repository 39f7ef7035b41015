import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Value } from '@sconv/ir';
import { indexType } from '@sconv/ir';
import { DisjointSets } from '../src/analysis/disjoint-sets.ts';

it('joins as the transitive closure of the pairs does, with what is known of each', () => {
  const values = Array.from({ length: 8 }, (_, id): Value => ({ id, type: indexType }));
  const value = fc.nat({ max: 7 });
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value), { maxLength: 12 }), (pairs) => {
      const sets = new DisjointSets(
        ({ id }) => ({ sum: id }),
        (into, other) => {
          into.sum += other.sum;
        },
      );
      const labels = values.map((_, i) => i);
      for (const [a, b] of pairs) {
        sets.join(values[a]!, values[b]!);
        const [from, to] = [labels[a]!, labels[b]!];
        labels.forEach((label, i) => {
          if (label === from) labels[i] = to;
        });
      }
      for (const each of values) {
        const expected = values.filter((other) => labels[other.id] === labels[each.id]);
        expect(new Set(sets.members(each))).toEqual(new Set(expected));
        expect(sets.data(each)).toEqual({ sum: expected.reduce((sum, { id }) => sum + id, 0) });
        for (const other of values) expect(sets.areJoined(each, other)).toBe(expected.includes(other));
      }
    }),
  );
});
