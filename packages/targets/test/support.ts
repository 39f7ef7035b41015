import fc from 'fast-check';
import type { KernelSpeeds } from '../src/index.ts';

/** Arbitrary tables, except that each row is at least as long as those below it, as registers dictate. */
export const arbitrarySpeeds: fc.Arbitrary<KernelSpeeds> = fc
  .record({
    lanes: fc.constantFrom(1, 4, 8),
    rows: fc.array(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 7 }), {
      minLength: 1,
      maxLength: 4,
    }),
    each: fc.integer({ min: 1, max: 4 }),
    always: fc.integer({ min: 1, max: 50 }),
  })
  .map(({ lanes, rows, each, always }) => ({
    lanes,
    stepCycles: rows.toSorted((a, b) => b.length - a.length),
    passCycles: { each, always },
    scalarCycles: 4,
    source: 'a test',
  }));

export const arbitraryTile = fc.record({
  windows: fc.integer({ min: 1, max: 40 }),
  filters: fc.integer({ min: 1, max: 20 }),
});
