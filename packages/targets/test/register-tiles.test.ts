import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  avx2,
  avx512,
  derive,
  divideForMatrix,
  divideTile,
  modelledSpeeds,
  sme,
  tileUnit,
  wasm,
  zen4,
  type RegisterTile,
  type StepSpeeds,
  type TileDivision,
  type TileShape,
} from '../src/index.ts';
import { arbitrarySpeeds, arbitraryTile } from './support.ts';

const sizeOf = ({ windows, filters }: TileShape): string => `${windows}x${filters}`;

/** The passes' sizes, with what is beside them, and the lanes where they are not along the windows. */
const shown = ({ lanes, passes }: TileDivision): string =>
  [
    ...(lanes === 'windows' ? [] : [`${lanes}:`]),
    ...passes.map((pass) => (pass.beside ? `${sizeOf(pass)}+${sizeOf(pass.beside)}` : sizeOf(pass))),
  ].join(' ');

/** How many register tiles compute each output, row by row. */
const coverage = ({ passes }: TileDivision, { windows, filters }: TileShape): readonly number[] => {
  const covered = new Array<number>(windows * filters).fill(0);
  const visit = (tile: RegisterTile): void => {
    for (let f = tile.firstFilter; f < tile.firstFilter + tile.filters; f += 1)
      for (let w = tile.firstWindow; w < tile.firstWindow + tile.windows; w += 1) {
        expect(w).toBeLessThan(windows);
        covered[f * windows + w]! += 1;
      }
  };
  for (const pass of passes) for (const tile of [pass, ...(pass.beside ? [pass.beside] : [])]) visit(tile);
  return covered;
};

