import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KernelChoice } from '@sconv/csa';
import { csaPlanner } from '@sconv/csa';
import { operationsIn, symbolNameOf } from '@sconv/ir';
import type { Planner } from '@sconv/plans';
import { avx2, neon } from '@sconv/targets';
import type { WasmModule } from '@sconv/wasm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { compileConvolution, compileConvolutions } from '../src/compile-convolution.ts';
import type { CompiledModule, CompileOptions } from '../src/index.ts';
import {
  children,
  compileModule,
  compileModuleSync,
  defaultRegistry,
  integerData,
  parseModule,
  schedule,
  unwrap,
} from '../src/index.ts';
import { nodeBackends } from '../src/node.ts';

const hasLlvm =
  ['x64', 'arm64'].includes(process.arch) &&
  ['mlir-opt-19', 'mlir-translate-19', 'clang-19'].every(
    (tool) => spawnSync(tool, ['--version']).status === 0,
  );
const cache = mkdtempSync(join(tmpdir(), 'sconv-equal-'));
beforeAll(() => {
  vi.stubEnv('XDG_CACHE_HOME', cache);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(cache, { recursive: true, force: true });
});

const [x, padded, weights, bias] = [
  'tensor<1x8x12x12xi32>',
  'tensor<1x8x14x14xi32>',
  'tensor<8x8x3x3xi32>',
  'tensor<8xi32>',
];

/** So many layers, one after the other, each a padded convolution, a bias and an activation. */
const layers = (count: number): string => {
  const layer = (i: number): string => `
  %p${i} = tensor.pad ${i === 0 ? '%x' : `%r${i - 1}`} low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : i32
  } : ${x} to ${padded}
  %e${i} = tensor.empty() : ${x}
  %z${i} = linalg.fill ins(%zero : i32) outs(%e${i} : ${x}) -> ${x}
  %c${i} = linalg.conv_2d_nchw_fchw ins(%p${i}, %w${i} : ${padded}, ${weights}) outs(%z${i} : ${x}) -> ${x}
  %o${i} = tensor.empty() : ${x}
  %r${i} = linalg.generic {indexing_maps = [#all, affine_map<(n, f, h, w) -> (f)>, #all],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%c${i}, %b${i} : ${x}, ${bias}) outs(%o${i} : ${x}) {
  ^bb0(%v: i32, %add: i32, %old: i32):
    %s = arith.addi %v, %add : i32
    %y = arith.maxsi %s, %zero : i32
    linalg.yield %y : i32
  } -> ${x}`;
  const all = Array.from({ length: count }, (_, i) => i);
  const given = all.map((i) => `%w${i}: ${weights}, %b${i}: ${bias}`);
  return `#all = affine_map<(n, f, h, w) -> (n, f, h, w)>
func.func @net(%x: ${x}, ${given.join(', ')}) -> ${x} {
  %zero = arith.constant 0 : i32${all.map(layer).join('')}
  return %r${count - 1} : ${x}
}`;
};

const parse = (text: string) => unwrap(parseModule(text, { registry: defaultRegistry, fileName: 'in.mlir' }));
const twelve = parse(layers(12));
const values = [8 * 144, ...Array.from({ length: 24 }, (_, i) => (i % 2 === 0 ? 576 : 8))].map((length, i) =>
  Int32Array.from(integerData(length, i)),
);
const bytesOf = ({ emitted }: Pick<CompiledModule, 'emitted'>): number =>
  (emitted as WasmModule).bytes.length;

