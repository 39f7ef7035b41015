import { Worker } from 'node:worker_threads';
import type { WorkerLike } from '@sconv/backend';
import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { compileConvolution, compileConvolutionAsync, integerData } from '../src/index.ts';
import type { CompiledConvolution, ConvolutionSpec } from '../src/index.ts';
import { isThorough } from './support/thorough.ts';
import { workers } from './support/workers.ts';

const count = (sizes: readonly number[]): number => sizes.reduce((product, size) => product * size, 1);

/** Numbers whose sums are rounded, so that their order shows. */
const fractions = (length: number, seed: number): Float32Array =>
  integerData(length, seed).map((value, i) => value * 0.1 + Math.sin(i));

/** The bits of a result, as they are compared. */
const bitsOf = (elements: Float32Array): Uint32Array => new Uint32Array(elements.slice().buffer);

const specs: fc.Arbitrary<ConvolutionSpec> = fc
  .record({
    batch: fc.integer({ min: 1, max: 6 }),
    channels: fc.integer({ min: 1, max: 64 }),
    output: fc.tuple(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 24 })),
    filters: fc.integer({ min: 1, max: 128 }),
    window: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })),
    strides: fc.tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 3 })),
    dilations: fc.tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 2 })),
    padding: fc.constantFrom<[number, number]>([0, 0], [0, 0], [1, 1], [0, 2]),
    edges: fc.constantFrom('best', 'scalar', 'small', 'composed'),
  })
  .map(({ batch, channels, output, filters, window, strides, dilations, padding, edges }) => {
    const reach = (i: 0 | 1): number =>
      Math.max(1, (output[i] - 1) * strides[i] + (window[i] - 1) * dilations[i] + 1 - 2 * padding[i]);
    const input = [batch, channels, reach(0), reach(1)] as const;
    return {
      input,
      filters: [filters, channels, ...window],
      strides,
      dilations,
      padding,
      edges,
    } as const;
  });

/** Number of convolutions whose code was distributed. */
let shared = 0;
afterAll(() => {
  expect(shared).toBeGreaterThan(isThorough ? 12 : 3);
});

describe('a convolution on several threads', () => {
  it.each([2, 3, 5])('is that of one to the bit: %d', async (threads) => {
    await fc.assert(
      fc.asyncProperty(specs, async (spec) => {
        const one = compileConvolution(spec);
        const several = await compileConvolutionAsync({ ...spec, threads, workers });
        const isShared = !several.warnings.some(({ code }) => code === 'wasm/single-thread');
        shared += isShared ? 1 : 0;
        const [input, filters] = [fractions(count(spec.input), 1), fractions(count(spec.filters), 2)];
        const initial = fractions(count(one.output), 3);
        const expected = bitsOf(one.run(input, filters, { initial }));
        try {
          expect(bitsOf(await several.runAsync(input, filters, { initial }))).toEqual(expected);
          expect(bitsOf(several.run(input, filters, { initial }))).toEqual(expected);
          const bound = several.bind(filters);
          expect(bitsOf(await bound.runAsync(input, { initial }))).toEqual(expected);
          expect(bitsOf(bound.run(input, { initial }))).toEqual(expected);
        } finally {
          several.dispose();
          one.dispose();
        }
      }),
      { numRuns: isThorough ? 15 : 5 },
    );
  });

  const spec = { input: [1, 32, 20, 20], filters: [64, 32, 3, 3], threads: 2 } as const;
  const data = [fractions(count(spec.input), 1), fractions(count(spec.filters), 2)] as const;

  it('is compiled at once as well, its threads beginning meanwhile', async () => {
    const compiled = compileConvolution({ ...spec, workers });
    expect(compiled.warnings).toEqual([]);
    const promised = await compiled.runAsync(...data);
    expect(promised).toEqual(compiled.run(...data));
    compiled.dispose();
    await expect(compiled.runAsync(...data)).rejects.toThrow(/disposed/);
  });

  it('says where there is one thread, and takes that', async () => {
    const compiled: CompiledConvolution = compileConvolution(spec);
    expect(compiled.warnings).toMatchObject([{ code: 'wasm/single-thread' }]);
    expect(await compiled.runAsync(...data)).toEqual(compiled.run(...data));
  });

  const thread = (): Worker => new Worker('setInterval(() => undefined, 1000)', { eval: true });
  it.each<[string, unknown]>([
    ['no function', 5],
    ['nothing', () => undefined],
    ['a Node worker as it is', thread],
    ['a promise', () => Promise.resolve(thread())],
  ])('refuses workers that are %s, and leaves none behind', async (_, given) => {
    const made: Worker[] = [];
    const create = (): unknown => {
      const worker: unknown = (given as () => unknown)();
      void Promise.resolve(worker).then((each) => each instanceof Worker && made.push(each));
      return worker;
    };
    const options = { ...spec, workers: (typeof given === 'function' ? create : given) as () => WorkerLike };
    await expect(compileConvolutionAsync(options)).rejects.toMatchObject({
      diagnostics: [
        { code: 'sconv/option', message: expect.stringMatching(/'workers' .*asWorker/) as string },
      ],
    });
    for (const worker of made) await vi.waitFor(() => expect(worker.threadId).toBe(-1));
  });
});
