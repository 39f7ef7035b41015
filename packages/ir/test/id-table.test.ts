import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdTable } from '../src/id-table.ts';

describe('IdTable', () => {
  it('holds what a map holds', () => {
    const step = fc.record({ id: fc.integer({ min: 0, max: 5000 }), item: fc.option(fc.nat()) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const table = new IdTable<number>();
        const map = new Map<number, number>();
        for (const { id, item } of steps) {
          if (item === null) {
            table.delete(id);
            map.delete(id);
          } else {
            table.set(id, item);
            map.set(id, item);
          }
        }
        for (const near of steps.flatMap(({ id }) => [id - 1, id, id + 1]))
          expect(table.get(near)).toBe(map.get(near));
      }),
      { seed: 1 },
    );
  });
});
