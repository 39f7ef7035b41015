import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  affineMap,
  compose,
  dim,
  equivalent,
  evaluate,
  makeMap,
  printMap,
  simplify,
  substitute,
  symbol,
} from '@sconv/affine';
import {
  absoluteInputMap,
  absoluteMultipackedInputMap,
  columnInTile,
  edgeTileStart,
  inputTileShape,
  multipackedInputShape,
  multipackedTileStart,
  packedInputShape,
  relativeInputMap,
  relativeMultipackedInputMap,
  rowInputMap,
  tileOffset,
  tileStart,
} from '../src/index.ts';
import { geometries, paperGeometry } from './geometries.ts';
import { packInput } from './loop-nests.ts';

const windowsPerTile = fc.integer({ min: 1, max: 16 });
const starts = fc.nat(60);

describe('shapes', () => {
  it('are those of the paper where its formulas hold', () => {
    const unit = { ...paperGeometry, strideH: 1, strideW: 1, outputWidth: 150 };
    expect(inputTileShape(unit, { channels: 32, windows: 16 })).toEqual([32, 3, 16 + 3 - 1]); // Eq. 4
    expect(packedInputShape(paperGeometry, { channels: 32, windows: 16 })).toEqual([32, 3, 3, 16]); // Eq. 5
    expect(multipackedInputShape(paperGeometry, { channels: 32, windows: 16 }, 87)).toEqual([
      87, 32, 3, 3, 16,
    ]);
  });

  it('of a tile in one row hold exactly what its windows touch', () => {
    fc.assert(
      fc.property(geometries, windowsPerTile, (g, count) => {
        const windows = Math.min(count, g.outputWidth);
        const touched = packInput(g, { channels: 1, windows }, 0);
        const [, rows, columns] = inputTileShape(g, { channels: 1, windows });
        expect(rows).toBe(Math.max(...touched.map(({ row }) => row)) + 1);
        expect(columns).toBe(Math.max(...touched.map(({ column }) => column)) + 1);
      }),
    );
  });
});

describe('the maps of the paper', () => {
  it('Listing 8, line 33: the relative form', () => {
    const map = relativeInputMap(paperGeometry);
    const paper =
      '(d0, d1, d2, d3)[s0] -> (d0, (((d3 + s0) floordiv 75 - s0 floordiv 75) * 2 + d1) * 152 + ((d3 + s0) mod 75 - s0 mod 75) * 2 + d2)';
    expect(printMap(map)).toBe(paper);
  });

  it('Listing 2: the absolute form is the indexing map of the linearised convolution', () => {
    const listing = affineMap(
      '(d0, d1, d2, d3)[s0] -> (d0, (((d3 + s0) floordiv 75) * 2 + d1) * 152 + ((d3 + s0) mod 75) * 2 + d2)',
    );
    expect(printMap(absoluteInputMap(paperGeometry))).toBe(printMap(listing));
  });

  it('Listing 7: where a tile starts', () => {
    const start = simplify(makeMap(1, 0, [tileOffset(paperGeometry, dim(0))]));
    expect(printMap(start)).toBe('(d0) -> (d0 * 2 + (d0 floordiv 75) * 154)');
  });

  it('Eq. 7 uses the dilation of the width', () => {
    expect(String(columnInTile({ ...paperGeometry, dilationH: 5, dilationW: 3 }, dim(0), dim(1)))).toBe(
      'd0 * 2 + d1 * 3',
    );
  });
});