/** Tables as they are, and as code through the vector dialect uses them. */
const arbitraryUnit: fc.Arbitrary<StepSpeeds & { readonly lanes: number }> = fc
  .tuple(
    arbitrarySpeeds,
    fc.record(
      {
        lastVector: fc.constantFrom<'partial' | 'overlapping'>('partial', 'overlapping'),
        transposedSquare: fc.constant(4),
        lastWindowCycles: fc.integer({ min: 1, max: 9 }),
        registers: fc.integer({ min: 4, max: 32 }),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([speeds, more]) => ({ ...speeds, ...more }));

describe('register tiles', () => {
  it('cover a tile once', () => {
    fc.assert(
      fc.property(arbitraryUnit, arbitraryTile, (unit, tile) => {
        const covered = coverage(divideTile(unit, tile, { lanes: unit.lanes }), tile);
        expect(covered).toEqual(covered.map(() => 1));
      }),
    );
  });

  it('are all in the table, and no slower than equal ones', () => {
    fc.assert(
      fc.property(arbitrarySpeeds, arbitraryTile, (speeds, tile) => {
        const { lanes, stepCycles } = speeds;
        const { windows, filters } = tile;
        const cycles = divideTile(speeds, tile, { lanes }).passes.reduce(
          (sum, pass) =>
            sum + (stepCycles[Math.ceil(pass.windows / lanes) - 1]?.[pass.filters - 1] ?? Infinity),
          0,
        );
        expect(cycles).toBeLessThan(Infinity);
        stepCycles.forEach((row, i) => {
          row.forEach((each, j) => {
            const [across, down] = [windows / ((i + 1) * lanes), filters / (j + 1)];
            if (Number.isInteger(across) && Number.isInteger(down))
              expect(cycles).toBeLessThanOrEqual(across * down * each);
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
        const tile = { windows: 4 * (i + 1), filters: j + 1 };
        const { passes } = divideTile({ stepCycles: table }, tile, { lanes: 4 });
        expect(passes).toEqual([{ firstWindow: 0, firstFilter: 0, ...tile }]);
      }),
    );
  });

  it.each([
    [8, 5, '8x5'],
    [12, 3, '12x3'],
    [4, 7, '4x7'],
    [1, 1, '1x1'],
    [7, 5, '7x5'],
    // A remainder is slower than equal parts.
    [8, 6, '8x3 8x3'],
    [8, 10, '8x5 8x5'],
    // ST Listing 9.
    [16, 8, '8x4 8x4 8x4 8x4'],
    [20, 5, '8x5 8x5 4x5'],
    [4, 13, '4x7 4x6'],
    [64, 1, '16x1 16x1 16x1 16x1'],
  ])('divide %i x %i on wasm into %s', (windows, filters, tiles) => {
    expect(shown(divideTile(wasm.speeds!, { windows, filters }, { lanes: 4 }))).toBe(tiles);
  });

  it.each([
    [avx2, 24, 4, '24x4'],
    [avx2, 16, 8, '16x4 16x4'],
    // The last vector lies over its predecessor.
    [avx2, 20, 4, '20x4'],
    [avx2, 49, 8, '24x4 24x4 24x3+1x8 24x3 24x2'],
    [avx2, 4, 24, 'filters: 4x24'],
    [avx512, 16, 24, '16x24'],
    // As fast in parts, by the table: the fewest passes.
    [zen4, 48, 8, '48x8'],
    [zen4, 49, 16, '48x8+1x16 48x8'],
  ])('divide a tile of $1 x $2 into $3 on $0.name', (target, windows, filters, tiles) => {
    const { bits, speeds } = tileUnit(target)!;
    expect(shown(divideTile(speeds, { windows, filters }, { lanes: bits / 32 }))).toBe(tiles);
  });

  it.each([
    [3, '4x4+1x4'],
    // As fast as a vector of its own.
    [4, '5x4'],
    [5, '5x4'],
  ])('have the last window beside them where it takes %d cycles, less than a vector: %s', (cycles, tiles) => {
    const stepCycles = [1, 2].map((vectors) => [1, 2, 3, 4].map((filters) => vectors * filters));
    const speeds: StepSpeeds = { stepCycles, registers: 16, lastWindowCycles: cycles };
    expect(shown(divideTile(speeds, { windows: 5, filters: 4 }, { lanes: 4 }))).toBe(tiles);
  });

  it('have lanes along the filters where the transposition is worth it', () => {
    const lanesOf = (steps?: number): string =>
      divideTile(avx2.speeds!, { windows: 4, filters: 24 }, { lanes: 8, ...(steps && { steps }) }).lanes;
    expect([lanesOf(), lanesOf(100), lanesOf(8)]).toEqual(['filters', 'filters', 'windows']);
    const along = { lanes: 8, along: 'windows' } as const;
    expect(shown(divideTile(avx2.speeds!, { windows: 4, filters: 24 }, along))).toBe('4x12 4x12');
  });

  it('have room for the sums, the vectors and a filter where no speeds are measured', () => {
    fc.assert(
      fc.property(fc.integer({ min: 9, max: 64 }), arbitraryTile, (registers, tile) => {
        const speeds = modelledSpeeds({ registers, units: 2 });
        const { lanes, passes } = divideTile(speeds, tile, { lanes: 4 });
        for (const { windows, filters } of passes) {
          const [along, across] = lanes === 'windows' ? [windows, filters] : [filters, windows];
          const vectors = Math.ceil(along / (along < 4 ? 2 ** Math.floor(Math.log2(along)) : 4));
          expect(vectors * across + vectors + 1).toBeLessThanOrEqual(registers);
        }
      }),
    );
  });

  it.each([
    // Bound by the multiply-adds, the loads, and the latency.
    [{ units: 1 }, 4.25, 8.25],
    [{ units: 4 }, 4.25, 4.25],
    [{ units: 4, loads: 1 }, 5.25, 6.25],
    [{ units: 4, latency: 9 }, 9.25, 9.25],
  ])('take the cycles of the tightest bound: %o', (unit, one, two) => {
    const { stepCycles } = modelledSpeeds({ registers: 32, ...unit });
    expect([stepCycles[0]![3], stepCycles[1]![3]]).toEqual([one, two]);
  });

  it('follow the speeds of a derived target', () => {
    const derived = derive(avx2, (draft) => {
      draft.speeds!.stepCycles = [[4, 4, 4]];
    });
    const { speeds } = tileUnit(derived)!;
    expect(shown(divideTile(speeds, { windows: 16, filters: 6 }, { lanes: 8 }))).toBe('8x3 8x3 8x3 8x3');
    const { speeds: modelled } = tileUnit({ machine: avx512.machine })!;
    expect(modelled).toEqual(modelledSpeeds(avx512.machine.vector!));
    expect(tileUnit({ machine: {} })).toBeUndefined();
  });
});

describe('accumulators of a matrix unit', () => {
  const mma = { accumulators: 8, rows: 4, columns: 4 };
  it.each([
    [mma, 16, 8, '16x8'],
    [mma, 16, 16, '16x8 16x8'],
    [mma, 32, 8, '16x8 16x8'],
    // As large as 8x4 accumulators by rows, and fewer loads than 4x8 by columns.
    [mma, 32, 32, '16x8 16x8 16x8 16x8 16x8 16x8 16x8 16x8'],
    [sme.machine.matrix!, 32, 32, '32x32'],
    [mma, 16, 6, undefined],
    [mma, 6, 16, undefined],
  ])('%o hold %i x %i in %s', (unit, windows, filters, tiles) => {
    const division = divideForMatrix(unit, { windows, filters });
    expect(division?.passes.map(sizeOf).join(' ')).toBe(tiles);
    if (division !== undefined) expect(division.lanes).toBe('both');
  });
});
