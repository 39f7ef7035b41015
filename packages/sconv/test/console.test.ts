import { execFileSync, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Diagnostic } from '@sconv/diagnostics';
import { unwrap } from '@sconv/diagnostics';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CommandProcess } from '../src/console.ts';
import { endWith, guarded, processConsole, readBytes } from '../src/console.ts';

/** The output and exit code of a process whose command ends with `code` and meets these errors. */
const ending = async (
  code: number,
  errors: { readonly out?: readonly string[]; readonly err?: readonly string[] } = {},
): Promise<{
  readonly said: string;
  readonly exitCode: CommandProcess['exitCode'];
  readonly words: unknown;
}> => {
  let said = '';
  const stderr = Object.assign(new EventEmitter(), { write: (text: string) => (said += text) });
  const host: CommandProcess = { argv: ['node', 'sconv', 'run', 'x'], stdout: new EventEmitter(), stderr };
  const raise = (stream: NodeJS.EventEmitter, codes: readonly string[] = []): void => {
    for (const each of codes) stream.emit('error', Object.assign(new Error(`${each}: why`), { code: each }));
  };
  let words: unknown;
  const main = (given: readonly string[]): Promise<number> => {
    words = given;
    raise(host.stdout, errors.out);
    raise(host.stderr, errors.err);
    return Promise.resolve(code);
  };
  await endWith(main, host);
  return { said, exitCode: host.exitCode, words };
};

describe('a process', () => {
  it('gives its command the words after its name', async () => {
    expect((await ending(0)).words).toEqual(['run', 'x']);
  });
  it.each([
    ['work that is done', 0, {}, undefined, ''],
    ['work that failed', 1, {}, 1, ''],
    ['bad usage', 2, {}, 2, ''],
    ['a reader that has gone away', 0, { out: ['EPIPE'] }, undefined, ''],
    ['a reader that has gone away from work that failed', 1, { out: ['EPIPE'] }, 1, ''],
    ['a full disk', 0, { out: ['ENOSPC'] }, 1, 'error: cannot write to the standard output: ENOSPC: why\n'],
    [
      'a disk that stays full',
      0,
      { out: ['EIO', 'ERR_STREAM_DESTROYED'] },
      1,
      'error: cannot write to the standard output: EIO: why\n',
    ],
    ['no place for errors', 1, { err: ['ENOSPC'] }, 1, ''],
  ])('ends after %s', async (_, code, errors, exitCode, said) => {
    expect(await ending(code, errors)).toMatchObject({ said, exitCode });
  });
});

describe('a mistake of the program', () => {
  /** The report for work that throws. */
  const guard = async (): Promise<{ code: number; err: string; diagnostics: readonly Diagnostic[] }> => {
    let err = '';
    const diagnostics: Diagnostic[] = [];
    const code = await guarded(
      {
        out: () => undefined,
        err: (text) => (err += text),
        isTerminal: false,
        onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      },
      () => {
        throw new Error('no such operation');
      },
    );
    return { code, err, diagnostics };
  };
  const said =
    'internal error: no such operation\nThis is a bug of sconv: please report it, with the input.\n';

  it('is said to be one, without a stack', async () => {
    expect(await guard()).toMatchObject({
      code: 1,
      err: said,
      diagnostics: [{ code: 'sconv/internal', message: 'internal error: no such operation' }],
    });
  });
  it('shows its stack on demand', async () => {
    vi.stubEnv('SCONV_STACK', '1');
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const { err } = await guard();
    expect(err.startsWith(said)).toBe(true);
    expect(err).toMatch(/^ +at .*console\.test\.ts/m);
  });
});

it('the console of a process writes to its streams', () => {
  const written: unknown[] = [];
  for (const name of ['stdout', 'stderr'] as const) {
    const write = vi
      .spyOn(process[name], 'write')
      .mockImplementation((data) => written.push([name, data]) > 0);
    onTestFinished(() => {
      write.mockRestore();
    });
  }
  processConsole.out('a result');
  processConsole.out('bytes \udcff');
  processConsole.err('an error');
  expect(written).toEqual([
    ['stdout', 'a result'],
    ['stdout', Uint8Array.of(...Buffer.from('bytes '), 0xff)],
    ['stderr', 'an error'],
  ]);
});

describe('reading', () => {
  const path = fileURLToPath(import.meta.url);

  it.each([
    ['a device without an end', '/dev/zero', 100_000],
    ['a file that is too long', path, 10],
  ])('stops at %s', (_, file, most) => {
    expect(readBytes(file, file, most)).toMatchObject({
      status: 'definite',
      diagnostics: [{ code: 'sconv/cannot-read', message: `cannot read: more than ${most} bytes` }],
    });
  });

  it('takes files and devices whole', () => {
    expect(unwrap(readBytes(path)).toString()).toContain('takes files and devices whole');
    expect(unwrap(readBytes('/dev/null'))).toHaveLength(0);
    const directory = mkdtempSync(join(tmpdir(), 'sconv-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const pipe = join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const text = 'x'.repeat(200_000);
    spawn(process.execPath, [
      '-e',
      `require('node:fs').writeFileSync(${JSON.stringify(pipe)}, 'x'.repeat(200000))`,
    ]);
    expect(unwrap(readBytes(pipe)).toString()).toBe(text);
  });
});
