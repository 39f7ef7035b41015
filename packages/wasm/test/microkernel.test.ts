import { describe, expect, it } from 'vitest';
import { emitMicrokernel } from '../src/microkernel.ts';
import type { MicrokernelOptions } from '../src/microkernel.ts';
import { inexact } from './inexact.ts';

/** Runs the kernel with A, B and C at the end of the memory, where an overread traps. */
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
