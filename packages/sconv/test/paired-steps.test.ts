/** Sums of products of pairs of i16: what native code multiplies by x86's PMADDWD, at the limits of its range. */
import type { Artifact } from '@sconv/backend';
import { findToolchain } from '@sconv/native';
import { avx2, neon, zen4 } from '@sconv/targets';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emitPayload } from '../src/compile-module.ts';
import { compileModule, defaultRegistry, parseModule, unwrap } from '../src/index.ts';
import { nodeBackends } from '../src/node.ts';
import { isThorough } from './support/thorough.ts';

const hasLlvm = 'paths' in (await findToolchain());

type Types = readonly ['i8' | 'i16', 'i8' | 'i16'];

interface Layer {
  readonly types: Types;
  readonly channels: number;
  readonly filters: number;
  readonly side: number;
  /** Of the filter. */
  readonly size: number;
  readonly stride: number;
  readonly isLast: boolean;
  /** Of the input and the filters; absent: the op is not quantized. */
  readonly zeroPoints?: readonly [number, number];
  readonly areArguments?: boolean;
}

const layer: Layer = {
  types: ['i8', 'i8'],
  channels: 6,
  filters: 20,
  side: 11,
  size: 3,
  stride: 1,
  isLast: false,
};

const outputSide = ({ side, size, stride }: Layer): number => Math.floor((side - size) / stride) + 1;

const textOf = (each: Layer, i: number): string => {
  const { types, channels, filters, side, size, stride, isLast, zeroPoints, areArguments = false } = each;
  const out = outputSide(each);
  const shape = (sizes: readonly number[], type: string): string => `tensor<${[...sizes, type].join('x')}>`;
  const [x, f, o] = isLast
    ? [
        shape([1, side, side, channels], types[0]),
        shape([size, size, channels, filters], types[1]),
        shape([1, out, out, filters], 'i32'),
      ]
    : [
        shape([1, channels, side, side], types[0]),
        shape([filters, channels, size, size], types[1]),
        shape([1, filters, out, out], 'i32'),
      ];
  // NCHW has no quantized op without groups.
  const name = isLast ? `conv_2d_nhwc_hwcf${zeroPoints === undefined ? '' : '_q'}` : 'conv_2d_nchw_fchw';
  const constants =
    zeroPoints === undefined || areArguments
      ? ''
      : `%za = arith.constant ${zeroPoints[0]} : i32\n%zb = arith.constant ${zeroPoints[1]} : i32`;
  const [ins, insTypes] = zeroPoints === undefined ? ['', ''] : [', %za, %zb', ', i32, i32'];
  return `func.func @conv${i}(%x: ${x}, %f: ${f}, %o: ${o}${areArguments ? ', %za: i32, %zb: i32' : ''}) -> ${o} {
  ${constants}
  %0 = linalg.${name} {dilations = dense<1> : tensor<2xi64>, strides = dense<${stride}> : tensor<2xi64>}
    ins(%x, %f${ins} : ${x}, ${f}${insTypes}) outs(%o : ${o}) -> ${o}
  return %0 : ${o}
}`;
};

/** A module of functions `conv0`, `conv1`, … */
const payload = (layers: readonly Layer[]) =>
  unwrap(parseModule(layers.map(textOf).join('\n'), { registry: defaultRegistry }));

describe('code for x86', () => {
  const last: Layer = { ...layer, isLast: true };
  const emitted = (each: Layer, target: typeof avx2): string => {
    const code: unknown = unwrap(emitPayload(payload([each]), { target, backends: nodeBackends })).emitted;
    return (code as { readonly mlir: string }).mlir;
  };

  it.each([
    ['i8', layer],
    ['i16', { ...layer, types: ['i16', 'i16'] }],
    ['i8 and i16', { ...layer, types: ['i8', 'i16'] }],
    ['i8, channels last', last],
    ['i8 less a zero point', { ...last, zeroPoints: [-128, 127] }],
    ['i8 less the largest zero point that leaves 16 bits', { ...last, zeroPoints: [32640, -32640] }],
  ] satisfies readonly (readonly [string, Layer])[])('multiplies pairs of %s', (_, each) => {
    expect(emitted(each, avx2)).toContain('"llvm.x86.avx2.pmadd.wd"');
    expect(emitted(each, zen4)).toContain('"llvm.x86.avx512.pmaddw.d.512"');
    expect(emitted(each, neon)).not.toContain('call_intrinsic');
  });

  it.each([
    ['a zero point leaves more than 16 bits', { ...last, zeroPoints: [32641, 0] }],
    ['a zero point of i16 is not 0', { ...last, types: ['i16', 'i8'], zeroPoints: [1, 0] }],
    ['zero points are arguments', { ...last, zeroPoints: [1, 2], areArguments: true }],
  ] satisfies readonly (readonly [string, Layer])[])('multiplies 32 bits where %s', (_, each) => {
    expect(emitted(each, avx2)).not.toContain('call_intrinsic');
  });
});

