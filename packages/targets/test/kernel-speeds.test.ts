import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divideTile, tileCycles, type KernelSpeeds, type RegisterTile } from '../src/index.ts';
import { arbitrarySpeeds, arbitraryTile } from './support.ts';

/** Cycles of one step. */
const stepCycles = (speeds: KernelSpeeds, tiles: readonly RegisterTile[]): number =>
  tiles.reduce(
    (sum, { windows, filters }) =>
      sum + (speeds.stepCycles[Math.ceil(windows / speeds.lanes) - 1]?.[filters - 1] ?? Infinity),
    0,
  );

describe('the cycles of a microkernel', () => {
  const speeds: KernelSpeeds = {
    lanes: 4,
    stepCycles: [
      [2, 3],
      [4, 5],
    ],
    passCycles: { each: 1, always: 10 },
    scalarCycles: 4,
    source: 'a test',
  };

  it.each([
    // One pass: steps, two vectors by two filters, and the fixed cost.
    [8, 2, 100, 100 * 5 + 4 + 10],
    [8, 2, 0, 14],
    // Fewer windows than lanes take a whole vector.
    [5, 2, 100, 514],
    // 8x2 and 8x1.
    [8, 3, 10, 10 * (5 + 4) + (4 + 2) + 20],
    [12, 2, 10, 10 * (5 + 3) + (4 + 2) + 20],
  ])('of %i x %i in %i steps are %i', (windows, filters, steps, cycles) => {
    expect(tileCycles(speeds, { windows, filters }, steps)).toBe(cycles);
  });

  it('of lanes along the filters are those of swapped roles, and of the transposition', () => {
    const swapped = { ...speeds, passCycles: { ...speeds.passCycles, transposed: 6 } };
    const cycles = tileCycles(swapped, { windows: 2, filters: 8, vectorized: 'filters' }, 100);
    expect(cycles).toBe(tileCycles(speeds, { windows: 8, filters: 2 }, 100) + 4 * 6);
    expect(tileCycles(speeds, { windows: 2, filters: 8, vectorized: 'filters' }, 100)).toBe(514);
  });

  it('of a last window are those of lanes along the filters, where that is measured', () => {
    const measured = {
      ...speeds,
      lastWindowCycles: 0.5,
      transposedSquare: 4,
      passCycles: { ...speeds.passCycles, transposed: 6 },
    };
    const without = tileCycles(measured, { windows: 8, filters: 8 }, 100);
    // Two vectors of filters, and a pass.
    expect(tileCycles(measured, { windows: 9, filters: 8 }, 100)).toBe(without + 2 * (50 + 1 + 6) + 10);
    expect(tileCycles(measured, { windows: 9, filters: 7 }, 100)).toBe(
      tileCycles(speeds, { windows: 9, filters: 7 }, 100),
    );
    expect(tileCycles(speeds, { windows: 9, filters: 8 }, 100)).toBeGreaterThan(without + 2 * 57 + 10);
  });

  it('grow with the steps by those of its register tiles', () => {
    fc.assert(
      fc.property(arbitrarySpeeds, arbitraryTile, fc.nat(1000), (random, tile, steps) => {
        const [more, less] = [steps + 1, steps].map((k) => tileCycles(random, tile, k));
        expect(more! - less!).toBe(
          stepCycles(random, divideTile(random, tile, { lanes: random.lanes }).passes),
        );
      }),
    );
  });
});
