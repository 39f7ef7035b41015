/** Ours in blocked layouts, as a side of the benchmark: input and output are NCHWc, and filters FCHWcf, beforehand. */
import type { ConvolutionShape } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import { parseModule } from '@sconv/ir';
import type { Target } from '@sconv/targets';
import { compileModule } from '../compile-module.ts';
import { defaultRegistry } from '../default-registry.ts';
import { nchwc } from '../nchwc-schedule.ts';
import { nodeBackends } from '../node-backends.ts';
import { version } from '../version.ts';
import type { Implementation, Prepared } from './implementation.ts';
import { mixOf } from './ours.ts';
import type { Data } from './workload.ts';

/** The sizes of blocks: channels of the input, and filters. */
interface Blocks {
  readonly channels: number;
  readonly filters: number;
}

const tensor = (...sizes: readonly number[]): string => `tensor<${sizes.join('x')}xf32>`;

/** The convolution of blocked operands, which overwrites its result, as peers do. */
const payloadOf = (shape: ConvolutionShape, { channels, filters }: Blocks): string => {
  const { strides, dilations } = shape;
  const [blocks, planes] = [shape.inputChannels / channels, shape.filters / filters];
  const x = tensor(shape.batch, blocks, shape.inputHeight, shape.inputWidth, channels);
  const k = tensor(planes, blocks, shape.filterHeight, shape.filterWidth, channels, filters);
  const o = tensor(shape.batch, planes, shape.outputHeight, shape.outputWidth, filters);
  const map = (results: string) => `affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (${results})>`;
  const windows = `d2 * ${strides.h} + d5 * ${dilations.h}, d3 * ${strides.w} + d6 * ${dilations.w}`;
  const [parallel, reduction] = ['"parallel"', '"reduction"'];
  const iterators = [
    ...Array<string>(4).fill(parallel),
    ...Array<string>(3).fill(reduction),
    parallel,
    reduction,
  ];
  return `func.func @convolve(%x: ${x}, %k: ${k}, %o: ${o}) -> ${o} {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%o : ${o}) -> ${o}
  %0 = linalg.generic {indexing_maps = [${map(`d0, d4, ${windows}, d8`)}, ${map('d1, d4, d5, d6, d8, d7')},
    ${map('d0, d1, d2, d3, d7')}], iterator_types = [${iterators.join(', ')}]}
    ins(%x, %k : ${x}, ${k}) outs(%start : ${o}) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> ${o}
  return %0 : ${o}
}`;
};

/** Copies between an array of `planes` of `size` elements and one whose planes are in blocks, element by element. */
const blocked = (
  { planes, size, block }: { readonly planes: number; readonly size: number; readonly block: number },
  copy: (plain: number, packed: number) => void,
): void => {
  for (let plane = 0; plane < planes; plane += 1)
    for (let at = 0; at < size; at += 1)
      copy(plane * size + at, (Math.floor(plane / block) * size + at) * block + (plane % block));
};

/** Filters as FCHWcf. */
const packFilters = (
  shape: ConvolutionShape,
  { channels, filters }: Blocks,
  data: Data,
  to: Float32Array,
): void => {
  const taps = shape.filterHeight * shape.filterWidth;
  const blocks = shape.inputChannels / channels;
  for (let f = 0; f < shape.filters; f += 1)
    for (let c = 0; c < shape.inputChannels; c += 1)
      for (let tap = 0; tap < taps; tap += 1) {
        const block = Math.floor(f / filters) * blocks + Math.floor(c / channels);
        const place = ((block * taps + tap) * channels + (c % channels)) * filters + (f % filters);
        to[place] = data.filters[(f * shape.inputChannels + c) * taps + tap]!;
      }
};

/** NCHWc for a target; refuses channels and filters that its vectors do not divide, and padding. */
export const oursBlocked = (name: string, target: Target): Implementation => ({
  name,
  version: version(),
  mix: mixOf(target),
  prepare: async (shape, _, data): Promise<Prepared> => {
    const lanes = (target.machine.vector?.bits ?? 128) / 32;
    const channels = shape.inputChannels % lanes === 0 ? lanes : shape.inputChannels;
    const blocks = { channels, filters: lanes };
    const { top, bottom, left, right } = shape.padding;
    if (shape.groups > 1 || shape.filters % lanes !== 0 || channels > 2 * lanes)
      throw new Error('channels and filters in whole vectors only');
    if (top + bottom + left + right > 0) throw new Error('no padding in blocked layouts');
    const payload = unwrap(parseModule(payloadOf(shape, blocks), { registry: defaultRegistry }));
    const compiled = unwrap(
      await compileModule(payload, { target, backends: nodeBackends, schedule: nchwc }),
    );
    const pixels = shape.inputHeight * shape.inputWidth;
    const windows = shape.outputHeight * shape.outputWidth;
    const [input, filters, output] = [
      shape.batch * shape.inputChannels * pixels,
      shape.filters * shape.inputChannels * shape.filterHeight * shape.filterWidth,
      shape.batch * shape.filters * windows,
    ].map((length) => compiled.allocate('f32', length)) as [Float32Array, Float32Array, Float32Array];
    blocked({ planes: shape.batch * shape.inputChannels, size: pixels, block: channels }, (plain, packed) => {
      input[packed] = data.input[plain]!;
    });
    packFilters(shape, blocks, data, filters);
    const call = () => compiled.run('convolve', input, filters, output);
    return {
      call,
      result: () => {
        call();
        const result = new Float32Array(output.length);
        blocked({ planes: shape.batch * shape.filters, size: windows, block: lanes }, (plain, packed) => {
          result[plain] = output[packed]!;
        });
        return result;
      },
      how: 'read in place',
      dispose: () => compiled.dispose(),
    };
  },
});