describe('packing as a loop nest does, for any geometry', () => {
  it('in one row (Eqs. 6-8)', () => {
    fc.assert(
      fc.property(geometries, windowsPerTile, (g, count) => {
        const windows = Math.min(count, g.outputWidth);
        for (const { packed, channel, row, column } of packInput(g, { channels: 2, windows }, 0)) {
          expect(evaluate(rowInputMap(g), packed)).toEqual([channel, row * g.inputWidth + column]);
        }
      }),
    );
  });

  it('over row ends, from any start, absolute and relative (Eqs. 9-12)', () => {
    fc.assert(
      fc.property(geometries, windowsPerTile, starts, starts, (g, windows, outer, inner) => {
        const start = evaluate(tileStart(dim(0), dim(1)), [outer, inner]);
        const offset = evaluate(tileOffset(g, dim(0)), [start]);
        for (const { packed, channel, row, column } of packInput(
          g,
          { channels: 1, windows },
          outer + inner,
        )) {
          const element = row * g.inputWidth + column;
          expect(evaluate(absoluteInputMap(g), packed, [start])).toEqual([channel, element]);
          expect(evaluate(relativeInputMap(g), packed, [start])).toEqual([channel, element - offset]);
        }
      }),
    );
  });

  it('many tiles at once (Eqs. 13 and 14)', () => {
    fc.assert(
      fc.property(
        geometries,
        windowsPerTile,
        fc.integer({ min: 1, max: 4 }),
        starts,
        (g, windows, tiles, outer) => {
          const start = evaluate(multipackedTileStart(dim(0)), [outer]);
          const offset = evaluate(tileOffset(g, dim(0)), [start]);
          for (let tile = 0; tile < tiles; tile++) {
            for (const { packed, channel, row, column } of packInput(
              g,
              { channels: 1, windows },
              outer + tile * windows,
            )) {
              const element = row * g.inputWidth + column;
              const point = [tile, ...packed];
              expect(evaluate(absoluteMultipackedInputMap(g, windows), point, [start])).toEqual([
                channel,
                element,
              ]);
              expect(evaluate(relativeMultipackedInputMap(g, windows), point, [start])).toEqual([
                channel,
                element - offset,
              ]);
            }
          }
        },
      ),
    );
  });

  it('in an epilogue that begins in the middle of a row (Eq. 15)', () => {
    fc.assert(
      fc.property(geometries, windowsPerTile, starts, starts, starts, (g, windows, outer, inner, offset) => {
        const start = evaluate(edgeTileStart(dim(0), dim(1), symbol(0)), [outer, inner], [offset]);
        for (const { packed, channel, row, column } of packInput(
          g,
          { channels: 1, windows },
          outer + inner + offset,
        )) {
          expect(evaluate(absoluteInputMap(g), packed, [start])).toEqual([
            channel,
            row * g.inputWidth + column,
          ]);
        }
      }),
    );
  });
});

describe('the relative and the absolute form', () => {
  it('are proved to differ by the tile offset, for all starts and windows', () => {
    fc.assert(
      fc.property(geometries, windowsPerTile, (g, windows) => {
        const shift = (numDims: number, map: ReturnType<typeof relativeInputMap>) => {
          const [channel, element] = map.results;
          if (channel === undefined || element === undefined) throw new Error('two results expected');
          return makeMap(numDims, 1, [channel, add(element, tileOffset(g, symbol(0)))]);
        };
        const single = equivalent(shift(4, relativeInputMap(g)), absoluteInputMap(g));
        const multiple = equivalent(
          shift(5, relativeMultipackedInputMap(g, windows)),
          absoluteMultipackedInputMap(g, windows),
        );
        expect([single, multiple]).toEqual(
          [single, multiple].map(() => ({ equivalent: true, by: 'normal form', points: 0 })),
        );
      }),
    );
  });

  it('agree with packing in one row where no row ends', () => {
    const inOneRow = substitute(relativeInputMap(paperGeometry), { symbols: [75 * 3], numSymbols: 0 });
    const domain = { d3: [0, 75] } as const;
    expect(equivalent(inOneRow, rowInputMap(paperGeometry), { domain })).toMatchObject({
      equivalent: true,
      by: 'normal form',
    });
    expect(equivalent(inOneRow, rowInputMap(paperGeometry), { domain: { d3: [0, 76] } }).equivalent).toBe(
      false,
    );
  });

  it('make multipacking of one tile the packing of a tile', () => {
    const oneTile = compose(
      absoluteMultipackedInputMap(paperGeometry, 16),
      affineMap('(d0, d1, d2, d3) -> (0, d0, d1, d2, d3)'),
    );
    expect(printMap(oneTile)).toBe(printMap(absoluteInputMap(paperGeometry)));
  });
});
