/** The commands on code for other processors. LLVM and emulators are replaced by scripts. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseShape } from '@sconv/csa';
import { mma } from '@sconv/targets';
import { beforeEach, expect, it, vi } from 'vitest';
import { clocks } from '../src/bench/clock.ts';
import { measurePayload } from '../src/bench/measure-payload.ts';
import { measuredPeaks } from '../src/bench/measure-sides.ts';
import { ours } from '../src/bench/ours.ts';
import { dataOf } from '../src/bench/workload.ts';
import { runShapes } from '../src/convbench/run-shapes.ts';
import { convolutionPayload } from '../src/index.ts';
import { tune } from '../src/node.ts';
import { main } from '../src/sconv.ts';
import { capture, fileWith, temporaryFolder } from './support/capture.ts';

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
  // Where no result is an argument.
  for (const qemu of ['qemu-ppc64le', 'qemu-x86_64']) program(qemu, String.raw`printf '\377\377\377\377'`);
  for (const name of ['SCONV_LLVM', 'SCONV_EMULATORS', 'XDG_CACHE_HOME']) vi.stubEnv(name, folder);
  return () => vi.unstubAllEnvs();
});

const hasQemu =
  ['mlir-opt-19', 'mlir-translate-19', 'clang-19', 'qemu-ppc64le'].every(
    (tool) => spawnSync(tool, ['--version']).status === 0,
  ) && existsSync('/usr/powerpc64le-linux-gnu/lib/libc.a');

it.skipIf(!hasQemu)('convbench checks what an emulator runs, and does not time it', async () => {
  for (const name of ['SCONV_LLVM', 'SCONV_EMULATORS']) vi.stubEnv(name, undefined);
  const [outcome] = await runShapes([parseShape('1x5x9x10,8x5x3x2')], { target: mma, samples: 3 });
  expect(outcome).toMatchObject({ check: 'right' });
  expect(outcome).not.toHaveProperty('seconds');
});

it('shapes are not measured in an emulator', async () => {
  const shape = parseShape('1x5x9x10,6x5x3x2');
  await expect(async () => ours('mma', mma).prepare(shape, 'bound', dataOf(shape))).rejects.toThrow(
    'qemu-ppc64le -cpu power10 would run it, whose time says nothing',
  );
});

it('nor are payloads', async () => {
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

it('nor are plans tuned', async () => {
  const payload = convolutionPayload({ input: [1, 4, 8, 8], filters: [8, 4, 3, 3] });
  const { diagnostics } = await tune(payload, { target: mma });
  expect(diagnostics.at(-1)?.code).toBe('tune/emulated');
});

it('nor are the parts of a function', async () => {
  const payload = fileWith('func.func @f() { return }');
  const { code, err } = await capture(main, 'run', payload, '--target', 'mma', '--profile');
  expect(code).toBe(1);
  expect(err).toContain('[run/emulated]');
});

it.each([
  [['--target', 'mma'], 'mma', 'qemu-ppc64le -cpu power10', 'native/emulated'],
  [['--target', 'avx2', '--emulate'], 'avx2', 'qemu-x86_64 -cpu max', undefined],
])('run %j says what runs the code', async (words, target, emulator, warning) => {
  const payload = fileWith('func.func @f() { return }');
  const { code, out, err } = await capture(main, 'run', payload, ...words, '--repeat', '1');
  expect([code, out.split('\n')[0]]).toEqual([0, `function      @f on ${target}, run by ${emulator}`]);
  if (warning === undefined) expect(err).toBe('');
  else expect(err).toContain(warning);
  const json = await capture(main, 'run', payload, ...words, '--repeat', '1', '--json');
  expect(JSON.parse(json.out)).toMatchObject({ target, emulator, gflops: null });
});

it.each([
  ['the emulator', 'qemu-ppc64le', 'SIGTERM', 143],
  ['a tool', 'clang', 'SIGINT', 130],
] as const)('a signal ends %s, and the command', async (_, program, signal, expected) => {
  const folder = process.env['XDG_CACHE_HOME']!;
  const file = join(folder, 'pid');
  const script = `#!/bin/sh\n[ "$1" = --version ] && echo "LLVM version 19.1.0" && exit 0\necho $$ > ${file}.new; mv ${file}.new ${file}; exec sleep 60\n`;
  writeFileSync(join(folder, program), script, { mode: 0o755 });
  const running = capture(main, 'run', fileWith('func.func @f() { return }'), '--target', 'mma');
  await vi.waitUntil(() => existsSync(file), { timeout: 20_000 });
  process.emit(signal, signal);
  expect(await running).toMatchObject({ code: expected, out: '' });
  const pid = Number(readFileSync(file, 'utf8'));
  await vi.waitUntil(() => !isRunning(pid), { timeout: 20_000 });
  expect([process.listenerCount('SIGINT'), process.listenerCount('SIGTERM')]).toEqual([0, 0]);
});

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