/** The sums modulo 2^32, with all indices as loops. */
const plain = (each: Layer, x: ArrayLike<number>, f: ArrayLike<number>, initial: Int32Array): Int32Array => {
  const { channels, filters, side, size, stride, isLast, zeroPoints: [za, zb] = [0, 0] } = each;
  const out = outputSide(each);
  const result = initial.slice();
  for (let filter = 0; filter < filters; filter += 1)
    for (let row = 0; row < out; row += 1)
      for (let column = 0; column < out; column += 1) {
        let sum = 0;
        for (let c = 0; c < channels; c += 1)
          for (let i = 0; i < size; i += 1)
            for (let j = 0; j < size; j += 1) {
              const [y, z] = [row * stride + i, column * stride + j];
              const a = x[isLast ? (y * side + z) * channels + c : (c * side + y) * side + z]!;
              const b =
                f[
                  isLast
                    ? ((i * size + j) * channels + c) * filters + filter
                    : ((filter * channels + c) * size + i) * size + j
                ]!;
              sum = (sum + Math.imul(a - za, b - zb)) | 0;
            }
        result[isLast ? (row * out + column) * filters + filter : (filter * out + row) * out + column]! +=
          sum;
      }
  return result;
};

const least = { i8: -(2 ** 7), i16: -(2 ** 15) };

describe.skipIf(!hasLlvm || process.arch === 'arm64').each([avx2, zen4])('for $name', (target) => {
  const extents: readonly Partial<Layer>[] = [
    {},
    { channels: 5 },
    { channels: 1, size: 1 },
    { channels: 40, size: 1, filters: 9, side: 13 },
    { side: 19, stride: 2, filters: 33 },
    { side: 5, filters: 48 },
  ];
  const types: readonly Partial<Layer>[] = [
    { types: ['i8', 'i8'] },
    { types: ['i16', 'i16'] },
    { isLast: true },
    { isLast: true, zeroPoints: [-128, 127] },
    { isLast: true, zeroPoints: [32640, -32640] },
    { isLast: true, zeroPoints: [70_000, 3] },
    { isLast: true, zeroPoints: [5, -9], areArguments: true },
  ];

  // Each extent comes up, and each type; thoroughly, all pairs of them.
  const layers = types.flatMap((type, at) =>
    extents
      .filter((_, i) => isThorough || i === at % extents.length)
      .map((extent) => ({ ...layer, ...extent, ...type })),
  );

  // One module, to start LLVM only once; none where this processor does not run it.
  let artifact: Artifact | undefined;
  beforeAll(async () => {
    const compiled = await compileModule(payload(layers), { target, backends: nodeBackends });
    if (compiled.diagnostics.some(({ code }) => code === 'native/processor')) return;
    const loaded = unwrap(compiled);
    if (loaded.emulator === undefined) artifact = loaded;
    else loaded.dispose();
  });
  afterAll(() => {
    artifact?.dispose();
  });

  it.for(layers.map((each, number) => ({ each, number })))(
    'sums of products wrap around: layer $number of $each.types, size $each.size',
    ({ each, number }, { skip }) => {
      if (artifact === undefined) return skip();
      const { channels, filters, side, size, zeroPoints, areArguments = false } = each;
      const [ofInput, ofFilters] = each.types;
      // All at the lower limit, then limits and others in turns.
      const fills: readonly ((i: number, low: number) => number)[] = [
        (_, low) => low,
        (i, low) => (i % 3 === 0 ? low : i % 3 === 1 ? -low - 1 : ((i * 73) % 256) - 128),
      ];
      for (const fill of fills) {
        const arrayOf = (element: 'i8' | 'i16', length: number) => {
          const values = Array.from({ length }, (_, i) => fill(i, least[element]));
          return element === 'i8' ? Int8Array.from(values) : Int16Array.from(values);
        };
        const x = arrayOf(ofInput, channels * side ** 2);
        const f = arrayOf(ofFilters, filters * channels * size ** 2);
        const initial = Int32Array.from({ length: filters * outputSide(each) ** 2 }, (_, i) =>
          i % 2 === 0 ? 2 ** 31 - 1 : -i,
        );
        const scalars = areArguments ? zeroPoints! : [];
        const [result] = artifact.run(`conv${number}`, x, f, initial.slice(), ...scalars);
        expect({ each, result: [...(result as Int32Array)] }).toEqual({
          each,
          result: [...plain(each, x, f, initial)],
        });
      }
    },
  );
});
