import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwrap } from '@sconv/diagnostics';
import { findToolchain, nativeBackend } from '@sconv/native';
import { avx2, avx512, neon } from '@sconv/targets';
import { compileModule } from 'sconv';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cases, convolutionFunction, listing1 } from './support/convolutions.ts';
import { dataOf, firstMismatch, parse } from './support/stages.ts';

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

/** One module, to start LLVM only once. */
const payload = parse(
  shapes.map((shape, i) => convolutionFunction(`conv${i}`, shape)).join('\n'),
  'convolutions.mlir',
);

/** Slow LLVM compilations: vectors of both widths, tiles of several sizes. */
const compilations = [
  ...(['best', 'composed'] as const).map((edges) => ({
    target: process.arch === 'arm64' ? neon : avx2,
    edges,
  })),
  { target: avx512, edges: 'best' as const },
];

describe.skipIf(!hasLlvm)('native code', () => {
  it.each(compilations)(
    'for $target.name computes convolutions with edges that are $edges',
    async ({ target, edges }) => {
      const compiled = await compileModule(payload, { target, edges, backends: [nativeBackend] });
      // A processor without the extension reports that; emulators have their own tests.
      if (compiled.diagnostics.some(({ code }) => code === 'native/processor')) return;
      const artifact = unwrap(compiled);
      if (artifact.emulator !== undefined) return;
      for (const [i, shape] of shapes.entries()) {
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
