import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { integerData } from '@sconv/interpreter';
import type { NativeModule } from '@sconv/native';
import { avx2, neon } from '@sconv/targets';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { compileConvolutions } from '../src/compile-convolution.ts';
import type { ConvolutionSpec } from '../src/convolution-spec.ts';
import { nodeBackends } from '../src/node.ts';
import { isThorough } from './support/thorough.ts';

const hasLlvm =
  ['x64', 'arm64'].includes(process.arch) &&
  ['mlir-opt-19', 'mlir-translate-19', 'clang-19'].every(
    (tool) => spawnSync(tool, ['--version']).status === 0,
  );
const cache = mkdtempSync(join(tmpdir(), 'sconv-threads-'));
beforeAll(() => {
  vi.stubEnv('XDG_CACHE_HOME', cache);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(cache, { recursive: true, force: true });
});

const count = (sizes: readonly number[]): number => sizes.reduce((product, size) => product * size, 1);

/** Numbers whose sums are rounded, so that their order shows. */
const fractions = (length: number, seed: number): Float32Array =>
  integerData(length, seed).map((value, i) => value * 0.1 + Math.sin(i));

const bitsOf = (elements: Float32Array): Uint32Array => new Uint32Array(elements.slice().buffer);

/** Distributed by rows with a remainder, by filters with one, by images, and by groups; strides, dilations, padding. */
const all: readonly ConvolutionSpec[] = [
  { input: [1, 32, 33, 31], filters: [48, 32, 3, 3] },
  { input: [1, 128, 9, 9], filters: [131, 128, 3, 3] },
  { input: [5, 24, 14, 14], filters: [40, 24, 3, 3] },
  { input: [1, 64, 41, 43], filters: [32, 64, 2, 3], strides: [2, 1], dilations: [1, 2], padding: [1, 2] },
  { input: [1, 256, 28, 28], filters: [64, 256, 1, 1] },
  { input: [1, 64, 20, 20], filters: [64, 16, 3, 3], groups: 4 },
];
const specs = isThorough ? all : all.slice(0, 3);

describe.skipIf(!hasLlvm)('convolutions on native threads', () => {
  it('are those of one to the bit, filters bound or not', async () => {
    const options = { target: process.arch === 'arm64' ? neon : avx2, backends: nodeBackends };
    const alone = await compileConvolutions(specs.map((spec) => ({ ...spec, ...options })));
    const shared = await compileConvolutions(specs.map((spec) => ({ ...spec, ...options, threads: 3 })));
    const [first] = shared;
    expect(first!.warnings.filter(({ code }) => code.startsWith('native/'))).toEqual([]);
    const { threaded, kept } = first!.artifact.emitted as NativeModule;
    expect(threaded!.mlir.match(/call @sconv\$share/g)?.length).toBeGreaterThanOrEqual(specs.length);
    expect(kept.every((each) => each.some(({ parameter }) => parameter === 1))).toBe(true);
    for (const [i, spec] of specs.entries()) {
      const [one, several] = [alone[i]!, shared[i]!];
      const [input, filters] = [fractions(count(spec.input), 1), fractions(count(spec.filters), 2)];
      const initial = fractions(count(one.output), 3);
      const expected = bitsOf(one.run(input, filters, { initial }));
      expect(bitsOf(await several.runAsync(input, filters, { initial }))).toEqual(expected);
      expect(bitsOf(several.run(input, filters, { initial }))).toEqual(expected);
      const bound = several.bind(filters);
      // The first call keeps the packed filters, the others reuse them.
      for (let call = 0; call < 3; call++) {
        expect(bitsOf(await bound.runAsync(input, { initial }))).toEqual(expected);
        expect(bitsOf(bound.run(input, { initial }))).toEqual(expected);
      }
    }
    for (const each of [...alone, ...shared]) each.dispose();
  });
});
