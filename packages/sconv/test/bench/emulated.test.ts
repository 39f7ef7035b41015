/** Code that an emulator would run is not measured. LLVM and the emulator are scripts here. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseShape } from '@sconv/csa';
import { mma } from '@sconv/targets';
import { beforeEach, expect, it, vi } from 'vitest';
import { clocks } from '../../src/bench/clock.ts';
import { measurePayload } from '../../src/bench/measure-payload.ts';
import { measuredPeaks } from '../../src/bench/measure-sides.ts';
import { ours } from '../../src/bench/ours.ts';
import { dataOf } from '../../src/bench/workload.ts';
import { temporaryFolder } from '../support/capture.ts';

beforeEach(() => {
  const folder = temporaryFolder();
  const program = (name: string, text: string): void => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  };
  for (const tool of ['mlir-opt', 'mlir-translate', 'clang']) {
    program(
      tool,
      'for last; do :; done\n[ "$last" = --version ] && echo "LLVM version 19.1.0" || echo > "$last"',
    );
  }
  program('qemu-ppc64le', 'head -c 4');
  for (const name of ['SCONV_LLVM', 'SCONV_EMULATORS', 'XDG_CACHE_HOME']) vi.stubEnv(name, folder);
  return () => vi.unstubAllEnvs();
});

it('shapes', async () => {
  const shape = parseShape('1x5x9x10,6x5x3x2');
  await expect(async () => ours('mma', mma).prepare(shape, 'bound', dataOf(shape))).rejects.toThrow(
    'qemu-ppc64le -cpu power10 would run it, whose time says nothing',
  );
});

it('payloads', async () => {
  const clock = clocks.wall;
  const result = await measurePayload(
    {
      request: {
        payload: { name: 'a.mlir', text: 'func.func @f() { return }' },
        target: mma,
        edges: 'best',
        functionName: undefined,
      },
      schedules: [undefined],
    },
    { samples: 1, sampleSeconds: 1e-4, warmUpSeconds: 0, clock, peaks: measuredPeaks(clock) },
  );
  expect(result.diagnostics).toMatchObject([{ code: 'native/emulated' }, { code: 'bench/emulated' }]);
});
