/** Convolutions as layers of models have them: all element types, layouts, biases, residuals and activations. */
import type { Elements } from '@sconv/backend';
import { randomIntegers } from '@sconv/interpreter';
import { findToolchain } from '@sconv/native';
import { avx2, neon } from '@sconv/targets';
import fc from 'fast-check';
import { afterAll, describe, expect, expectTypeOf, it } from 'vitest';
import {
  compileConvolution,
  compileConvolutionAsync,
  compileConvolutions,
  convolve,
  halfBits,
  halfValues,
} from '../src/index.ts';
import type { Activation, CompiledConvolution, ConvolutionElement, ConvolutionSpec } from '../src/index.ts';
import { nodeBackends } from '../src/node.ts';
import { isThorough } from './support/thorough.ts';
import { workers } from './support/workers.ts';

type AnySpec = ConvolutionSpec<ConvolutionElement>;

const hasLlvm = 'paths' in (await findToolchain());
const native = { target: process.arch === 'arm64' ? neon : avx2, backends: nodeBackends } as const;

const count = (sizes: readonly number[]): number => sizes.reduce((product, size) => product * size, 1);
const upTo = (max: number) => fc.integer({ min: 1, max });
const pairOf = (max: number) => fc.tuple(upTo(max), upTo(max));

/** Layers with images from `least`, and channels and filters in multiples of `size`. */
const layersFrom = (least: number, size: number, ...kinds: readonly ('dense' | 'grouped' | 'depthwise')[]) =>
  fc
    .record({
      elementType: fc.constantFrom<ConvolutionElement>('f32', 'f64', 'f16', 'bf16', 'i8'),
      layout: fc.constantFrom('nchw' as const, 'nhwc' as const),
      kind: fc.constantFrom(...kinds),
      batch: upTo(2),
      groups: fc.integer({ min: 2, max: 5 }),
      channels: upTo(6).map((channels) => channels * size),
      filters: upTo(9).map((filters) => filters * size),
      image: fc.tuple(fc.integer({ min: least, max: 2 * least }), fc.integer({ min: least, max: 2 * least })),
      kernel: pairOf(3),
      strides: pairOf(2),
      dilations: pairOf(2),
      padding: fc.oneof(fc.constant([0, 0] as const), fc.tuple(fc.nat(2), fc.nat(2))),
      bias: fc.boolean(),
      residual: fc.boolean(),
      activation: fc.constantFrom<Activation | undefined>(
        undefined,
        'relu',
        'relu6',
        { clamp: [-20, 31] },
        { clamp: [-Infinity, 5] },
      ),
      accumulate: fc.boolean(),
    })
    .map(
      ({
        kind,
        batch,
        channels: perGroup,
        filters,
        image,
        kernel,
        groups: some,
        activation,
        ...others
      }): AnySpec => {
        const { layout } = others;
        // Channels-last there are only single groups and depthwise ones.
        const groups = kind === 'dense' || (kind === 'grouped' && layout === 'nhwc') ? 1 : some;
        const ofGroup = kind === 'depthwise' ? 1 : perGroup;
        const channels = groups * ofGroup;
        const all = groups * (kind === 'depthwise' ? Math.ceil(filters / 3) : filters);
        return {
          ...others,
          groups,
          input: layout === 'nchw' ? [batch, channels, ...image] : [batch, ...image, channels],
          filters: layout === 'nchw' ? [all, ofGroup, ...kernel] : [...kernel, ofGroup, all],
          ...(activation === undefined ? {} : { activation }),
        };
      },
    );

const layers = layersFrom(5, 1, 'dense', 'dense', 'grouped', 'depthwise');

const arrays = { f32: Float32Array, f64: Float64Array, i8: Int8Array, i32: Int32Array };

/** Small integers, so that sums are exact; some that do not fit 8 bits in sums. */
const integers = (length: number, seed: number, size: number): readonly number[] => {
  const next = randomIntegers(seed);
  return Array.from({ length }, () => (next() % (2 * size + 1)) - size);
};

const operand = (elementType: ConvolutionElement, values: readonly number[]): Elements =>
  elementType === 'f16' || elementType === 'bf16'
    ? halfBits(elementType, [...values])
    : arrays[elementType].from(values);

const sums = (elementType: ConvolutionElement, values: readonly number[]) =>
  (elementType === 'f64' ? Float64Array : elementType === 'i8' ? Int32Array : Float32Array).from(values);

