import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseShape, planForTarget } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import { findToolchain, nativeBackend } from '@sconv/native';
import { avx2, avx512, neon, zen4 } from '@sconv/targets';
import { compileModule } from 'sconv';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cases, convolutionFunction, listing1 } from './support/convolutions.ts';
import { dataOf, firstMismatch, parse } from './support/stages.ts';
import { isThorough } from './support/thorough.ts';

const hasLlvm = 'paths' in (await findToolchain());

const shapes = [
  ...new Map([...cases, ...listing1].map(({ shape }) => [JSON.stringify(shape), shape])).values(),
];

const cache = mkdtempSync(join(tmpdir(), 'sconv-native-'));
beforeAll(() => {
  vi.stubEnv('XDG_CACHE_HOME', cache);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(cache, { recursive: true, force: true });
});

/** Every n-th shape, from one that differs between the compilations. */
const every = (n: number, from = 0): typeof shapes =>
  isThorough ? shapes : shapes.filter((_, i) => i % n === from);

/** Whether the code of a target runs here, without an emulator: those of other processors have their own tests. */
const runsHere = ({ name }: { readonly name: string }): boolean =>
  !['avx512', 'zen4'].includes(name) ||
  (process.platform === 'linux' && readFileSync('/proc/cpuinfo', 'utf8').includes('avx512f'));

/** Slow LLVM compilations: vectors of both widths, tiles of several sizes. */
const host = process.arch === 'arm64' ? neon : avx2;
const compilations = [
  { target: host, edges: 'best' as const, given: every(12) },
  { target: host, edges: 'composed' as const, given: every(12, 1) },
  { target: host, edges: 'transposed' as const, given: every(12, 4) },
  { target: avx512, edges: 'best' as const, given: every(12, 2) },
];

describe.skipIf(!hasLlvm)('native code', () => {
  it.skipIf(process.arch === 'arm64').each([avx2, zen4].filter((target) => isThorough || runsHere(target)))(
    'for $name computes outputs of 7x7 in one tile, and of 3x3 along the filters',
    async (target) => {
      // Whole tiles, remainders of both dimensions, and several sets of channels.
      const few = ['1x256x3x3,96x256x1x1', '1x64x9x9,516x64x3x3', '1x600x7x7,404x600x1x1'].map(parseShape);
      const kernels = few.map((shape) => planForTarget(shape, target, { edges: 'best' }).microkernel);
      expect(kernels.map(({ windows, vectorized }) => (windows === 49 ? windows : vectorized))).toEqual([
        'filters',
        49,
        49,
      ]);
      const text = few.map((shape, i) => convolutionFunction(`conv${i}`, shape)).join('\n');
      const compiled = await compileModule(parse(text, 'few.mlir'), { target, backends: [nativeBackend] });
      if (compiled.diagnostics.some(({ code }) => code === 'native/processor')) return;
      const artifact = unwrap(compiled);
      if (artifact.emulator !== undefined) return;
      for (const [i, shape] of few.entries()) {
        const data = dataOf(shape);
        const output = data.initial.slice();
        artifact.run(`conv${i}`, data.input, data.filters, output);
        expect(firstMismatch(output, data.expected)).toBeUndefined();
      }
      artifact.dispose();
    },
  );
  it.each(compilations.filter(({ target }) => isThorough || runsHere(target)))(
    'for $target.name computes convolutions with edges that are $edges',
    async ({ target, edges, given }) => {
      // One module, to start LLVM only once.
      const text = given.map((shape, i) => convolutionFunction(`conv${i}`, shape)).join('\n');
      const payload = parse(text, 'convolutions.mlir');
      const compiled = await compileModule(payload, { target, edges, backends: [nativeBackend] });
      // A processor without the extension reports that; emulators have their own tests.
      if (compiled.diagnostics.some(({ code }) => code === 'native/processor')) return;
      const artifact = unwrap(compiled);
      if (artifact.emulator !== undefined) return;
      for (const [i, shape] of given.entries()) {
        const data = dataOf(shape);
        const output = data.initial.slice();
        const [result] = artifact.run(`conv${i}`, data.input, data.filters, output);
        expect(result).toBe(output);
        expect(firstMismatch(output, data.expected)).toBeUndefined();
      }
      artifact.dispose();
    },
  );
});
