import { describe, expect, it } from 'vitest';
import { emitMicrokernel } from '../src/microkernel.ts';
import type { MicrokernelOptions } from '../src/microkernel.ts';
import { planRegisterTiles } from '../src/register-tiles.ts';

/** Values that are not exact in sums, so that the order of the additions shows. */
const inexact = (length: number, seed: number): Float32Array =>
  Float32Array.from({ length }, (_, i) => Math.fround(Math.sin(i * 12.9898 + seed) * 43.7));

/** Runs the kernel with A, B and C at the end of the memory, where a read too far traps. */
const runKernel = (options: MicrokernelOptions, k: number, rowLength: number) => {
  const { windows, filters } = options;
  const sizes = [k * windows, k * filters, (filters - 1) * rowLength + windows] as const;
  const memory = new WebAssembly.Memory({ initial: 2 });
  const compiled = new WebAssembly.Module(emitMicrokernel(options));
  const instance = new WebAssembly.Instance(compiled, { env: { memory } });
  const kernel = instance.exports['microkernel'] as (...values: number[]) => void;
  const before = { a: inexact(sizes[0], 1), b: inexact(sizes[1], 2), c: inexact(sizes[2], 3) };
  const results = (['a', 'b', 'c'] as const).map((last) => {
    // `last` ends the memory.
    const order = (['a', 'b', 'c'] as const).filter((name) => name !== last);
    const address = { a: 0, b: 0, c: 0 };
    let end = memory.buffer.byteLength;
    for (const name of [last, ...order]) {
      end -= before[name].byteLength;
      address[name] = end;
      new Float32Array(memory.buffer, end, before[name].length).set(before[name]);
    }
    kernel(address.a, address.b, address.c, k, rowLength * 4);
    return new Float32Array(memory.buffer, address.c, before.c.length).slice();
  });
  return { ...before, results };
};

/** The definition, in single precision, k innermost. */
const reference = (
  { windows, filters }: MicrokernelOptions,
  k: number,
  rowLength: number,
  a: Float32Array,
  b: Float32Array,
  c: Float32Array,
): Float32Array => {
  const result = c.slice();
  for (let f = 0; f < filters; f += 1) {
    for (let w = 0; w < windows; w += 1) {
      let sum = c[f * rowLength + w] ?? NaN;
      for (let i = 0; i < k; i += 1) {
        const product = Math.fround((a[i * windows + w] ?? NaN) * (b[i * filters + f] ?? NaN));
        sum = Math.fround(sum + product);
      }
      result[f * rowLength + w] = sum;
    }
  }
  return result;
};

const tiles: [number, number][] = [
  [16, 8],
  [16, 2],
  [8, 4],
  [12, 3],
  [4, 6],
  [1, 1],
  [2, 3],
  [3, 2],
  [5, 1],
  [7, 5],
  [9, 9],
  [13, 4],
  [31, 3],
  [32, 16],
];