interface Data {
  readonly input: readonly number[];
  readonly filters: readonly number[];
  readonly bias: readonly number[];
  readonly residual: readonly number[];
  readonly initial: readonly number[];
}

const dataOf = (spec: AnySpec, output: readonly number[]): Data => {
  const size = spec.elementType === 'i8' ? 128 : 8;
  const filters = spec.layout === 'nhwc' ? spec.filters[3] : spec.filters[0];
  const signed = (values: readonly number[]) => values.map((value) => Math.min(value, size - 1));
  return {
    input: signed(integers(count(spec.input), 1, size)),
    filters: signed(integers(count(spec.filters), 2, size)),
    bias: integers(filters, 3, 300),
    residual: integers(count(output), 4, 40),
    initial: integers(count(output), 5, 40),
  };
};

/** A plain loop nest, in either layout. */
const plain = (spec: AnySpec, output: readonly number[], data: Data): readonly number[] => {
  const { layout = 'nchw', groups = 1, strides = [1, 1], dilations = [1, 1], padding = [0, 0] } = spec;
  const [top, left] = padding as readonly [number, number];
  const isFirst = layout === 'nchw';
  const named = ([a, b, c, d]: readonly number[]) => (isFirst ? [a!, b!, c!, d!] : [a!, d!, b!, c!]);
  const [batch, channels, height, width] = named(spec.input) as [number, number, number, number];
  const [, filters, rows, columns] = named(output) as [number, number, number, number];
  const [kernelHeight, kernelWidth] = isFirst ? spec.filters.slice(2) : spec.filters;
  const perGroup = channels / groups;
  // What a step along each dimension is, in elements: layers take up to 200 million products.
  const image = (of: number, y: number, x: number) =>
    isFirst ? { n: of * y * x, c: y * x, h: x, w: 1 } : { n: of * y * x, c: 1, h: x * of, w: of };
  const [read, written] = [image(channels, height, width), image(filters, rows, columns)];
  const taps = kernelHeight * kernelWidth;
  const filter = isFirst
    ? { f: perGroup * taps, c: taps, h: kernelWidth, w: 1 }
    : { f: 1, c: filters, h: kernelWidth * perGroup * filters, w: perGroup * filters };
  const result = Array<number>(batch * filters * rows * columns).fill(0);
  const [low, high] = boundsOf(spec.activation);
  for (let n = 0; n < batch; n += 1)
    for (let f = 0; f < filters; f += 1)
      for (let h = 0; h < rows; h += 1)
        for (let w = 0; w < columns; w += 1) {
          const at = n * written.n + f * written.c + h * written.h + w * written.w;
          let sum = spec.accumulate === true ? data.initial[at]! : 0;
          const group = Math.floor(f / (filters / groups));
          for (let c = 0; c < perGroup; c += 1)
            for (let kh = 0; kh < kernelHeight; kh += 1) {
              const y = h * strides[0] + kh * dilations[0] - top;
              if (y < 0 || y >= height) continue;
              const row = n * read.n + (group * perGroup + c) * read.c + y * read.h;
              const tap = f * filter.f + c * filter.c + kh * filter.h;
              for (let kw = 0; kw < kernelWidth; kw += 1) {
                const x = w * strides[1] + kw * dilations[1] - left;
                if (x < 0 || x >= width) continue;
                sum += data.input[row + x * read.w]! * data.filters[tap + kw * filter.w]!;
              }
            }
          if (spec.bias === true) sum += data.bias[f]!;
          if (spec.residual === true) sum += data.residual[at]!;
          result[at] = Math.min(Math.max(sum, low), high);
        }
  return result;
};

const boundsOf = (activation: Activation | undefined): readonly [number, number] =>
  activation === undefined
    ? [-Infinity, Infinity]
    : activation === 'relu'
      ? [0, Infinity]
      : activation === 'relu6'
        ? [0, 6]
        : activation.clamp;

/** The arguments of a layer as typed arrays. */
const argumentsOf = (spec: AnySpec, data: Data) => {
  const { elementType = 'f32' } = spec;
  const bias = spec.bias === true ? { bias: sums(elementType, data.bias) } : {};
  const others = {
    ...(spec.residual === true ? { residual: sums(elementType, data.residual) } : {}),
    ...(spec.accumulate === true ? { initial: sums(elementType, data.initial) } : {}),
  };
  const [input, filters] = [operand(elementType, data.input), operand(elementType, data.filters)] as const;
  return { input, filters, bias, others } as {
    readonly input: Uint16Array;
    readonly filters: Uint16Array;
    readonly bias: { readonly bias?: Float32Array };
    readonly others: { readonly residual?: Float32Array; readonly initial?: Float32Array };
  };
};

