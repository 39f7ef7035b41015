import { runInNewContext } from 'node:vm';
import { parseShape } from '@sconv/csa';
import type { ConvolutionShape } from '@sconv/csa';
import { avx2, wasmRelaxed } from '@sconv/targets';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  compileConvolution,
  compileConvolutionAsync,
  compileConvolutions,
  compileModuleSync,
  convolutionPayload,
  integerData,
  referenceConvolution,
  specOfShape,
  unwrap,
  walk,
} from '../src/index.ts';
import type { CompiledConvolution, ConvolutionSpec } from '../src/index.ts';
import { engine } from './support/engine.ts';
import { isThorough } from './support/thorough.ts';

const count = (sizes: readonly number[]): number => sizes.reduce((product, size) => product * size, 1);

/** Integers for input, filters and initial output, and their convolution. */
const dataOf = (spec: ConvolutionSpec, { output }: CompiledConvolution) => {
  const [input, filters, initial] = [spec.input, spec.filters, output].map((sizes, i) =>
    integerData(count(sizes), i),
  ) as [Float32Array, Float32Array, Float32Array];
  const { padding = [0, 0], strides = [1, 1], dilations = [1, 1], groups = 1 } = spec;
  const shape = {
    batch: spec.input[0],
    inputChannels: spec.input[1],
    inputHeight: spec.input[2],
    inputWidth: spec.input[3],
    filters: spec.filters[0],
    filterHeight: spec.filters[2],
    filterWidth: spec.filters[3],
    strides: { h: strides[0], w: strides[1] },
    dilations: { h: dilations[0], w: dilations[1] },
    padding:
      'top' in padding
        ? padding
        : { top: padding[0], bottom: padding[0], left: padding[1], right: padding[1] },
    groups,
  };
  return { input, filters, initial, expected: referenceConvolution(shape, input, filters, initial) };
};

const small = { input: [1, 2, 6, 7], filters: [4, 2, 3, 3] } as const;

