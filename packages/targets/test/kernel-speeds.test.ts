import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registerTiles, tileCycles, wasm, type KernelSpeeds, type RegisterTile } from '../src/index.ts';

const shown = (tiles: readonly RegisterTile[]): string =>
  tiles.map((tile) => `${tile.windows}x${tile.filters}`).join(' ');

/** Arbitrary tables, except that each row is at least as long as those below it, as registers dictate. */
const arbitrarySpeeds: fc.Arbitrary<KernelSpeeds> = fc
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

const arbitraryTile = fc.record({
  windows: fc.integer({ min: 1, max: 40 }),
  filters: fc.integer({ min: 1, max: 20 }),
});

/** Cycles of one step. */
const stepCycles = (speeds: KernelSpeeds, tiles: readonly RegisterTile[]): number =>
  tiles.reduce(
    (sum, { windows, filters }) =>
      sum + (speeds.stepCycles[Math.ceil(windows / speeds.lanes) - 1]?.[filters - 1] ?? Infinity),
    0,
  );

describe('register tiles', () => {
  it('cover a tile once, and are all in the table', () => {
    fc.assert(
      fc.property(arbitrarySpeeds, arbitraryTile, (speeds, { windows, filters }) => {
        const tiles = registerTiles(speeds, { windows, filters });
        const covered = new Array<number>(windows * filters).fill(0);
        for (const tile of tiles) {
          for (let f = tile.firstFilter; f < tile.firstFilter + tile.filters; f += 1) {
            for (let w = tile.firstWindow; w < tile.firstWindow + tile.windows; w += 1) {
              expect(w).toBeLessThan(windows);
              covered[f * windows + w] = (covered[f * windows + w] ?? NaN) + 1;
            }
          }
        }
        expect(covered).toEqual(covered.map(() => 1));
        expect(stepCycles(speeds, tiles)).toBeLessThan(Infinity);
      }),
    );
  });

  it('are no slower than equal ones', () => {
    fc.assert(
      fc.property(arbitrarySpeeds, arbitraryTile, (speeds, { windows, filters }) => {
        const best = stepCycles(speeds, registerTiles(speeds, { windows, filters }));
        speeds.stepCycles.forEach((row, i) => {
          row.forEach((cycles, j) => {
            const across = windows / ((i + 1) * speeds.lanes);
            const down = filters / (j + 1);
            if (Number.isInteger(across) && Number.isInteger(down)) {
              expect(best).toBeLessThanOrEqual(across * down * cycles);
            }
          });
        });
      }),
    );
  });

  it('are one where the table has the tile and nothing less is faster', () => {
    fc.assert(
      fc.property(fc.nat(2), fc.nat(2), (i, j) => {
        // Cost of the larger dimension: splitting is slower.
        const table = [0, 1, 2].map((a) => [0, 1, 2].map((b) => 2 + Math.max(a, b)));
        const speeds = { ...wasm.speeds!, stepCycles: table };
        const tile = { windows: 4 * (i + 1), filters: j + 1 };
        expect(registerTiles(speeds, tile)).toEqual([{ firstWindow: 0, firstFilter: 0, ...tile }]);
      }),
    );
  });

  it.each([
    [8, 5, '8x5'],
    [8, 4, '8x4'],
    [12, 3, '12x3'],
    [4, 7, '4x7'],
    [1, 1, '1x1'],
    [7, 5, '7x5'],
    // A remainder is slower than equal parts.
    [8, 6, '8x3 8x3'],
    [8, 8, '8x4 8x4'],
    [8, 10, '8x5 8x5'],
    [16, 4, '8x4 8x4'],
    // ST Listing 9.
    [16, 8, '8x4 8x4 8x4 8x4'],
    [20, 5, '8x5 8x5 4x5'],
    [4, 13, '4x7 4x6'],
    [64, 1, '16x1 16x1 16x1 16x1'],
  ])('divide %i x %i into %s', (windows, filters, tiles) => {
    expect(shown(registerTiles(wasm.speeds!, { windows, filters }))).toBe(tiles);
  });
});

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
        expect(more! - less!).toBe(stepCycles(random, registerTiles(random, tile)));
      }),
    );
  });
});