describe('the microkernel', () => {
  it.each(tiles)('of %d windows x %d filters equals the loop to the last bit', (windows, filters) => {
    for (const k of [0, 1, 2, 17, 72]) {
      const rowLength = windows + 5;
      const { a, b, c, results } = runKernel({ windows, filters }, k, rowLength);
      const expected = reference({ windows, filters }, k, rowLength, a, b, c);
      for (const result of results) expect(result).toEqual(expected);
    }
  });

  it('can be told its register tiles', () => {
    const options = {
      windows: 8,
      filters: 3,
      tiles: [
        { firstWindow: 0, windows: 8, firstFilter: 0, filters: 1 },
        { firstWindow: 0, windows: 3, firstFilter: 1, filters: 2 },
        { firstWindow: 3, windows: 5, firstFilter: 1, filters: 2 },
      ],
    };
    const { a, b, c, results } = runKernel(options, 9, 8);
    expect(results[0]).toEqual(reference(options, 9, 8, a, b, c));
  });

  it('uses relaxed instructions only when asked to', () => {
    const plain = emitMicrokernel({ windows: 8, filters: 4 });
    const relaxed = emitMicrokernel({ windows: 8, filters: 4, relaxed: true });
    const count = (bytes: Uint8Array): number =>
      bytes.filter((byte, i) => byte === 0xfd && bytes[i + 1] === 0x85 && bytes[i + 2] === 0x02).length;
    expect(WebAssembly.validate(plain)).toBe(true);
    expect([count(plain), count(relaxed)]).toEqual([0, 8]);
  });

  it.each([
    [0, 4],
    [4, 0],
    [2.5, 4],
    [-1, 4],
  ])('of %d windows x %d filters is refused', (windows, filters) => {
    expect(() => emitMicrokernel({ windows, filters })).toThrow(RangeError);
  });

  it.each([
    [3, 4],
    [4, 3],
  ])('of 4 windows x 4 filters is refused on panels of %d x %d', (windows, filters) => {
    expect(() => emitMicrokernel({ windows: 4, filters: 4, panels: { windows, filters } })).toThrow(
      new RangeError('panels are at least as wide as the tile'),
    );
  });
});

describe('register tiles', () => {
  it.each(tiles)('cover %d windows x %d filters once', (windows, filters) => {
    for (const relaxed of [false, true]) {
      const covered = new Array<number>(windows * filters).fill(0);
      for (const tile of planRegisterTiles(windows, filters, relaxed)) {
        for (let f = tile.firstFilter; f < tile.firstFilter + tile.filters; f += 1) {
          for (let w = tile.firstWindow; w < tile.firstWindow + tile.windows; w += 1) {
            covered[f * windows + w] = (covered[f * windows + w] ?? NaN) + 1;
          }
        }
      }
      expect(covered).toEqual(covered.map(() => 1));
    }
  });

  // Those that ran fastest; ST Listing 9 has 16x8.
  it.each([
    [16, 8, false, '16x2 16x2 16x2 16x2'],
    [16, 2, false, '16x2'],
    [16, 3, false, '8x3 8x3'],
    [16, 4, false, '16x2 16x2'],
    [12, 3, false, '12x2 12x1'],
    [12, 8, false, '12x2 12x2 12x2 12x2'],
    [8, 4, false, '8x4'],
    [8, 6, false, '8x4 8x2'],
    [4, 6, false, '4x6'],
    [4, 13, false, '4x5 4x5 4x3'],
    [1, 1, false, '1x1'],
    [2, 3, false, '2x3'],
    [20, 5, false, '20x1 20x1 20x1 20x1 20x1'],
    [7, 5, false, '7x4 7x1'],
    [64, 1, false, '24x1 24x1 16x1'],
    [1, 14, false, '1x6 1x6 1x2'],
    [16, 8, true, '16x2 16x2 16x2 16x2'],
    [16, 2, true, '16x2'],
    [16, 3, true, '12x3 4x3'],
    [16, 4, true, '16x2 16x2'],
    [12, 3, true, '12x3'],
    [12, 8, true, '12x3 12x3 12x2'],
    [8, 4, true, '8x4'],
    [8, 6, true, '8x3 8x3'],
    [4, 6, true, '4x6'],
    [4, 13, true, '4x7 4x6'],
    [1, 1, true, '1x1'],
    [2, 3, true, '2x3'],
    [20, 5, true, '12x3 12x2 8x3 8x2'],
    [7, 5, true, '7x3 7x2'],
    [64, 1, true, '24x1 24x1 16x1'],
    [1, 14, true, '1x7 1x7'],
  ])('divide %i x %i, relaxed: %s, into %s', (windows, filters, relaxed, tiles) => {
    const planned = planRegisterTiles(windows, filters, relaxed);
    expect(planned.map((tile) => `${tile.windows}x${tile.filters}`).join(' ')).toBe(tiles);
  });
});
