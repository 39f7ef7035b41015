/** Native code computes what the interpreter does: a few programs of each kind. */
import { findToolchain } from '@sconv/native';
import { avx2, neon } from '@sconv/targets';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { drawNative } from '../src/draw-native.ts';
import { runNative } from '../src/fuzz-native.ts';
import { randomOf } from '../src/random.ts';

const cache = mkdtempSync(join(tmpdir(), 'sconv-fuzz-'));
afterAll(() => {
  rmSync(cache, { recursive: true, force: true });
});

const isHost = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
const hasLlvm = isHost && 'paths' in (await findToolchain());
const target = process.arch === 'arm64' ? neon : avx2;

it.skipIf(!hasLlvm)('random programs compute what the interpreter does', { timeout: 120_000 }, async () => {
  vi.stubEnv('XDG_CACHE_HOME', cache);
  const { faults, statistics } = await runNative({ seed: 5, from: 0, to: 50 }, target);
  vi.unstubAllEnvs();
  expect(faults).toEqual([]);
  expect(statistics.payloads).toBe(50);
});

it('program i of a seed depends on both only', () => {
  const text = (seed: number, index: number): string => drawNative(randomOf(seed, index)).text;
  expect(text(1, 7)).toBe(text(1, 7));
  expect(new Set([text(1, 7), text(1, 8), text(2, 7)]).size).toBe(3);
});
