import { affineMap, symbol } from '@sconv/affine';
import { divideTile, wasm } from '@sconv/targets';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emitMicrokernel } from '../src/index.ts';
import type { MicrokernelOptions } from '../src/index.ts';
import { growthOf } from '../src/tile-row.ts';
import { buffersAfter } from './differential.ts';
import { inexact } from './inexact.ts';

const instantiate = (options: MicrokernelOptions, memory: WebAssembly.Memory) => {
  const module = new WebAssembly.Module(emitMicrokernel(options));
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  return exports['microkernel'] as (...values: number[]) => void;
};

const data = [1, 2, 3].map((seed) => inexact(16_000, seed));

describe('a row of tiles', () => {
  const anyRow = fc.record({
    windows: fc.constantFrom(1, 1, 1, 2, 4, 7, 8, 12),
    filters: fc.constantFrom(1, 2, 3, 4, 4, 8),
    steps: fc.constantFrom(1, 2, 3, 9, 16),
    tiles: fc.integer({ min: 1, max: 19 }),
    moving: fc.constantFrom('filters', 'filters', 'windows', 'neither'),
    overlap: fc.constantFrom(0, 0, 0, 1),
    isStarted: fc.boolean(),
  });

  it('is the calls for its tiles, one after another', () => {
    fc.assert(
      fc.property(anyRow, ({ windows, filters, steps, tiles, moving, overlap, isStarted }) => {
        const own: MicrokernelOptions = { windows, filters, start: isStarted ? 'argument' : 'output' };
        const rowLength = windows * (moving === 'windows' ? tiles : 1) + 3;
        const [a, b] = [4 * steps * windows, 4 * steps * filters];
        const strides = {
          windows: { a, b: 0, c: 4 * windows },
          filters: { a: 0, b, c: 4 * rowLength * (filters - overlap) },
          // Sums of several products, which are added one after another.
          neither: { a: overlap * a, b, c: 0 },
        }[moving];
        const row = { steps, rowBytes: 4 * rowLength, ...strides };
        const outputs = [0, 1].map(() => {
          const memory = new WebAssembly.Memory({ initial: 4 });
          const [a, b, c] = [0, 65_536, 131_072] as const;
          [a, b, c].forEach((address, i) => {
            new Float32Array(memory.buffer, address, 16_000).set(data[i]!);
          });
          return { memory, a, b, c };
        });
        const [one, other] = outputs as [(typeof outputs)[0], (typeof outputs)[0]];
        const start = isStarted ? [0.1] : [];
        // Tiles of several register tiles are refused.
        fc.pre(divideTile(wasm.speeds!, own, { lanes: 4 }).passes.length === 1);
        instantiate({ ...own, row }, one.memory)(one.a, one.b, one.c, tiles, 4 * rowLength, ...start);
        const single = instantiate(own, other.memory);
        for (let tile = 0; tile < tiles; tile += 1) {
          const [a, b, c] = (['a', 'b', 'c'] as const).map((name) => other[name] + tile * row[name]) as [
            number,
            number,
            number,
          ];
          single(a, b, c, steps, 4 * rowLength, ...start);
        }
        expect(Buffer.from(one.memory.buffer).equals(Buffer.from(other.memory.buffer))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('is of one register tile', () => {
    const row = { steps: 1, rowBytes: 64, a: 0, b: 32, c: 512 };
    expect(() => emitMicrokernel({ windows: 8, filters: 8, row })).toThrow(
      new RangeError('the tiles of a row are register tiles'),
    );
  });

  it('has a step', () => {
    const row = { steps: 0, rowBytes: 4, a: 0, b: 0, c: 0 };
    expect(() => emitMicrokernel({ windows: 1, filters: 4, row })).toThrow(RangeError);
  });
});

describe('the growth of an address', () => {
  const row = { position: 1, lower: 10, step: 5, trips: 4, isDone: false };
  it.each<[string, number | undefined]>([
    ['7', 0],
    ['s0 * 3', 0],
    ['s1', 5],
    ['s1 * 3 + s0 - s1', 10],
    ['(s1 floordiv 5) * 1440', 1440],
    ['((s1 + 5) floordiv 5) * 8 + s0 mod 3', 8],
    ['s1 floordiv 10', undefined],
    ['s1 mod 7', undefined],
    // Computed in the body from unknown values.
    ['s2', undefined],
  ])('%s from iteration to iteration', (text, growth) => {
    const [expr] = affineMap(`()[s0, s1, s2] -> (${text})`).results;
    expect(growthOf(expr!, row)).toBe(growth);
  });
  it('is that of the variable', () => {
    expect(growthOf(symbol(1), { ...row, step: 3 })).toBe(3);
  });
});

describe('a loop of microkernels', () => {
  const loop = (
    body: string,
    maps = '(d0) -> (d0 floordiv 4)',
  ): string => `func.func @f(%a: memref<1x9x8xf32>, %b: memref<5x9x4xf32>, %c: memref<1x20x13xf32>) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c20 = arith.constant 20 : index
    %x = arith.constant 0.1 : f32
    scf.for %i = %c0 to %c20 step %c4 {
      %at = affine.apply affine_map<${maps}>(%i)
      %panel = memref.subview %b[%at, 0, 0] [1, 9, 4] [1, 1, 1] : memref<5x9x4xf32> to memref<9x4xf32, strided<[4, 1], offset: ?>>
      %tile = memref.subview %c[0, %i, %c3] [1, 4, 8] [1, 1, 1] : memref<1x20x13xf32> to memref<1x4x8xf32, strided<[260, 13, 1], offset: ?>>
      ${body}
      linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>],
          iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%a, %panel : memref<1x9x8xf32>, memref<9x4xf32, strided<[4, 1], offset: ?>>)
        outs(%tile : memref<1x4x8xf32, strided<[260, 13, 1], offset: ?>>) {
        ^bb0(%p: f32, %q: f32, %r: f32):
          %s = arith.mulf %p, %q : f32
          %t = arith.addf %r, %s : f32
          linalg.yield %t : f32
      }
    }
    return
  }`;
  const fill = 'linalg.fill ins(%x : f32) outs(%tile : memref<1x4x8xf32, strided<[260, 13, 1], offset: ?>>)';
  it.each<[string, string]>([
    ['alone', loop('')],
    ['behind a fill', loop(fill)],
    [
      'behind a fill in some iterations',
      loop(`%is = arith.cmpi eq, %i, %c4 : index\nscf.if %is {\n${fill}\n}`),
    ],
    ['behind a fill that is known', loop(`%is = arith.cmpi eq, %c3, %c4 : index\nscf.if %is {\n${fill}\n}`)],
    ['that store something else', loop('memref.store %x, %c[%c0, %i, %c0] : memref<1x20x13xf32>')],
    ['whose panels lie anywhere', loop('', '(d0) -> ((d0 * 3) mod 5)')],
  ])('%s computes the same', (_, text) => {
    const { onWasm, interpreted } = buffersAfter(text);
    expect(onWasm).toEqual(interpreted);
  });
});
