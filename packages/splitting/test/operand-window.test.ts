import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { affineMap, dim, evaluate, makeMap, printMap, substitute } from '@sconv/affine';
import { operandWindow } from '../src/index.ts';
import type { WindowedDimension } from '../src/index.ts';

const maps = [
  affineMap('(d0, d1) -> (d0, (d1 floordiv 7) * 20 + (d1 mod 7) * 2)'),
  affineMap('(d0, d1) -> (d1 * 3 + d0)'),
  affineMap('(d0, d1) -> (d1, d0)'),
  affineMap('(d0, d1) -> (-d1 + 200, d1 ceildiv 2, 5)'),
];
const windows = fc.record({
  map: fc.constantFrom(...maps),
  start: fc.integer({ min: 0, max: 60 }),
  size: fc.integer({ min: 1, max: 30 }),
});

/** The indices into the whole and into the part, at every iteration. */
const visit = (
  map: (typeof maps)[number],
  part: (typeof maps)[number],
  start: number,
  size: number,
  see: (whole: readonly number[], part: readonly number[]) => void,
) => {
  for (let i = 0; i < 4; i += 1)
    for (let j = 0; j < size; j += 1) see(evaluate(map, [i, start + j]), evaluate(part, [i, j]));
};

describe('operandWindow', () => {
  it('takes exactly what is touched, and indexes the part where the map indexed the whole', () => {
    fc.assert(
      fc.property(windows, ({ map, start, size }) => {
        const shape = map.results.map(() => 1000);
        const window = operandWindow({ map, shape, loopRanges: [4, 100], dimension: 1, start, size })!;
        const touched = map.results.map(() => new Set<number>());
        visit(map, window.map, start, size, (whole, part) => {
          expect(part.map((value, k) => window.offsets[k]! + value)).toEqual(whole);
          part.forEach((value, k) => {
            expect(value).toBeLessThan(window.sizes[k]!);
            touched[k]!.add(value);
          });
        });
        // Along the split dimension the slice is minimal.
        map.results.forEach((_, k) => {
          if (window.sizes[k] === shape[k]) return;
          expect(touched[k]!.has(0) && touched[k]!.has(window.sizes[k]! - 1)).toBe(true);
        });
      }),
    );
  });

  it('does not mind which dimension is split', () => {
    const swapped = (map: (typeof maps)[number]) =>
      makeMap(
        2,
        0,
        map.results.map((result) => substitute(result, { dims: [dim(1), dim(0)] })),
      );
    fc.assert(
      fc.property(windows, ({ map, start, size }) => {
        const shape = map.results.map(() => 1000);
        const window = operandWindow({ map, shape, loopRanges: [4, 100], dimension: 1, start, size })!;
        const other = operandWindow({
          map: swapped(map),
          shape,
          loopRanges: [100, 4],
          dimension: 0,
          start,
          size,
        })!;
        expect([other.offsets, other.sizes]).toEqual([window.offsets, window.sizes]);
        expect(printMap(other.map)).toBe(printMap(swapped(window.map)));
      }),
    );
  });

  it('takes whole what does not depend on the dimension', () => {
    const { offsets, sizes, map } = operandWindow({
      map: affineMap('(d0, d1) -> (d0, 2)'),
      shape: [9, 8],
      loopRanges: [4, 100],
      dimension: 1,
      start: 3,
      size: 5,
    })!;
    expect([offsets, sizes, printMap(map)]).toEqual([[0, 0], [9, 8], '(d0, d1) -> (d0, 2)']);
  });

  it.each([
    ['below', '(d0) -> (d0 - 3)', 10, 0],
    ['above', '(d0) -> (d0 + 3)', 10, 5],
    ['where an enclosure does not reach the operand', '(d0) -> ((d0 * 2) mod 3 + d0 mod 2 + 20)', 10, 2],
  ])('is undefined %s of the operand', (_, map, size, start) => {
    expect(
      operandWindow({ map: affineMap(map), shape: [size], loopRanges: [10], dimension: 0, start, size: 5 }),
    ).toBe(undefined);
  });

  it.each([
    ['to its first element', '(d0) -> (d0 - 3)', 10, 3, [0, 5]],
    ['to its last element', '(d0) -> (d0 + 3)', 10, 2, [5, 5]],
  ])('reaches %s', (_, map, size, start, [offset, extent]) => {
    const window = operandWindow({
      map: affineMap(map),
      shape: [size],
      loopRanges: [10],
      dimension: 0,
      start,
      size: 5,
    })!;
    expect([window.offsets, window.sizes]).toEqual([[offset], [extent]]);
  });

  it('is within the operand where what is touched is known as an enclosure only', () => {
    // Too many points to enumerate: 0 to 1999 by interval arithmetic, actually up to 1199.
    const map = affineMap('(d0) -> (d0 mod 1000 - d0 mod 1001 + 1000)');
    const window = operandWindow({
      map,
      shape: [1200],
      loopRanges: [200000],
      dimension: 0,
      start: 5000,
      size: 190000,
    })!;
    expect([window.offsets, window.sizes]).toEqual([[0], [1200]]);
  });

  it('takes nothing for no iterations', () => {
    const window = operandWindow({
      map: affineMap('(d0, d1) -> (d0 + d1)'),
      shape: [9],
      loopRanges: [0, 4],
      dimension: 1,
      start: 2,
      size: 2,
    })!;
    expect([window.offsets, window.sizes]).toEqual([[0], [0]]);
  });

  const possible: WindowedDimension = {
    map: affineMap('(d0, d1) -> (d0 + d1)'),
    shape: [20],
    loopRanges: [10, 5],
    dimension: 0,
    start: 4,
    size: 6,
  };
  it.each<[string, Partial<WindowedDimension>]>([
    ['the map has 1 symbols', { map: affineMap('(d0, d1)[s0] -> (d0 + s0)') }],
    ['2 sizes for a map of 1 results', { shape: [20, 20] }],
    ['1 ranges for a map of 2 dimensions', { loopRanges: [10] }],
    ['-1 is no number', { shape: [-1] }],
    ['1.5 is no number', { loopRanges: [10, 1.5] }],
    ['-2 is no number', { size: -2 }],
    ['-1 is no number', { start: -1 }],
    ['there is no dimension 2 of 2', { dimension: 2 }],
    ['there is no dimension -1 of 2', { dimension: -1 }],
    ['iterations 4 to 11 of 10', { size: 7 }],
  ])('refuses what cannot be: %s', (message, wrong) => {
    expect(operandWindow(possible)?.sizes).toEqual([10]);
    expect(() => operandWindow({ ...possible, ...wrong })).toThrow(new RegExp(`^${message}`));
    expect(() => operandWindow({ ...possible, ...wrong })).toThrow(RangeError);
  });

  it('throws for indices beyond 2^53', () => {
    const map = affineMap('(d0) -> ((d0 + 9007199254740991) mod 3)');
    expect(() =>
      operandWindow({ map, shape: [3], loopRanges: [9], dimension: 0, start: 4, size: 5 }),
    ).toThrow('2^53');
  });
});