/** `toEqual`, which takes seconds for what layers return, only where it has something to tell. */
const expectSame = (actual: Elements, expected: Elements): void => {
  const bytes = ({ buffer, byteOffset, byteLength }: Elements) => Buffer.from(buffer, byteOffset, byteLength);
  if (actual.constructor !== expected.constructor || !bytes(actual).equals(bytes(expected)))
    expect(actual).toEqual(expected);
};

/** Checks all ways to run a layer. */
const expectExact = async (spec: AnySpec, compiled: CompiledConvolution<ConvolutionElement>) => {
  const data = dataOf(spec, compiled.output);
  const expected = sums(spec.elementType ?? 'f32', plain(spec, compiled.output, data));
  const { input, filters, bias, others } = argumentsOf(spec, data);
  expectSame(compiled.run(input, filters, { ...bias, ...others }), expected);
  const bound = compiled.bind({ filters, ...bias });
  for (let times = 0; times < 2; times += 1) expectSame(bound.run(input, others), expected);
  expectSame(await compiled.runAsync(input, filters, { ...bias, ...others }), expected);
  expectSame(await bound.runAsync(input, others), expected);
  bound.dispose();
};

describe('a layer is the plain loop nest', () => {
  it('on WebAssembly', async () => {
    await fc.assert(
      fc.asyncProperty(layers, async (spec) => {
        const compiled = compileConvolution(spec);
        // Everything is fused, and nothing is copied for it.
        const codes = compiled.warnings.map(({ code }) => code);
        expect(codes.filter((code) => /fuse-epilogue|bufferize/.test(code))).toEqual([]);
        await expectExact(spec, compiled);
        compiled.dispose();
      }),
      { numRuns: isThorough ? 120 : 25, seed: 1 },
    );
  }, 120_000);

  /** Worth several threads. */
  const large = layersFrom(16, 12, 'dense').filter(({ input, filters }) => {
    const products = (count(input) * count(filters)) / Math.min(...input.slice(1));
    return products > 2e7 && products < 2e8;
  });
  let shared = 0;
  afterAll(() => {
    expect(shared).toBeGreaterThan(isThorough ? 4 : 1);
  });
  it('on the threads of WebAssembly', async () => {
    await fc.assert(
      fc.asyncProperty(large, async (spec) => {
        const compiled = await compileConvolutionAsync({ ...spec, threads: 3, workers });
        shared += compiled.warnings.some(({ code }) => code === 'wasm/single-thread') ? 0 : 1;
        await expectExact(spec, compiled);
        compiled.dispose();
      }),
      { numRuns: isThorough ? 8 : 3, seed: 2 },
    );
  }, 120_000);

  it.skipIf(!hasLlvm).each([1, 3])(
    'natively, on %d threads, many compiled together',
    async (threads) => {
      const numRuns = (threads === 1 ? 10 : 5) * (isThorough ? 3 : 1);
      const specs = fc.sample(layers, { numRuns, seed: threads });
      const compiled = await compileConvolutions(specs.map((spec) => ({ ...spec, ...native, threads })));
      for (const [i, each] of compiled.entries()) {
        await expectExact(specs[i]!, each);
        each.dispose();
      }
    },
    240_000,
  );
});

const small = { input: [1, 2, 6, 7], filters: [4, 2, 3, 3] } as const;

it('fuses what follows the sums into their loops', () => {
  const { artifact } = compileConvolution({ ...small, bias: true, activation: 'relu', accumulate: false });
  expect(artifact.plans).toHaveLength(1);
  const passes =
    artifact.stages.scheduled.root.regions[0]!.blocks[0]!.operations[0]!.regions[0]!.blocks[0]!.operations;
  expect(passes.map(({ name }) => name)).not.toContain('linalg.generic');
});

it('wraps sums of i8 modulo 2^32', () => {
  const compiled = compileConvolution({
    input: [1, 1, 1, 1],
    filters: [1, 1, 1, 1],
    elementType: 'i8',
    bias: true,
  });
  const bias = Int32Array.of(2 ** 31 - 1);
  expect(compiled.run(Int8Array.of(127), Int8Array.of(1), { bias })).toEqual(
    Int32Array.of(2 ** 31 - 1 + 127 - 2 ** 32),
  );
});

