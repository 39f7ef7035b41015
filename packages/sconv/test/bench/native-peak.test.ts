import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { avx2, neon, sconvDefaults } from '@sconv/targets';
import { afterAll, expect, it, vi } from 'vitest';
import { clocks } from '../../src/bench/clock.ts';
import { nativePeak } from '../../src/bench/native-peak.ts';

const cache = mkdtempSync(join(tmpdir(), 'sconv-peak-'));
vi.stubEnv('XDG_CACHE_HOME', cache);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(cache, { recursive: true, force: true });
});

const hasLlvm =
  ['x64', 'arm64'].includes(process.arch) &&
  ['mlir-opt-19', 'mlir-translate-19', 'clang-19'].every(
    (tool) => spawnSync(tool, ['--version']).status === 0,
  );

it.skipIf(!hasLlvm)('the peak of a native target is measured', async () => {
  const peak = (await nativePeak(process.arch === 'arm64' ? neon : avx2, clocks.wall))();
  // More than scalar code can reach on any machine, and less than a core can.
  expect(peak).toBeGreaterThan(1e8);
  expect(peak).toBeLessThan(1e12);
});

it('a target without vectors has none', async () => {
  await expect(nativePeak(sconvDefaults, clocks.wall)).rejects.toThrow("'default' has no vectors");
});
