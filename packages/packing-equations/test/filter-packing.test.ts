import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate, isPermutation, printMap } from '@sconv/affine';
import {
  filterMultipackingMap,
  filterPackingMap,
  filterTileShape,
  multipackedFilterShape,
  packedFilterShape,
} from '../src/index.ts';
import { paperGeometry } from './geometries.ts';

const sizes = { channels: 32, filters: 8 };

describe('shapes', () => {
  it('are those of the paper', () => {
    expect(filterTileShape(paperGeometry, sizes)).toEqual([8, 32, 3, 3]); // Eq. 1
    expect(packedFilterShape(paperGeometry, sizes)).toEqual([32, 3, 3, 8]); // Eq. 2
    // Listing 8, line 9: 32 tiles of 8 filters.
    expect(filterTileShape(paperGeometry, sizes, 32)).toEqual([256, 32, 3, 3]);
    expect(multipackedFilterShape(paperGeometry, sizes, 32)).toEqual([32, 32, 3, 3, 8]);
  });
});

describe('maps', () => {
  it('are those of the paper', () => {
    expect(printMap(filterPackingMap())).toBe('(d0, d1, d2, d3) -> (d3, d0, d1, d2)');
    expect(isPermutation(filterPackingMap())).toBe(true);
    expect(printMap(filterMultipackingMap(8))).toBe('(d0, d1, d2, d3, d4) -> (d0 * 8 + d4, d1, d2, d3)');
  });

  it('pack as a loop nest does', () => {
    const sizes = fc.record({
      tiles: fc.integer({ min: 1, max: 3 }),
      filters: fc.integer({ min: 1, max: 4 }),
      channels: fc.integer({ min: 1, max: 3 }),
      height: fc.integer({ min: 1, max: 3 }),
      width: fc.integer({ min: 1, max: 3 }),
    });
    fc.assert(
      fc.property(sizes, ({ tiles, filters, channels, height, width }) => {
        // Filters are assigned to tiles in order, and are innermost.
        let next = 0;
        for (let tile = 0; tile < tiles; tile++) {
          const members = Array.from({ length: filters }, () => next++);
          for (let c = 0; c < channels; c++) {
            for (let h = 0; h < height; h++) {
              for (let w = 0; w < width; w++) {
                members.forEach((filter, i) => {
                  expect(evaluate(filterMultipackingMap(filters), [tile, c, h, w, i])).toEqual([
                    filter,
                    c,
                    h,
                    w,
                  ]);
                  if (tile === 0)
                    expect(evaluate(filterPackingMap(), [c, h, w, i])).toEqual([filter, c, h, w]);
                });
              }
            }
          }
        }
      }),
      { numRuns: 50 },
    );
  });
});