describe('a compiled convolution', () => {
  it.each<[string, ConvolutionSpec, readonly number[]]>([
    [
      'stride and dilation',
      { input: [1, 3, 11, 14], filters: [5, 3, 3, 2], strides: [2, 3], dilations: [2, 1] },
      [1, 5, 4, 5],
    ],
    ['a batch', { input: [3, 2, 6, 7], filters: [4, 2, 3, 3] }, [3, 4, 4, 5]],
    ['padding', { ...small, padding: [1, 2] }, [1, 4, 6, 9]],
    [
      'padding of one side',
      { ...small, strides: [2, 1], padding: { top: 1, bottom: 0, left: 0, right: 3 } },
      [1, 4, 3, 8],
    ],
    ['no padding', { ...small, padding: [0, 0], groups: 1 }, [1, 4, 4, 5]],
    ['groups', { input: [2, 6, 5, 7], filters: [9, 2, 3, 2], groups: 3, padding: [1, 0] }, [2, 9, 5, 6]],
    ['a filter for each channel', { input: [2, 5, 6, 6], filters: [5, 1, 3, 3], groups: 5 }, [2, 5, 4, 4]],
    [
      'two for each',
      { input: [1, 4, 6, 6], filters: [8, 1, 3, 3], groups: 4, strides: [2, 1] },
      [1, 8, 2, 4],
    ],
  ])('computes %s', (_, spec, shape) => {
    const compiled = compileConvolution(spec);
    const { input, filters, initial, expected } = dataOf(spec, compiled);
    expect(compiled.output).toEqual(shape);
    expect(compiled.run(input, filters, { initial })).toEqual(expected);
    expect(compiled.run(input, filters, { initial })).toEqual(expected);
    expect(compiled.bind(filters).run(input, { initial })).toEqual(expected);
  });

  const size = (least: number, largest: number) => fc.integer({ min: least, max: largest });
  const anySpec = fc
    .record({
      batch: size(1, 2),
      groups: fc.oneof({ weight: 2, arbitrary: fc.constant(1) }, size(2, 4)),
      channels: size(1, 6),
      filters: size(1, 12),
      image: fc.tuple(size(5, 9), size(5, 9)),
      kernel: fc.tuple(size(1, 3), size(1, 3)),
      strides: fc.tuple(size(1, 2), size(1, 2)),
      dilations: fc.tuple(size(1, 2), size(1, 2)),
      padding: fc.oneof(
        fc.constant([0, 0] as const),
        fc.record({ top: size(0, 2), bottom: size(0, 2), left: size(0, 2), right: size(0, 2) }),
      ),
      edges: fc.constantFrom('scalar' as const, 'small' as const, 'composed' as const, 'best' as const),
      schedule: fc.constantFrom('is' as const, 'ws' as const),
    })
    .map(({ batch, groups, channels, filters, image, kernel, ...options }) => ({
      input: [batch, groups * channels, ...image] as const,
      filters: [groups * filters, channels, ...kernel] as const,
      groups,
      ...options,
    }));

  it('is the convolution, whatever the groups, padding, batch, strides and dilations', () => {
    fc.assert(
      fc.property(anySpec, (spec) => {
        const compiled = compileConvolution(spec);
        const { input, filters, initial, expected } = dataOf(spec, compiled);
        expect(compiled.run(input, filters, { initial })).toEqual(expected);
      }),
      { numRuns: isThorough ? 60 : 20 },
    );
  });

  it('overwrites the output where it is not to be added to', () => {
    fc.assert(
      fc.property(anySpec, (spec) => {
        const compiled = compileConvolution({ ...spec, accumulate: false });
        const { input, filters } = dataOf(spec, compiled);
        const exact = compileConvolution(spec).run(input, filters);
        expect(compiled.run(input, filters)).toEqual(exact);
        const garbage = exact.map(() => NaN);
        expect(compiled.artifact.run('convolve', input, filters, garbage)).toEqual([exact]);
        expect(compiled.bind(filters).run(input)).toEqual(exact);
      }),
      { numRuns: isThorough ? 25 : 10 },
    );
  });

  it('has no plan where it is depthwise', () => {
    const spec = { input: [1, 4, 6, 7], filters: [4, 1, 3, 3], groups: 4 } as const;
    const { plan, artifact } = compileConvolution(spec);
    expect(plan).toBeUndefined();
    const names = [...walk(artifact.stages.scheduled.root)].map(({ name }) => name);
    expect(names).toContain('linalg.depthwise_conv_2d_nchw_chw');
  });

  it('has no initial output where it is not to be added to', () => {
    const compiled = compileConvolution({ ...small, accumulate: false });
    const { input, filters, initial } = dataOf(small, compiled);
    const message = "'initial' is for a convolution that was compiled with accumulate: true";
    expect(() => compiled.run(input, filters, { initial })).toThrow(new TypeError(message));
    expect(() => compiled.bind(filters).run(input, { initial })).toThrow(new TypeError(message));
  });

  it('is the same with filters that are bound, call after call, for any shape', () => {
    fc.assert(
      fc.property(anySpec, (spec) => {
        const compiled = compileConvolution(spec);
        const { input, filters, initial } = dataOf(spec, compiled);
        // Inexact products, so that the order of additions shows.
        const [bits, others] = [0.1, 0.7].map((by) => filters.map((value) => by * value));
        const expected = [bits!, others!].map((each) => compiled.run(input, each, { initial }).slice());
        const bound = [bits!, others!].map((each) => compiled.bind(each));
        for (let times = 0; times < 3; times += 1) {
          expect(bound.map((each) => each.run(input, { initial }).slice())).toEqual(expected);
        }
        expect(compiled.run(input, bits!, { initial })).toEqual(expected[0]);
      }),
      { numRuns: isThorough ? 25 : 10 },
    );
  });

  it('is the same where the thread was not blocked', async () => {
    const compiled = await compileConvolutionAsync(small);
    const { input, filters, expected, initial } = dataOf(small, compiled);
    expect(compiled.run(input, filters, { initial })).toEqual(expected);
    expect(compiled.plan).toEqual(compileConvolution(small).plan);
  });

  it('adds to zero where nothing else is said', () => {
    const compiled = compileConvolution({ input: [1, 1, 1, 2], filters: [1, 1, 1, 1] });
    const [input, filters] = [Float32Array.of(1, 2), Float32Array.of(3)];
    const bound = compiled.bind(filters);
    filters[0] = 5;
    expect([compiled.run(input, filters), bound.run(input)]).toEqual([
      Float32Array.of(5, 10),
      Float32Array.of(3, 6),
    ]);
    bound.dispose();
    bound.dispose();
    expect(() => bound.run(input)).toThrow('disposed');
    expect(compiled.run(input, filters)).toEqual(Float32Array.of(5, 10));
    compiled.dispose();
    compiled.dispose();
    expect(() => compiled.run(input, filters)).toThrow('disposed');
    expect(() => compiled.bind(filters)).toThrow('disposed');
  });

  it.each(['is', 'ws'] as const)('has the schedule that is forced: %s', (schedule) => {
    expect(compileConvolution({ ...small, schedule }).plan).toMatchObject({ schedule, forced: true });
  });
  it('is planned by the cost model that is named', () => {
    // If everything fits the caches, the models choose differently.
    const spec = { input: [1, 1, 6, 6], filters: [20, 1, 3, 3] } as const;
    const scheduleBy = (costModel: 'sc' | 'traffic') =>
      compileConvolution({ ...spec, costModel }).plan?.schedule;
    expect([scheduleBy('sc'), scheduleBy('traffic')]).toEqual(['is', 'ws']);
  });
  it('has the edges that are named', () => {
    // 13 windows and 13 filters fill no tile.
    const spec = { input: [1, 2, 15, 3], filters: [13, 2, 3, 3] } as const;
    const kernels = (edges: 'small' | 'scalar') => {
      const { scheduled } = compileConvolution({ ...spec, edges }).artifact.stages;
      return [...walk(scheduled.root)].filter(({ attributes }) => 'microkernel' in attributes).length;
    };
    expect(kernels('small')).toBeGreaterThan(kernels('scalar'));
  });
});

