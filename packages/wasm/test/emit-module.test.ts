import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emitted, instanceOf } from './emit.ts';
import type { Convolution, Tiling } from './macro-kernel.ts';
import { inexact } from './inexact.ts';
import { arbitraryMacroKernel, convolve, macroKernelText, sizesOf } from './macro-kernel.ts';

const base: Convolution = {
  batch: 1,
  channels: 4,
  filters: 8,
  output: [7, 9],
  kernel: [3, 3],
  stride: [1, 1],
  dilation: [1, 1],
};
const tiles: Tiling = { windows: 8, filters: 4, outerWindows: 16, outerChannels: 4 };

describe('a macro-kernel', () => {
  it.each<[string, Partial<Convolution>, Partial<Tiling>]>([
    ['stride 1', {}, {}],
    ['stride 2', { stride: [2, 2] }, {}],
    ['stride 4 x 1', { stride: [4, 1] }, {}],
    ['stride 3', { stride: [3, 3] }, {}],
    ['rows and columns that no window reaches', { stride: [2, 2], unused: [1, 3] }, {}],
    ['dilation 2', { dilation: [2, 2] }, {}],
    ['stride 2, dilation 3', { stride: [2, 2], dilation: [3, 3] }, {}],
    ['1x1', { kernel: [1, 1] }, {}],
    ['1x1, stride 2', { kernel: [1, 1], stride: [2, 2] }, {}],
    ['5x5', { kernel: [5, 5] }, {}],
    ['7x7', { kernel: [7, 7], output: [9, 7] }, {}],
    ['1x7', { kernel: [1, 7] }, {}],
    ['batch 2', { batch: 2 }, {}],
    ['channels in two tiles', {}, { outerChannels: 2 }],
    ['rows shorter than a tile', { output: [12, 5] }, { windows: 16 }],
    ['one column', { output: [20, 1] }, {}],
    ['one row', { output: [1, 40] }, {}],
    ['a tile of 16x8', { output: [9, 33] }, { windows: 16, filters: 8, outerWindows: 64 }],
    ['a tile of 12x2', { output: [9, 13] }, { windows: 12, filters: 2, outerWindows: 24 }],
    ['a tile of 5x1', {}, { windows: 5, filters: 1, outerWindows: 20 }],
    ['multipacked windows', { output: [8, 9] }, { windowTiles: 2, outerWindows: 32 }],
    [
      'multipacked windows, stride 2',
      { output: [8, 11], stride: [2, 2] },
      { windowTiles: 3, outerWindows: 24 },
    ],
    ['two input indices', { stride: [2, 2] }, { delinearized: true }],
    [
      'two input indices, multipacked',
      { output: [8, 8] },
      { delinearized: true, windowTiles: 2, outerWindows: 32 },
    ],
  ])('equals the convolution to the last bit: %s', (_, conv, tiling) => {
    const shape = { ...base, ...conv };
    const [input, weights, output] = sizesOf(shape);
    const [x, w, expected] = [inexact(input, 1), inexact(weights, 2), inexact(output, 3)] as const;
    const actual = expected.slice();
    convolve(shape, x, w, expected);
    instanceOf(macroKernelText(shape, { ...tiles, ...tiling })).run('conv', x, w, actual);
    expect(actual).toEqual(expected);
  });

  it('equals the convolution for any shape and tiling', () => {
    fc.assert(
      fc.property(arbitraryMacroKernel, ([shape, tiling]) => {
        const [input, weights, output] = sizesOf(shape);
        const [x, w, expected] = [inexact(input, 1), inexact(weights, 2), inexact(output, 3)] as const;
        const actual = expected.slice();
        convolve(shape, x, w, expected);
        instanceOf(macroKernelText(shape, tiling)).run('conv', x, w, actual);
        expect(actual).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});

it.each([
  [16_384, 1],
  [16_385, 2],
  [1_048_592, 65],
])('a module that allocates %i floats asks for a memory of %i pages', (count, pages) => {
  const { bytes } = emitted(`func.func @f() {
    %c0 = arith.constant 0 : index
    %x = arith.constant 1.0 : f32
    %a = memref.alloc() : memref<${count}xf32>
    memref.store %x, %a[%c0] : memref<${count}xf32>
    return
  }`);
  const compiled = new WebAssembly.Module(bytes);
  const instantiated = (initial: number) =>
    new WebAssembly.Instance(compiled, { env: { memory: new WebAssembly.Memory({ initial }) } });
  // Its other imports are missing.
  expect(() => instantiated(pages)).not.toThrow(/memory/);
  expect(() => instantiated(pages - 1)).toThrow(/memory/);
});
