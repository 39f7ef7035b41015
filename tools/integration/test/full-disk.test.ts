/** The cache of native code on a disk that is too small: an error of one line, no file left, and never wrong code. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findToolchain } from '@sconv/native';
import { afterAll, describe, expect, it } from 'vitest';
import { isThorough } from './support/thorough.ts';

const toolchain = await findToolchain();
const folder = mkdtempSync(join(tmpdir(), 'sconv-disk-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const command = fileURLToPath(new URL('../../../packages/sconv/bin/sconv.js', import.meta.url));
const payload = join(folder, 'conv.mlir');
writeFileSync(
  payload,
  `func.func @conv(%in: tensor<1x3x9x9xf32>, %filters: tensor<5x3x3x3xf32>, %out: tensor<1x5x7x7xf32>) -> tensor<1x5x7x7xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%in, %filters : tensor<1x3x9x9xf32>, tensor<5x3x3x3xf32>)
    outs(%out : tensor<1x5x7x7xf32>) -> tensor<1x5x7x7xf32>
  return %0 : tensor<1x5x7x7xf32>
}
`,
);

const disk = join(folder, 'disk');
mkdirSync(disk);

const spawned = (program: string, ...words: readonly string[]) =>
  spawnSync(program, words, { encoding: 'utf8', env: { ...process.env, XDG_CACHE_HOME: disk } });

/** Runs it with a disk of this size for its cache, in a mount namespace of its own; then lists the files left on it. */
const withDisk = (kibibytes: number, ...words: readonly string[]) => {
  const script = `mount -t tmpfs -o size=${kibibytes}k none "$0" || exit 77; "$@"; status=$?; find "$0" -type f; exit $status`;
  return spawned('unshare', '--mount', '--map-root-user', 'sh', '-c', script, disk, ...words);
};

/** The same with files of at most this size. */
const withLimit = (kibibytes: number, ...words: readonly string[]) =>
  spawned(
    'bash',
    '-c',
    `ulimit -f ${kibibytes}; "$@"; status=$?; find "$0" -type f; exit $status`,
    disk,
    ...words,
  );

const isPossible = withDisk(4, 'true').status === 0;
const convolution = [process.execPath, command, 'run', payload, '--target', 'host', '--check'];

describe.skipIf(!('paths' in toolchain))('a cache', () => {
  it.skipIf(!isPossible).each(isThorough ? [4, 8, 32, 64, 128, 4096] : [4, 64, 4096])(
    'on a disk of %i KiB has right code or an error of one line',
    (kibibytes) => {
      const { status, stdout, stderr } = withDisk(kibibytes, ...convolution);
      const errors = stderr.split('\n').filter((line) => line.includes('error:'));
      if (status === 0) {
        expect(kibibytes).toBeGreaterThan(32);
        expect(stdout).toMatch(/all 245 elements equal the reference convolution/);
        expect(stdout.match(/\/disk\/.*$/gm)?.sort()).toEqual([
          expect.stringMatching(/\.so$/),
          expect.stringMatching(/\.so\.sha256$/),
        ]);
      } else {
        expect(kibibytes).toBeLessThan(4096);
        expect(errors).toEqual([expect.stringMatching(/no space left for it in .*native \[native\/load\]$/)]);
        expect(stdout).not.toContain(disk);
      }
    },
  );

  it('of files that may not grow has an error of one line', () => {
    const { status, stdout, stderr } = withLimit(4, ...convolution);
    expect(status).toBe(1);
    expect(stderr).toMatch(/no space left for it in .*native \[native\/load\]$/m);
    expect(stdout).not.toContain(disk);
  });
});