describe('twelve equal layers', () => {
  const resultsOf = async (options: CompileOptions) => {
    const compiled = unwrap(await compileModule(twelve, options));
    const [result] = await compiled.runAsync('net', ...values);
    const [input, ...constants] = values;
    const bound = compiled.bind('net', Object.fromEntries(constants.map((each, i) => [i + 1, each])));
    for (let times = 0; times < 2; times += 1) expect((await bound.runAsync(input!))[0]).toEqual(result);
    expect(bound.run(input!)[0]).toEqual(result);
    compiled.dispose();
    return result;
  };
  /** As they are written, each by code of its own. */
  const expected = resultsOf({ schedule: schedule(() => undefined) });

  it.each([
    ['wasm', {}, true],
    ['wasm on two threads', { threads: 2, backends: nodeBackends }, true],
    ['native', { target: process.arch === 'arm64' ? neon : avx2, backends: nodeBackends }, hasLlvm],
    [
      'native on two threads',
      { target: process.arch === 'arm64' ? neon : avx2, backends: nodeBackends, threads: 2 },
      hasLlvm,
    ],
  ] as const)(
    'compute what they say, each with its weights: %s',
    { timeout: 60_000 },
    async (_, options, can) => {
      if (can) expect(await resultsOf(options)).toEqual(await expected);
    },
  );

  it('are planned and emitted once', () => {
    const planner = vi.fn<Planner<KernelChoice>>(csaPlanner({ edges: 'best' }));
    const many = unwrap(compileModuleSync(twelve, { planner }));
    const one = unwrap(compileModuleSync(parse(layers(1))));
    expect(planner).toHaveBeenCalledTimes(1);
    expect(children(many.stages.scheduled.root).map(symbolNameOf)).toEqual(['net', 'conv_2d_nchw_fchw']);
    expect(bytesOf(many)).toBeLessThan(bytesOf(one) + 12 * 100);
    // Each has its plan all the same, and its own panels.
    const convolutions = operationsIn(twelve.root).filter(({ name }) => name.startsWith('linalg.conv'));
    expect(many.plans.map(({ operation }) => operation)).toEqual(convolutions);
    const packed = (many.emitted as WasmModule).packings.map(({ parameter }) => parameter);
    expect(packed).toEqual(Array.from({ length: 12 }, (_, i) => 2 * i + 1));
    expect(many.functions).toHaveLength(1);
  });

  it('copy nothing between them', () => {
    const { bufferized } = unwrap(compileModuleSync(twelve)).stages;
    const [net] = children(bufferized.root);
    const names = operationsIn(net!).map(({ name }) => name);
    expect(names.filter((name) => name === 'memref.alloc')).toHaveLength(12);
    expect(names).not.toContain('memref.copy');
  });

  it('are reported once', () => {
    const [image, filters, sums] = ['1x2x9x3x4', '2x2x3x2x2', '1x2x7x2x3'].map(
      (shape) => `tensor<${shape}xf32>`,
    );
    const line = `linalg.conv_3d_ncdhw_fcdhw ins(%a, %f : ${image}, ${filters})`;
    const text = `func.func @f(%a: ${image}, %f: ${filters}, %b: ${sums}, %c: ${sums}) -> (${sums}, ${sums}) {
  %0 = ${line} outs(%b : ${sums}) -> ${sums}
  %1 = ${line} outs(%c : ${sums}) -> ${sums}
  return %0, %1 : ${sums}, ${sums}
}`;
    expect(compileModuleSync(parse(text)).diagnostics).toMatchObject([
      { code: 'sconv/unscheduled', location: { file: 'in.mlir', line: 2 } },
    ]);
  });
});

it('equal convolutions that are compiled together share code, and nothing else', async () => {
  const spec = { input: [1, 16, 9, 9], filters: [16, 16, 3, 3], bias: true, accumulate: false } as const;
  const other = { ...spec, activation: 'relu' } as const;
  const one = compileConvolution(spec);
  const [a, b, c] = await compileConvolutions([spec, spec, other]);
  const [alone] = await compileConvolutions([spec, other]);
  expect(bytesOf(a.artifact)).toBeLessThan(bytesOf(alone.artifact) + 300);
  const input = integerData(16 * 81, 1);
  const arrays = [2, 3, 4].map((seed) => ({
    filters: integerData(16 * 144, seed),
    bias: integerData(16, seed),
  }));
  const expected = arrays.map(({ filters, bias: ofOne }) => one.run(input, filters, { bias: ofOne }));
  const bound = [a, b, c].map((each, i) => each.bind(arrays[i]!));
  a.dispose();
  for (let times = 0; times < 3; times += 1) {
    expect(bound[1]!.run(input)).toEqual(expected[1]);
    expect(bound[2]!.run(input)).toEqual(expected[2]!.map((value) => Math.max(0, value)));
  }
  expect(() => bound[0]!.run(input)).toThrow('disposed');
  expect([b.plan?.tree, c.plan?.tree]).toEqual([one.plan?.tree, one.plan?.tree]);
});
