import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plan } from '@sconv/plans';
import type { NativeModule } from '@sconv/native';
import { elementCount, operationsIn } from '@sconv/ir';
import { avx2, neon } from '@sconv/targets';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CompiledConvolution } from '../src/compile-convolution.ts';
import { compileConvolutionAsync } from '../src/compile-convolution.ts';
import { nodeBackends } from '../src/node.ts';

const hasLlvm =
  ['x64', 'arm64'].includes(process.arch) &&
  ['mlir-opt-19', 'mlir-translate-19', 'clang-19'].every(
    (tool) => spawnSync(tool, ['--version']).status === 0,
  );
const cache = mkdtempSync(join(tmpdir(), 'sconv-memory-'));
beforeAll(() => {
  vi.stubEnv('XDG_CACHE_HOME', cache);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(cache, { recursive: true, force: true });
});

const taps = 9;
const compiled = (channels: number, filters: number, extent: number): Promise<CompiledConvolution> =>
  compileConvolutionAsync({
    input: [1, channels, extent, extent],
    filters: [filters, channels, 3, 3],
    target: process.arch === 'arm64' ? neon : avx2,
    backends: nodeBackends,
  });

/** A packing of a plan: bytes of its panels, and the number of iterations with different contents. */
interface Packed {
  readonly operand: 'input' | 'filters';
  readonly bytes: number;
  readonly copies: number;
}

const kernelOf = (plan: Plan): Extract<Plan, { kind: 'kernel' }> | undefined => {
  if (plan.kind === 'kernel') return plan;
  return 'body' in plan ? kernelOf(plan.body) : undefined;
};

const packings = (plan: Plan, copies = 1): readonly Packed[] => {
  switch (plan.kind) {
    case 'split':
      return plan.parts.flatMap(({ body }) => packings(body, copies));
    case 'loop': {
      const isAnother = plan.dimension === 'channels' || plan.dimension === 'filters';
      return packings(plan.body, isAnother ? copies * plan.count : copies);
    }
    case 'pack': {
      const { extents } = kernelOf(plan.body)!;
      const width = plan.operand === 'input' ? extents.windows : extents.filters;
      const bytes = plan.tiles * width * extents.channels * taps * 4;
      return [{ operand: plan.operand, bytes, copies }, ...packings(plan.body, copies)];
    }
    default:
      return [];
  }
};

const sorted = (values: readonly number[]): readonly number[] => [...values].sort((a, b) => a - b);

describe.skipIf(!hasLlvm)('the memory of native code', () => {
  it.each([
    [64, 64, 30],
    [40, 66, 17],
    [96, 24, 9],
  ])('is what the plan packs, for %i channels, %i filters and %i rows', async (...sizes) => {
    const convolution = await compiled(...sizes);
    const { artifact } = convolution;
    const packed = packings(convolution.plan!.tree);
    const allocated = operationsIn(artifact.stages.bufferized.root).flatMap(({ name, results }) =>
      name === 'memref.alloc' && results[0]?.type.kind === 'memref'
        ? [4 * elementCount(results[0].type.shape)]
        : [],
    );
    expect(sorted(allocated)).toEqual(sorted(packed.map(({ bytes }) => bytes)));
    const [kept] = (artifact.emitted as NativeModule).kept;
    const ofFilters = packed.filter(({ operand }) => operand === 'filters');
    // Parts of the windows that pack the same filters share what is kept; other filters are of other sizes here.
    const distinct = new Map(ofFilters.map((each) => [`${each.bytes} ${each.copies}`, each]));
    const aligned = [...distinct.values()].map(({ bytes, copies }) => Math.ceil((bytes * copies) / 64) * 64);
    expect(kept?.find(({ parameter }) => parameter === 1)?.bytes).toBe(
      aligned.reduce((sum, bytes) => sum + bytes, 0),
    );
    convolution.dispose();
  });

  it('does not grow in 1,000 calls', async () => {
    const convolution = await compiled(64, 64, 16);
    const [input, filters] = [new Float32Array(64 * 16 * 16).fill(1), new Float32Array(64 * 64 * 9).fill(1)];
    const output = new Float32Array(64 * 14 * 14);
    const bound = convolution.artifact.bind('convolve', { 1: filters });
    const calls = (count: number): void => {
      for (let i = 0; i < count; i += 1) {
        convolution.artifact.run('convolve', input, filters, output);
        bound.run(input, output);
      }
    };
    calls(100);
    const before = process.memoryUsage().rss;
    calls(1000);
    // The panels of one call take more than 100 KB: leaked, those of 1,000 calls would take more than 100 MB.
    expect(process.memoryUsage().rss - before).toBeLessThan(32e6);
    convolution.dispose();
  });

  it.skipIf(process.platform !== 'linux')('is given back by dispose, code and all', async () => {
    const mapped = (): number => readFileSync('/proc/self/maps', 'utf8').split(cache).length - 1;
    const before = mapped();
    const convolution = await compiled(8, 8, 9);
    expect(mapped()).toBeGreaterThan(before);
    convolution.dispose();
    expect(mapped()).toBe(before);
    expect(() => convolution.run(new Float32Array(648), new Float32Array(576))).toThrow('disposed');
  });
});
