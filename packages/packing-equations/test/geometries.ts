import fc from 'fast-check';
import type { Geometry } from '../src/index.ts';

/** The example of ST, Listing 1: 1x32x152x152, 256 filters of 3x3, strides of 2. */
export const paperGeometry: Geometry = {
  inputWidth: 152,
  outputWidth: 75,
  filterHeight: 3,
  filterWidth: 3,
  strideH: 2,
  strideW: 2,
  dilationH: 1,
  dilationW: 1,
};

/** Geometries with rows of up to 12 windows, some input columns unused. */
export const geometries: fc.Arbitrary<Geometry> = fc
  .record({
    outputWidth: fc.integer({ min: 1, max: 12 }),
    filterHeight: fc.integer({ min: 1, max: 4 }),
    filterWidth: fc.integer({ min: 1, max: 4 }),
    strideH: fc.integer({ min: 1, max: 3 }),
    strideW: fc.integer({ min: 1, max: 3 }),
    dilationH: fc.integer({ min: 1, max: 3 }),
    dilationW: fc.integer({ min: 1, max: 3 }),
    spare: fc.nat(2),
  })
  .map(({ spare, ...g }) => ({
    ...g,
    inputWidth: (g.outputWidth - 1) * g.strideW + (g.filterWidth - 1) * g.dilationW + 1 + spare,
  }));