it('has a heap of the size that is named', async () => {
  for (const compiled of [
    compileConvolution({ ...small, heapBytes: 0 }),
    await compileConvolutionAsync({ ...small, heapBytes: 2 ** 20 }),
    ...(await compileConvolutions([{ ...small, heapBytes: 2 ** 21 }])),
  ]) {
    const { buffer, byteOffset } = compiled.artifact.allocate('f32', 0);
    const [heap, page] = [buffer.byteLength - byteOffset, 65_536];
    expect([0, 2 ** 20, 2 ** 21].some((bytes) => heap >= bytes && heap < bytes + page)).toBe(true);
  }
});

describe('what cannot be compiled', () => {
  it('for a target that no backend serves', () => {
    expect(() => compileConvolution({ ...small, target: avx2 })).toThrow(
      "no backend generates code for target 'avx2' (x86-64); served are wasm, wasm-relaxed [backend/no-backend]",
    );
  });
  it('on an engine without what the target has', () => {
    const validate = vi.spyOn(engine, 'validate').mockReturnValue(false);
    onTestFinished(() => {
      validate.mockRestore();
    });
    expect(() => compileConvolution({ ...small, target: wasmRelaxed })).toThrow('[wasm/no-relaxed-simd]');
  });
  it('once the caller stops it', async () => {
    const stopped = { ...small, signal: AbortSignal.abort() };
    expect(() => compileConvolution(stopped)).toThrow('[sconv/aborted]');
    await expect(compileConvolutionAsync(stopped)).rejects.toThrow('[sconv/aborted]');
    const later = new AbortController();
    const compiling = compileConvolutions([{ ...small, signal: later.signal }]);
    later.abort();
    await expect(compiling).rejects.toThrow('[sconv/aborted]');
  });
  it('is refused in the promise, too', async () => {
    await expect(compileConvolutionAsync({ ...small, target: avx2 })).rejects.toThrow('backend/no-backend');
    const wrong = { ...small, groups: 2 };
    await expect(compileConvolutionAsync(wrong)).rejects.toThrow('do not fit 2 groups of 1');
  });
});

it('the payload can be compiled with another schedule', () => {
  const spec: ConvolutionSpec = { ...small, padding: [1, 0] };
  const { input, filters, initial, expected } = dataOf(spec, compileConvolution(spec));
  const compiled = unwrap(compileModuleSync(convolutionPayload(spec), { schedule: 'ws' }));
  expect(compiled.run('convolve', input, filters, initial)).toEqual([expected]);
  expect(() => convolutionPayload({ ...spec, groups: 4 })).toThrow("'groups' of 4 do not divide 2 channels");
});

