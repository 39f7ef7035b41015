import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { Measurer, Outcome } from '../src/index.ts';
import { startMeasurer } from '../src/index.ts';

const file = fileURLToPath(new URL('support/planted-worker.mjs', import.meta.url));

const measurer: Measurer = startMeasurer({
  file,
  setup: { milliseconds: 0.2 },
  nodeOptions: ['--max-old-space-size=24'],
});
afterAll(() => {
  measurer.close();
});

const measure = (code: string, limit = 60): Promise<Outcome> =>
  measurer.ask({ kind: 'measure', emitted: code, temperature: 'cold', runs: 3 }, limit);

describe('a process that measures', () => {
  it.each([
    ['crash', { kind: 'ended', reason: 'its process ended by SIGSEGV' }],
    ['exits', { kind: 'ended', reason: 'its process ended with exit code 3' }],
    ['out of memory', { kind: 'ended', reason: 'it ran out of memory' }],
    ['one wrong element', { kind: 'wrong', wrong: 1, elements: 4, when: 'first' }],
    ['stale', { kind: 'wrong', wrong: 9, elements: 12, when: 'timed' }],
    ['throws', { kind: 'failed', reason: 'it divides by zero' }],
    ['does not load', { kind: 'failed', reason: 'it does not load' }],
  ])('says what becomes of code that is planted to: %s', async (code, expected) => {
    expect(await measure(code)).toMatchObject(expected);
    // And measures what comes next.
    expect(await measure('right')).toMatchObject({ kind: 'measured', calls: 1 });
  });

  it('is killed after its time', async () => {
    const late = await measure('endless loop', 0.3);
    expect(late).toMatchObject({ kind: 'late', limit: 0.3 });
    expect(late.elapsed).toBeLessThan(30);
  });

  it('takes the times of as many runs as asked, of calls or of batches', async () => {
    for (const temperature of ['cold', 'warm'] as const) {
      const answer = await measurer.ask({ kind: 'measure', emitted: 'right', temperature, runs: 2 }, 60);
      if (answer.kind !== 'measured') throw new Error(answer.kind);
      expect(answer.seconds).toHaveLength(2);
      expect(Math.min(...answer.seconds)).toBeGreaterThan(0.0001);
      expect(answer.calls > 1).toBe(temperature === 'warm');
    }
  });

  it('gives outputs and the peak', async () => {
    expect(await measurer.ask({ kind: 'output', emitted: 'right' }, 60)).toMatchObject({
      output: [0, 1, 2, 3],
    });
    expect(await measurer.ask({ kind: 'peak' }, 60)).toMatchObject({ peak: 1e9 });
  });

  it('ends on the signal, also before it is asked', async () => {
    const controller = new AbortController();
    const stoppable = startMeasurer({ file, setup: { milliseconds: 0 }, signal: controller.signal });
    const question = { kind: 'measure', emitted: 'endless loop', temperature: 'cold', runs: 1 } as const;
    const asked = stoppable.ask(question, 60);
    controller.abort();
    expect(await asked).toMatchObject({ kind: 'ended', reason: 'stopped' });
    expect(await stoppable.ask(question, 60)).toMatchObject({ kind: 'ended', reason: 'stopped' });
    stoppable.close();
  });

  it('is none where the module is missing', async () => {
    const missing = startMeasurer({ file: `${file}.none`, setup: {}, isPinned: false });
    expect(await missing.ask({ kind: 'peak' }, 60)).toMatchObject({ kind: 'ended' });
    missing.close();
  });
});