it('keeps NaN through an activation', () => {
  for (const activation of ['relu', 'relu6'] as const) {
    const compiled = compileConvolution({ input: [1, 1, 1, 8], filters: [1, 1, 1, 1], activation });
    const input = Float32Array.of(NaN, -1, 7, Infinity, -Infinity, 3, -0, 1);
    const top = activation === 'relu' ? [7, Infinity] : [6, 6];
    expect(compiled.run(input, Float32Array.of(1))).toEqual(Float32Array.of(NaN, 0, ...top, 0, 3, 0, 1));
  }
});

it('adds the bias after the products, then the residual', () => {
  const compiled = compileConvolution({
    input: [1, 2, 1, 1],
    filters: [1, 2, 1, 1],
    bias: true,
    residual: true,
  });
  const input = Float32Array.of(2 ** 24, 1);
  const [bias, residual] = [Float32Array.of(1), Float32Array.of(-(2 ** 24))];
  const initial = Float32Array.of(1);
  const { fround } = Math;
  const expected = [1, 2 ** 24, 1, 1, -(2 ** 24)].reduce((sum, each) => fround(sum + each));
  expect(compiled.run(input, Float32Array.of(1, 1), { bias, residual, initial })).toEqual(
    Float32Array.of(expected),
  );
});

describe('types of arrays', () => {
  it('follow the element type', async () => {
    const f32 = compileConvolution(small);
    expectTypeOf(f32.run(new Float32Array(84), new Float32Array(72))).toEqualTypeOf<
      Float32Array<ArrayBuffer>
    >();
    const f64 = compileConvolution({ ...small, elementType: 'f64' });
    expectTypeOf(f64.run(new Float64Array(84), new Float64Array(72))).toEqualTypeOf<
      Float64Array<ArrayBuffer>
    >();
    const half = await compileConvolutionAsync({ ...small, elementType: 'bf16', bias: true });
    const bound = half.bind({ filters: new Uint16Array(72), bias: new Float32Array(4) });
    expectTypeOf(bound.run(new Uint16Array(84))).toEqualTypeOf<Float32Array<ArrayBuffer>>();
    const [first, second] = await compileConvolutions([small, { ...small, elementType: 'i8' }]);
    expectTypeOf(first.run(new Float32Array(84), new Float32Array(72))).toEqualTypeOf<
      Float32Array<ArrayBuffer>
    >();
    expectTypeOf(second.run(new Int8Array(84), new Int8Array(72))).toEqualTypeOf<Int32Array<ArrayBuffer>>();
    const tensor = <A>(data: A) => ({ shape: [1, 1, 1, 1] as const, data });
    const sum = convolve(tensor(Int8Array.of(2)), tensor(Int8Array.of(3)), {
      elementType: 'i8',
      bias: Int32Array.of(1000),
      activation: { clamp: [0, 1005] },
    });
    expectTypeOf(sum.data).toEqualTypeOf<Int32Array<ArrayBuffer>>();
    expect(sum.data).toEqual(Int32Array.of(1005));
  });

  it('that do not fit are errors of the compiler, and of the call', () => {
    const compiled = compileConvolution({ ...small, elementType: 'i8', bias: true });
    const [input, filters, bias] = [new Int8Array(84), new Int8Array(72), new Int32Array(4)] as const;
    // @ts-expect-error elements of i8 are no Float32Array
    expect(() => compiled.run(new Float32Array(84), filters, { bias })).toThrow(TypeError);
    // @ts-expect-error a bias of i8 is an Int32Array
    expect(() => compiled.bind({ filters, bias: new Float32Array(4) })).toThrow(TypeError);
    // @ts-expect-error there is no such array
    expect(() => compiled.run(input, filters, { bias, inital: bias })).toThrow(TypeError);
    // @ts-expect-error arrays are passed by name
    expect(() => compiled.run(input, filters, bias)).toThrow(TypeError);
    // @ts-expect-error there is no such element type
    expect(() => compileConvolution({ ...small, elementType: 'i16' })).toThrow('no element type');
    expect(compiled.run(input, filters, { bias })).toEqual(new Int32Array(80));
  });
});