describe('compileConvolutions', () => {
  const specs: readonly ConvolutionSpec[] = [
    { input: [1, 3, 7, 7], filters: [5, 3, 3, 3] },
    { input: [2, 4, 6, 6], filters: [4, 2, 1, 1], groups: 2, accumulate: false },
    { input: [1, 3, 7, 7], filters: [5, 3, 3, 3], padding: [1, 1], strides: [2, 2] },
  ];

  it('compiles several as one module, each with its own shape and plan', async () => {
    const together = await compileConvolutions(specs);
    expect(new Set(together.map(({ functionName }) => functionName)).size).toBe(3);
    expect(together[0]?.artifact.emitted).toBe(together[1]?.artifact.emitted);
    for (const [i, each] of together.entries()) {
      const alone = compileConvolution(specs[i]!);
      const { input, filters } = dataOf(specs[i]!, each);
      expect(each.run(input, filters)).toEqual(alone.run(input, filters));
      expect(each.plan).toEqual(alone.plan);
      expect(each.output).toEqual(alone.output);
    }
  });

  it('gives up the code with the last of them', async () => {
    const [first, second] = await compileConvolutions(specs);
    first!.dispose();
    first!.dispose();
    const { input, filters } = dataOf(specs[1]!, second!);
    expect(second!.run(input, filters)).toHaveLength(2 * 4 * 36);
    second!.dispose();
  });

  it('one that was disposed of is of no more use, nor are its bindings', async () => {
    const [first, second] = await compileConvolutions(specs);
    const { input, filters } = dataOf(specs[0]!, first!);
    const bound = first!.bind(filters);
    first!.bind(filters).dispose();
    const pending = [first!.runAsync(input, filters), bound.runAsync(input)];
    first!.dispose();
    for (const call of pending) await expect(call).rejects.toThrow('was disposed of');
    const uses = [
      () => first!.run(input, filters),
      () => first!.bind(filters),
      () => bound.run(input),
      () => first!.artifact.allocate('f32', 1),
      () => first!.artifact.call(first!.functionName, input, filters, new Float32Array(125)),
    ];
    for (const use of uses) expect(use).toThrow('the convolution was disposed of; compile it again');
    await expect(first!.runAsync(input, filters)).rejects.toThrow('the convolution was disposed of');
    await expect(bound.runAsync(input)).rejects.toThrow('the convolution was disposed of');
    bound.dispose();
    const others = dataOf(specs[1]!, second!);
    expect(second!.run(others.input, others.filters)).toHaveLength(2 * 4 * 36);
  });

  it('the bindings of one that is disposed of make room', async () => {
    const spec = { input: [1, 64, 3, 3], filters: [64, 64, 3, 3] } as const;
    const all = await compileConvolutions([spec, spec, spec, spec, spec, spec]);
    const filters = new Float32Array(64 * 64 * 9).fill(1);
    const bindAll = (each: CompiledConvolution): number => {
      let count = 0;
      try {
        for (; ; count += 1) each.bind(filters);
      } catch (problem) {
        expect(problem).toBeInstanceOf(RangeError);
      }
      return count;
    };
    const first = bindAll(all[0]);
    expect([bindAll(all[1]), first > 1]).toEqual([0, true]);
    all[0].dispose();
    expect(bindAll(all[1])).toBe(first);
  });

  it('of none is none', async () => {
    expect(await compileConvolutions([])).toEqual([]);
  });

  it('refuses different targets', async () => {
    const [first, second] = specs as [ConvolutionSpec, ConvolutionSpec];
    await expect(compileConvolutions([first, { ...second, target: wasmRelaxed }])).rejects.toThrow(
      /'target' is the same in all convolutions/,
    );
  });
});

it('takes arrays of another realm, and gives its own', () => {
  const foreign = (text: string): Float32Array => runInNewContext(text) as Float32Array;
  const compiled = compileConvolution({ input: [1, 1, 2, 2], filters: [1, 1, 1, 1] });
  const initial = foreign('Float32Array.of(1, 1, 1, 1)');
  const result = compiled.run(foreign('Float32Array.of(1, 2, 3, 4)'), foreign('Float32Array.of(2)'), {
    initial,
  });
  expect(result).toEqual(Float32Array.of(3, 5, 7, 9));
  expect(result).toBeInstanceOf(Float32Array);
  expect(() => compiled.run(foreign('new Int32Array(4)'), new Float32Array(1))).toThrow('not an Int32Array');
});

describe('specOfShape', () => {
  it.each(['f32', 'f64', 'f16', 'bf16', 'i8'] as const)('has elements of %s', (elementType) => {
    const type = elementType === 'f32' ? '' : `,${elementType}`;
    const spec = specOfShape(parseShape(`1x4x5x6,6x2x3x3,s2x1,p1,g2${type}`));
    expect(spec).toEqual({
      input: [1, 4, 5, 6],
      filters: [6, 2, 3, 3],
      elementType,
      strides: [2, 1],
      dilations: [1, 1],
      padding: { top: 1, bottom: 1, left: 1, right: 1 },
      groups: 2,
    });
    expect(compileConvolution(spec).output).toEqual([1, 6, 3, 6]);
  });
  it.each<[unknown, string]>([
    [undefined, 'expected a shape, as parseShape and convolution give one, not undefined'],
    ['1x1x4x4,1x1x3x3', "as parseShape and convolution give one, not '1x1x4x4,1x1x3x3'"],
    [{ ...parseShape('1x1x4x4,1x1x3x3'), groups: 2 ** 53 }, 'with a positive groups'],
    [{ ...parseShape('1x1x4x4,1x1x3x3'), strides: null }, 'not null'],
    [{ ...parseShape('1x1x4x4,1x1x3x3'), padding: { top: NaN } }, 'with an integer padding.top, not NaN'],
  ])('refuses what is no shape: %j', (shape, message) => {
    const call = () => specOfShape(shape as ConvolutionShape);
    expect(call).toThrow(expect.objectContaining({ code: 'csa/not-a-record' }));
    expect(call).toThrow(message);
  });
  it('refuses elements that are not compiled', () => {
    expect(() => specOfShape(parseShape('1x1x4x4,1x1x3x3,i16'))).toThrow(
      "'i16' is not compiled; f32, f64, f16, bf16, i8 are",
    );
  });
});
