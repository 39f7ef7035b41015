/**
 * ST's Listing 10 on several convolutions: `mlir-opt-19` accepts the IR after every step, Listing 12 lowers the last
 * one unchanged, and the OpenBLAS kernels that this processor can run compute the convolution exactly.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwrap } from '@sconv/diagnostics';
import { integerData } from '@sconv/interpreter';
import type { Module } from '@sconv/ir';
import { printModule, verify, walk } from '@sconv/ir';
import { nativeBackend } from '@sconv/native';
import { avx2 } from '@sconv/targets';
import { runSchedule } from '@sconv/transform';
import { compileModule } from 'sconv';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ConvolutionShape } from './support/convolutions.ts';
import { cases, listing1, outputOf } from './support/convolutions.ts';
import type { ConvolutionFunction } from './support/listing-12.ts';
import { buildProgram, hasOpenblas, listing12, runProgram, runsCore } from './support/listing-12.ts';
import { hasMlirOpt, mlirOpt } from './support/mlir-opt.ts';
import { registry } from './support/registry.ts';
import { dataOf, firstMismatch, parse, sequence } from './support/stages.ts';
import { isThorough } from './support/thorough.ts';

const schedule = readFileSync(new URL('../../../examples/listing-10.mlir', import.meta.url), 'utf8');

/** The kernel-dependent parts of the schedule. */
interface Kernel {
  readonly symbol: string;
  readonly tile: readonly [number, number];
  readonly panels?: readonly [number, number];
  readonly edges?: 'small';
}

const replaced = (text: string, from: string, to: string): string => {
  if (!text.includes(from)) throw new Error(`there is no '${from}'`);
  return text.replace(from, to);
};

/** The schedule with another kernel, and caches so small that small convolutions have several tiles. */
const scheduleFor = ({ symbol, tile, panels, edges }: Kernel, dataflow?: 'is' | 'ws'): string => {
  const attributes = [
    `mk_info = [${tile.join(', ')}]`,
    ...(panels === undefined ? [] : [`panels = [${panels.join(', ')}]`]),
    ...(edges === undefined ? [] : [`edges = "${edges}"`]),
    ...(dataflow === undefined ? [] : ['arch_info = [1024, 4096, 16384, 64]', `schedule = "${dataflow}"`]),
  ];
  const sliced = replaced(schedule, 'mk_info = [16, 8], panels = [8, 4]', attributes.join(', '));
  return replaced(sliced, 'sgemm_kernel_HASWELL', symbol);
};

const functionText = ({ name, shape }: ConvolutionFunction): string => {
  const type = (...sizes: readonly number[]): string => `tensor<${sizes.join('x')}xf32>`;
  const { batch, inputChannels, inputHeight, inputWidth, filters, filterHeight, filterWidth } = shape;
  const input = type(batch, inputChannels, inputHeight, inputWidth);
  const weights = type(filters, inputChannels, filterHeight, filterWidth);
  const output = type(batch, filters, ...outputOf(shape));
  const pair = ({ h, w }: { readonly h: number; readonly w: number }): string =>
    `dense<[${h}, ${w}]> : tensor<2xi64>`;
  return `func.func @${name}(%i: ${input}, %f: ${weights}, %o: ${output}) -> ${output} attributes {llvm.emit_c_interface} {
    %r = linalg.conv_2d_nchw_fchw {strides = ${pair(shape.strides)}, dilations = ${pair(shape.dilations)}}
      ins(%i, %f : ${input}, ${weights}) outs(%o : ${output}) -> ${output}
    return %r : ${output}
  }`;
};

const functionsOf = (shapes: readonly ConvolutionShape[]): readonly ConvolutionFunction[] =>
  shapes.map((shape, i) => ({ name: `conv${i}`, shape }));
const payloadOf = (functions: readonly ConvolutionFunction[]): Module =>
  parse(functions.map(functionText).join('\n'), 'payload.mlir');

/** Each geometry once; and a few of them for slow LLVM compilations. */
const all = functionsOf([...new Map(cases.map(({ shape }) => [JSON.stringify(shape), shape])).values()]);
const some = all.filter((_, i) => i % 4 === 1);

/** The payload after each step of a schedule. */
const stepsOf = (payload: Module, script: string): readonly Module[] => {
  const modules: Module[] = [];
  const result = runSchedule(parse(script, 'listing-10.mlir'), payload, {
    registry,
    trace: {
      leave: (node, module) => {
        if (node.kind === 'step' && modules.at(-1) !== module) modules.push(module);
      },
    },
  });
  modules.push(unwrap(result).module);
  return modules;
};

