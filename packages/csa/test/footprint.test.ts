import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterFootprint, inputFootprint, outputFootprint } from '../src/footprint.ts';
import { convolution, parseShape, slice, type MicrokernelShape } from '../src/index.ts';
import { paddedInput } from '../src/shape.ts';

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Lines that `bytes` starting at `start` touch. */
const linesOf = (start: number, bytes: number, line: number): number =>
  Math.floor((start + bytes - 1) / line) - Math.floor(start / line) + 1;

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

interface Case {
  readonly channels: number;
  readonly nc: number;
  readonly taps: number;
  readonly windows: number;
  readonly microkernel: MicrokernelShape;
  readonly tiles: number;
  readonly line: number;
  /** Bytes of an element that is not packed; a packed one has 4. */
  readonly bytes: number;
}

const cases: fc.Arbitrary<Case> = fc.record({
  channels: fc.integer({ min: 1, max: 6 }),
  nc: fc.integer({ min: 1, max: 6 }),
  taps: fc.integer({ min: 1, max: 3 }),
  windows: fc.integer({ min: 1, max: 20 }),
  microkernel: fc.record({
    windows: fc.integer({ min: 1, max: 8 }),
    filters: fc.integer({ min: 1, max: 8 }),
  }),
  tiles: fc.integer({ min: 1, max: 3 }),
  line: fc.constantFrom(16, 64),
  bytes: fc.constantFrom(1, 2, 4),
});

const slicedOf = ({ channels, taps, windows, microkernel, bytes }: Case) =>
  slice(
    convolution({
      ...parseShape(`1x${channels}x1x${windows + taps - 1},9x${channels}x1x${taps}`),
      unpackedBytes: { input: bytes, filters: bytes },
    }),
    microkernel,
  );

describe('the filters', () => {
  it('touch as many lines as their segments do on average, wherever a tile begins', () => {
    fc.assert(
      fc.property(cases, (drawn) => {
        const { channels, taps, microkernel, tiles, line, bytes } = drawn;
        const nc = Math.min(drawn.nc, channels);
        const row = bytes * channels * taps;
        const segment = bytes * nc * taps;
        const width = microkernel.filters;
        // Positions repeat after as many rows or segments as a line has bytes.
        const whole = upTo(line).map((tile) => linesOf(tile * width * row, tiles * width * row, line));
        const parts = upTo(line).flatMap((filter) =>
          upTo(line).map((set) => linesOf(filter * row + set * segment, segment, line)),
        );
        const footprint = filterFootprint(slicedOf(drawn), nc, line);
        const expected = nc === channels ? mean(whole) : tiles * width * mean(parts);
        expect(footprint.raw(tiles)).toBeCloseTo(expected, 9);
        expect(footprint.packed).toBe((width * 4 * nc * taps) / line);
        expect(footprint.strided(tiles)).toEqual({
          lines: footprint.raw(tiles),
          stride: row,
          run: footprint.raw(tiles) / (tiles * width),
        });
        // The next set touches again what the segments touch beyond their own bytes.
        const shared = nc === channels ? 0 : expected - (tiles * width * segment) / line;
        expect(footprint.sharedBySets(tiles)).toBeCloseTo(shared, 9);
      }),
    );
  });
});

describe('the output', () => {
  it('touches as many lines as its rows do on average', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 3 }), (drawn, filterTiles) => {
        const { windows, microkernel, tiles, line } = drawn;
        const bytes = 4 * microkernel.windows;
        const rows = upTo(line).flatMap((filter) =>
          upTo(line).map((tile) => linesOf(4 * filter * windows + tile * bytes, tiles * bytes, line)),
        );
        expect(outputFootprint(slicedOf(drawn), line)(tiles, filterTiles)).toBeCloseTo(
          filterTiles * microkernel.filters * mean(rows),
          9,
        );
      }),
    );
  });
});

