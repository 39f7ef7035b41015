import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { machineLock } from '../src/index.ts';

let locks = 0;
const newName = (): string => `sconv-test-${process.pid}-${(locks += 1)}`;

/** What began and ended, in order: `m` and `c` in capitals when they begin. */
const traced = () => {
  const trace: string[] = [];
  const work = (letter: string, milliseconds: number) => async () => {
    trace.push(letter.toUpperCase());
    await setTimeout(milliseconds);
    trace.push(letter);
  };
  return { trace, work };
};

describe('measuring', () => {
  it('is done by one at a time, while nobody compiles', async () => {
    const name = newName();
    const { trace, work } = traced();
    // Each as if it were another process.
    const lock = () => machineLock({ name });
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        i % 3 === 0 ? lock().measuring(work('m', 3)) : lock().compiling(work('c', 2)),
      ),
    );
    expect(trace).toHaveLength(24);
    const text = trace.join('');
    expect(text.match(/M/g)).toHaveLength(4);
    expect(text.replaceAll('Mm', '')).toMatch(/^[Cc]*$/);
    for (const before of text.split('Mm'))
      expect(before.match(/C/g)?.length ?? 0).toBe(before.match(/c/g)?.length ?? 0);
  });

  it('waits for another process, and goes on when that is killed', async () => {
    const name = newName();
    const script = `import { machineLock } from '@sconv/tuning';
      machineLock({ name: '${name}' }).measuring(() => new Promise(() => {
        setInterval(() => undefined, 1000);
        console.log('has it');
      }));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const { trace, work } = traced();
    const both = Promise.all([
      machineLock({ name }).measuring(work('m', 0)),
      machineLock({ name }).compiling(work('c', 0)),
    ]);
    await setTimeout(50);
    expect(trace).toEqual([]);
    child.kill('SIGKILL');
    await both;
    expect(trace).toHaveLength(4);
  });

  it('does not wait once the signal has come, and frees the lock when its work fails', async () => {
    const name = newName();
    const controller = new AbortController();
    const failing = machineLock({ name }).measuring(async () => {
      const waiting = machineLock({ name, signal: controller.signal }).measuring(() => Promise.resolve(1));
      await setTimeout(5);
      controller.abort();
      expect(await waiting).toBe(1);
      throw new Error('it failed');
    });
    await expect(failing).rejects.toThrow('it failed');
    await machineLock({ name }).measuring(() => Promise.resolve());
  });

  it('goes on where an address is a file, which whoever was killed has left', async () => {
    const { platform } = process;
    onTestFinished(() => {
      Object.defineProperty(process, 'platform', { value: platform });
    });
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    const name = newName();
    const file = join(tmpdir(), `${name}-measuring.socket`);
    const script = `require('node:net').createServer().listen(${JSON.stringify(file)}, () => {
        process.kill(process.pid, 'SIGKILL');
      });`;
    await once(spawn(process.execPath, ['-e', script], { stdio: 'inherit' }), 'exit');
    expect(existsSync(file)).toBe(true);
    const { trace, work } = traced();
    // Both find at once that nobody listens.
    await Promise.all([
      machineLock({ name }).measuring(work('m', 0)),
      machineLock({ name }).measuring(work('m', 0)),
    ]);
    expect(trace.join('')).toBe('MmMm');
    expect(existsSync(file)).toBe(false);
  });
});