const callsIn = (module: Module): number =>
  [...walk(module.root)].filter(({ name }) => name === 'func.call').length;

const kernels: readonly Kernel[] = [
  { symbol: 'sgemm_kernel_HASWELL', tile: [16, 8], panels: [8, 4] },
  { symbol: 'sgemm_kernel_HASWELL', tile: [8, 4] },
  { symbol: 'sgemm_kernel_ZEN', tile: [24, 12], panels: [8, 4] },
  { symbol: 'sgemm_kernel_ZEN', tile: [4, 2] },
  { symbol: 'sgemm_kernel_SANDYBRIDGE', tile: [16, 4] },
  { symbol: 'sgemm_kernel_SKYLAKEX', tile: [16, 8], panels: [16, 4] },
  { symbol: 'sgemm_kernel_SKYLAKEX', tile: [32, 24], panels: [16, 4] },
  { symbol: 'sgemm_kernel_SKYLAKEX', tile: [1, 1] },
];
const title = ({ symbol, tile, panels }: Kernel): string =>
  `${symbol}, ${tile.join('x')} in panels of ${(panels ?? tile).join(' and ')}`;
const named = (each: readonly Kernel[]) => each.map((kernel) => [title(kernel), kernel] as const);
/** What is compiled by LLVM and run: all, or the first. */
const few = <T>(each: readonly T[]): readonly T[] => (isThorough ? each : each.slice(0, 1));
const coreOf = ({ symbol }: Kernel): string => symbol.split('_').at(-1)!;

it.each(named(kernels))('Listing 10 calls %s', (_, kernel) => {
  const module = stepsOf(payloadOf(some), scheduleFor(kernel, 'is')).at(-1)!;
  expect(verify(module, registry)).toEqual([]);
  expect(callsIn(module)).toBeGreaterThanOrEqual(some.length / 2);
  expect([...walk(module.root)].filter(({ attributes }) => 'microkernel' in attributes)).toEqual([]);
});

describe.skipIf(!hasOpenblas)('in this process', () => {
  const cache = mkdtempSync(join(tmpdir(), 'sconv-blas-cache-'));
  beforeAll(() => {
    vi.stubEnv('XDG_CACHE_HOME', cache);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(cache, { recursive: true, force: true });
  });

  const variants: readonly (readonly [string, (script: string) => string])[] = [
    ['as the paper has it', (script) => script],
    [
      'without copies of arguments and results',
      (script) => replaced(script, 'one_shot_bufferize', 'one_shot_bufferize layout{IdentityLayoutMap}'),
    ],
  ];
  it.for(few(variants))('native code calls the kernel of the example, %s', async ([, change], { skip }) => {
    if (!runsCore('HASWELL')) skip();
    const artifact = unwrap(
      await compileModule(payloadOf(some), {
        target: avx2,
        schedule: parse(change(scheduleFor(kernels[0]!, 'is')), 'listing-10.mlir'),
        backends: [nativeBackend],
      }),
    );
    for (const { name, shape } of some) {
      const { input, filters, initial, expected } = dataOf(shape);
      const output = initial.slice();
      const [result] = artifact.run(name, input, filters, output);
      expect([name, firstMismatch(result as Float32Array, expected)]).toEqual([name, undefined]);
      // Again, with the state that the first call has left.
      const [again] = artifact.run(name, input, filters, initial.slice());
      expect([name, firstMismatch(again as Float32Array, expected)]).toEqual([name, undefined]);
    }
    artifact.dispose();
  });

  const tiles: readonly (readonly [symbol: string, m: number, n: number])[] = [
    ['dgemm_kernel_HASWELL', 4, 8],
    ['sgemm_kernel_HASWELL', 8, 4],
    ['sgemm_kernel_SKYLAKEX', 16, 4],
    ['dgemm_kernel_ZEN', 4, 8],
    ['dgemm_kernel_SKYLAKEX', 16, 2],
  ];
  it.for(few(tiles))(
    '%s computes tiles of several images in an output with gaps',
    async ([symbol, m, n], { skip }) => {
      if (!runsCore(symbol.split('_').at(-1)!)) skip();
      const [images, windows, filters, steps, ldc] = [3, 2 * m, 3 * n, 9, 2 * m + 5];
      const isDouble = symbol.startsWith('d');
      const element = isDouble ? 'f64' : 'f32';
      const types = {
        windows: `memref<${images}x2x${steps}x${m}x${element}>`,
        filters: `memref<3x${steps}x${n}x${element}>`,
        sums: `memref<${images}x${filters}x${windows}x${element}, strided<[${ldc * filters + 3}, ${ldc}, 1], offset: 7>>`,
      };
      const text = `func.func @tile(%x: ${types.windows}, %y: ${types.filters}, %sums: ${types.sums}) {
  %windows = memref.alloc() : ${types.windows}
  %filters = memref.alloc() : ${types.filters}
  memref.copy %x, %windows : ${types.windows} to ${types.windows}
  memref.copy %y, %filters : ${types.filters} to ${types.filters}
  linalg.generic {
    indexing_maps = [affine_map<(i, f, w, k) -> (i, w floordiv ${m}, k, w mod ${m})>, affine_map<(i, f, w, k) -> (f floordiv ${n}, k, f mod ${n})>, affine_map<(i, f, w, k) -> (i, f, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]
  } ins(%windows, %filters : ${types.windows}, ${types.filters}) outs(%sums : ${types.sums}) {
  ^bb0(%window: ${element}, %weight: ${element}, %sum: ${element}):
    %0 = arith.mulf %window, %weight : ${element}
    %1 = arith.addf %sum, %0 : ${element}
    linalg.yield %1 : ${element}
  }
  return
}`;
      const script =
        sequence(`%op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %call = transform.lower.to_blas "${symbol}", %op : (!transform.any_op) -> !transform.any_op`);
      const artifact = unwrap(
        await compileModule(parse(text, 'tile.mlir'), {
          target: avx2,
          schedule: parse(script, 'script.mlir'),
          backends: [nativeBackend],
        }),
      );
      const numbers = (length: number, seed: number): Float32Array | Float64Array => {
        const data = integerData(length, seed);
        return isDouble ? Float64Array.from(data) : data;
      };
      const [x, y] = [numbers(images * windows * steps, 1), numbers(filters * steps, 2)];
      const length = 7 + (images - 1) * (ldc * filters + 3) + (filters - 1) * ldc + windows;
      const sums = numbers(length, 3);
      const expected = sums.slice();
      for (let i = 0; i < images; i++)
        for (let f = 0; f < filters; f++)
          for (let w = 0; w < windows; w++)
            for (let k = 0; k < steps; k++) {
              const window = x[((i * 2 + Math.floor(w / m)) * steps + k) * m + (w % m)]!;
              const weight = y[(Math.floor(f / n) * steps + k) * n + (f % n)]!;
              expected[7 + i * (ldc * filters + 3) + f * ldc + w]! += window * weight;
            }
      artifact.run('tile', x, y, sums);
      expect(sums).toEqual(expected);
      artifact.dispose();
    },
  );
});