const inputs = [
  ['1x2x8x16,4x2x1x1', 4, [2.73, 3.7, 4.66]],
  ['1x2x8x16,4x2x1x1', 16, [3.88, 7.75, 11.63]],
  ['1x2x10x18,4x2x3x3', 4, [9.07, 12.16, 15.26]],
  ['1x2x10x18,4x2x3x3', 24, [18.44, 23.25, 23.25]],
  ['1x2x16x66,4x2x3x3', 16, [13.87, 21.46, 29.06]],
  ['1x2x17x33,4x2x3x3,s2', 8, [14.63, 18, 27]],
  ['1x2x16x32,4x2x3x3,p1', 8, [10.77, 15.36, 19.96]],
  ['1x2x16x32,4x2x3x3,d2', 8, [11.91, 16.94, 21.98]],
  ['1x2x40x160,4x2x1x1,s20', 4, [6.5, 13, 19.5]],
] as const;

/** Lines of two channels of a padded input under consecutive windows, averaged over their starts. */
const countedInput = (sliced: ReturnType<typeof slice>, tiles: number, line: number): number => {
  const { shape, windows, microkernel } = sliced;
  const { h, w } = paddedInput(shape);
  const { strides, dilations, outputWidth, filterHeight, filterWidth } = shape;
  const count = tiles * microkernel.windows;
  const starts = upTo(Math.floor((windows - count) / microkernel.windows) + 1);
  const touched = starts.map((start) => {
    const lines = new Set<number>();
    for (const channel of [0, 1])
      for (const window of upTo(count).map((i) => start * microkernel.windows + i))
        for (const fh of upTo(filterHeight))
          for (const fw of upTo(filterWidth)) {
            const row = Math.floor(window / outputWidth) * strides.h + fh * dilations.h;
            const column = (window % outputWidth) * strides.w + fw * dilations.w;
            lines.add(Math.floor((4 * ((channel * h + row) * w + column)) / line));
          }
    return lines.size;
  });
  return mean(touched);
};

describe('the input', () => {
  it.each([
    ['the width of the output', '1x2x10x18,4x2x3x3', 4, 16 / 4],
    ['none with one row of output', '1x2x3x18,4x2x3x3', 4, 0],
    ['none with tiles of whole rows', '1x2x10x18,4x2x3x3', 16, 0],
    ['none without rows in common', '1x2x10x16,4x2x1x1', 4, 0],
    ['none with strides over the filter', '1x2x24x34,4x2x3x3,s3x2', 4, 0],
    ['the width of the output, with a smaller stride', '1x2x24x34,4x2x3x3,s2', 4, 16 / 4],
  ])('has rows in common after %s', (_, shape, windows, rowTiles) => {
    const sliced = slice(parseShape(shape), { windows, filters: 2 });
    expect(inputFootprint(sliced, 2, 64).rowTiles).toBe(rowTiles);
  });

  // Overestimates where windows start at line boundaries; what matters is that plans are ranked by the same measure.
  it.each(inputs)(
    'touches about the lines that it does on average, at most twice as many: %s by %d windows',
    (shape, windows, expected) => {
      const sliced = slice(parseShape(shape), { windows, filters: 2 });
      const footprint = inputFootprint(sliced, 2, 64);
      const raw = [1, 2, 3].map((tiles) => footprint.raw(tiles));
      expect(raw.map((lines) => Number(lines.toFixed(2)))).toEqual(expected);
      raw.forEach((lines, i) => {
        const counted = countedInput(sliced, i + 1, 64);
        expect(lines / counted).toBeGreaterThan(0.8);
        expect(lines / counted).toBeLessThan(2);
      });
    },
  );

  it('is as small in memory as its elements, and packed as those of the sums', () => {
    for (const [shape] of inputs) {
      const fields = { ...parseShape(shape), elementType: 'i32' } as const;
      const of = (each: Parameters<typeof convolution>[0]) =>
        inputFootprint(slice(convolution(each), { windows: 8, filters: 2 }), 2, 64);
      const narrow = of({ ...fields, unpackedBytes: { input: 1, filters: 1 } });
      const [small, large] = [of({ ...fields, elementType: 'i8' }), of(fields)];
      expect([1, 2, 3].map(narrow.raw)).toEqual([1, 2, 3].map(small.raw));
      expect(narrow.packed).toBe(large.packed);
    }
  });
});