describe('a wrong array', () => {
  const compile = (options: Partial<AnySpec>) =>
    compileConvolution({ ...small, ...options } as ConvolutionSpec);
  const [input, filters] = [new Float32Array(84), new Float32Array(72)];
  const bias = new Float32Array(4);
  const residual = new Float32Array(80);
  const call = (options: Partial<AnySpec>, ...values: readonly unknown[]) => {
    const compiled = compile(options) as unknown as { readonly run: (...all: readonly unknown[]) => unknown };
    return () => compiled.run(...values);
  };
  it.each<[string, () => unknown, Error]>([
    [
      'input of another type',
      call({}, new Float64Array(84), filters),
      new TypeError(
        "'input' is a Float32Array (elementType: 'f32'), not a Float64Array; compile with elementType: 'f64' for that",
      ),
    ],
    [
      'input of bits',
      call({}, new Uint16Array(84), filters),
      new TypeError(
        "'input' is a Float32Array (elementType: 'f32'), not a Uint16Array; compile with elementType: 'f16' or 'bf16' for that",
      ),
    ],
    [
      'numbers for bits',
      call({ elementType: 'f16' }, input, filters),
      new TypeError(
        "'input' is a Uint16Array (elementType: 'f16'), not a Float32Array; halfBits('f16', values) makes its bits",
      ),
    ],
    [
      'no typed array',
      call({}, [1, 2], filters),
      new TypeError("'input' is a Float32Array (elementType: 'f32'), not [1, 2]"),
    ],
    [
      'bytes',
      call({}, new Uint8Array(84), filters),
      new TypeError("'input' is a Float32Array (elementType: 'f32'), not a Uint8Array"),
    ],
    ['no filters', call({}, input), new TypeError("'filters' is missing")],
    [
      'filters that are too few',
      call({}, input, new Float32Array(71)),
      new RangeError("'filters' has 72 elements, not 71"),
    ],
    [
      'bias that is missing',
      call({ bias: true }, input, filters),
      new TypeError("'bias' is missing, of a convolution that was compiled with bias: true"),
    ],
    [
      'residual that is missing',
      call({ residual: true }, input, filters),
      new TypeError("'residual' is missing, of a convolution that was compiled with residual: true"),
    ],
    [
      'bias too many',
      call({}, input, filters, { bias }),
      new TypeError("'bias' is for a convolution that was compiled with bias: true"),
    ],
    [
      'residual too many',
      call({}, input, filters, { residual }),
      new TypeError("'residual' is for a convolution that was compiled with residual: true"),
    ],
    [
      'bias of another type',
      call({ bias: true, elementType: 'i8' }, new Int8Array(84), new Int8Array(72), {
        bias: new Int8Array(4),
      }),
      new TypeError("'bias' is an Int32Array (elementType: 'i8'), not an Int8Array"),
    ],
    [
      'bias of another length',
      call({ bias: true }, input, filters, { bias: residual }),
      new RangeError("'bias' has 4 elements, not 80"),
    ],
    [
      'name',
      call({}, input, filters, { inital: residual }),
      new TypeError(
        "no array 'inital'; there are input, filters, bias, residual, initial; did you mean 'initial'?",
      ),
    ],
    [
      'initial output without its name',
      call({}, input, filters, residual),
      new TypeError('arrays are passed by name, as in { initial }, not as a Float32Array'),
    ],
  ])('%s', (_, run, error) => {
    expect(run).toThrow(error);
  });

  it('to bind, or after that', async () => {
    const compiled = compile({ bias: true });
    const bind = (constants: unknown) => () => compiled.bind(constants as Float32Array);
    expect(bind(filters)).toThrow("'bias' is missing, of a convolution that was compiled with bias: true");
    expect(bind({ bias })).toThrow("'filters' is missing");
    expect(bind({ filters, bias: filters })).toThrow("'bias' has 4 elements, not 72");
    expect(bind({ filters, bias, residual })).toThrow("no array 'residual'; there are filters, bias");
    expect(bind(undefined)).toThrow('arrays are passed by name');
    const bound = compiled.bind({ filters, bias });
    expect(() => bound.run(input, { bias } as object)).toThrow("'bias' is bound, so it is no argument");
    await expect(bound.runAsync(new Float32Array(1))).rejects.toThrow("'input' has 84 elements, not 1");
    await expect(compiled.runAsync(input, filters)).rejects.toThrow("'bias' is missing");
    expect(bound.run(input)).toEqual(new Float32Array(80));
  });
});

it('takes bits of 16-bit floats', () => {
  const compiled = compileConvolution({
    input: [1, 1, 1, 2],
    filters: [1, 1, 1, 1],
    elementType: 'f16',
  });
  const bits = halfBits('f16', [0.1, 65504]);
  const expected = halfValues('f16', bits).map((value) => value * 0.5);
  expect(compiled.run(bits, halfBits('f16', [0.5]))).toEqual(expected);
});