describe.skipIf(!hasMlirOpt)('mlir-opt-19 reads and verifies', () => {
  it.each(['is', 'ws'] as const)('every step of Listing 10, %s', (dataflow) => {
    const modules = stepsOf(payloadOf(some), scheduleFor(kernels[0]!, dataflow));
    expect(modules.length).toBeGreaterThan(4);
    const printed = modules.map((module) => printModule(module, { registry }));
    expect(mlirOpt(printed).map((text) => text.trim())).toEqual(printed.map((text) => text.trim()));
  });
});

describe.skipIf(!hasOpenblas)('Listing 12 runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconv-blas-'));
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** The convolutions for which a schedule computes something else, and what. */
  const mismatches = (functions: readonly ConvolutionFunction[], script: string): readonly string[] => {
    const module = stepsOf(payloadOf(functions), script).at(-1)!;
    const [llvm] = mlirOpt([printModule(module, { registry })], listing12);
    const program = buildProgram(mkdtempSync(join(folder, 'program-')), llvm!, functions);
    return functions.flatMap(({ name, shape }, i) => {
      const { input, filters, initial, expected } = dataOf(shape);
      const bytes = runProgram(program, i, [input, filters, initial]);
      const mismatch = firstMismatch(
        new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4),
        expected,
      );
      return mismatch === undefined ? [] : [`${name}: ${mismatch}`];
    });
  };

  it.for(named(few(kernels)))('%s', ([, kernel], { skip }) => {
    if (!runsCore(coreOf(kernel))) skip();
    expect(mismatches(some, scheduleFor(kernel, 'is'))).toEqual([]);
  });

  it.runIf(isThorough)('the kernel of the example, on every convolution', ({ skip }) => {
    if (!runsCore('HASWELL')) skip();
    expect(mismatches(all, scheduleFor(kernels[0]!, 'ws'))).toEqual([]);
  });

  it('the example on Listing 1', ({ skip }) => {
    if (!runsCore('HASWELL')) skip();
    expect(mismatches(functionsOf([listing1[0]!.shape]), schedule)).toEqual([]);
  });
});
