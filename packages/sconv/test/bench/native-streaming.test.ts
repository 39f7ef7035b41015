import { spawnSync } from 'node:child_process';
import { avx2, neon } from '@sconv/targets';
import { expect, it } from 'vitest';
import { nativeStreamingLoop } from '../../src/bench/native-streaming.ts';

const hasLlvm =
  ['x64', 'arm64'].includes(process.arch) &&
  ['mlir-opt-19', 'mlir-translate-19', 'clang-19'].every(
    (tool) => spawnSync(tool, ['--version']).status === 0,
  );

it.skipIf(!hasLlvm)('native code reads and writes as much as it is told', async () => {
  const stream = await nativeStreamingLoop(process.arch === 'arm64' ? neon : avx2, 2 ** 23);
  const seconds = (read: number, written: number): number => {
    const times = Array.from({ length: 9 }, () => {
      const start = performance.now();
      stream(4, read, written);
      return performance.now() - start;
    });
    return Math.min(...times);
  };
  stream(1, 0, 0);
  // 64 times as much, in slower caches: whatever else the machine does, that takes longer.
  expect(seconds(2 ** 22, 2 ** 22)).toBeGreaterThan(4 * seconds(2 ** 16, 2 ** 16));
});
