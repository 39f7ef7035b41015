import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extents, footprint } from '../src/index.ts';
import { geometries, paperGeometry } from './geometries.ts';
import { packInput } from './loop-nests.ts';

describe('footprint', () => {
  it('is what the loop nest touches, from any start', () => {
    fc.assert(
      fc.property(geometries, fc.integer({ min: 1, max: 16 }), fc.nat(60), (g, windows, start) => {
        const elements = packInput(g, { channels: 1, windows }, start).map(
          ({ row, column }) => row * g.inputWidth + column,
        );
        const [first, last] = [Math.min(...elements), Math.max(...elements)];
        expect(footprint(g, start, windows)).toEqual({
          first,
          last,
          extent: last - first + 1,
          touched: new Set(elements).size,
        });
      }),
    );
  });

  it('of 16 windows of the paper is 337 elements, or 491 over a row end', () => {
    expect(footprint(paperGeometry, 0, 16)).toEqual({ first: 0, last: 336, extent: 337, touched: 99 });
    expect(footprint(paperGeometry, 64, 16).extent).toBe(491);
  });
});

describe('extents', () => {
  it('are those of all tiles that start in a range', () => {
    expect(extents(paperGeometry, 16, [0, 5568])).toEqual([337, 492]);
    expect(extents(paperGeometry, 16, [0, 60])).toEqual([337, 338]);
    expect(extents(paperGeometry, 1392, [0, 5568])).toEqual([5861, 6016]); // Listing 7, line 6: 5861
  });
});
