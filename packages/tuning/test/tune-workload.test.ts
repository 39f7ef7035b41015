import { definite, error, silenceable, success, unknownLocation, unwrap } from '@sconv/diagnostics';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Measurer, TuningRecord, TuningResult } from '../src/index.ts';
import { keyText, measured, tuneWorkload } from '../src/index.ts';
import type { Planted } from './support/planted.ts';
import { candidate, outcome, plantedMeasurer, session } from './support/planted.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const;
const candidates = names.map((name, i) => candidate(name, i + 1));

/** Tunes over the planted candidates. */
const tuned = async (
  planted: Readonly<Record<string, Planted | readonly Planted[]>>,
): Promise<TuningResult> =>
  unwrap(
    await tuneWorkload(
      session(
        candidates.filter(({ name }) => name in planted),
        plantedMeasurer({ untuned: 0.1, ...planted }),
      ),
    ),
  );

const stagesOf = (records: readonly TuningRecord[]): readonly string[] =>
  records.map(({ stage, configuration }) => `${stage} ${configuration.name}`);

describe('the fastest plan', () => {
  it.each([
    ['that is measured', { a: 0.09, b: 0.08 }, 'b'],
    ['only if it gains more than a tie', { a: 0.0995 }, 'untuned'],
    ['not if it is slower', { a: 0.2 }, 'untuned'],
    ['by the last comparison, not by the first', { a: [0.05, 0.2], b: [0.09, 0.09] }, 'b'],
    ['only if it wins in most turns', { a: [0.09, 0.09, 0.2, 0.09, 0.2, 0.09] }, 'untuned'],
  ] as const)('is the one %s', async (_, planted, best) => {
    expect((await tuned(planted as Readonly<Record<string, Planted>>)).best.name).toBe(best);
  });

  it('is compared with the untuned plan in turns, each time in a fresh process', async () => {
    const measurer = plantedMeasurer({ untuned: 0.1, a: 0.08, b: 0.09 });
    const { finals } = unwrap(await tuneWorkload(session(candidates.slice(0, 2), measurer)));
    expect(measurer.asked.slice(-15).join(' ')).toBe(
      'untuned a b a b untuned b untuned a untuned a b a b untuned',
    );
    expect(measurer.renewals()).toBe(15);
    expect(finals.map((record) => measured(record, 'ratio')?.toFixed(2))).toEqual(['1.00', '0.80', '0.90']);
  });
});

describe('stages', () => {
  it('measure the best again, and the five best of these a last time', async () => {
    const planted = Object.fromEntries(names.map((name, i) => [name, 0.09 - i * 0.001]));
    const tuning = session(candidates, plantedMeasurer({ untuned: 0.1, ...planted }));
    unwrap(await tuneWorkload(tuning));
    const all = stagesOf(tuning.written);
    expect(all.filter((each) => each.startsWith('screen'))).toHaveLength(7);
    expect(all.filter((each) => each.startsWith('confirm'))).toHaveLength(7);
    expect(all.slice(-6)).toEqual(['untuned', 'g', 'f', 'e', 'd', 'c'].map((name) => `final ${name}`));
  });

  it('measure a block again while the machine changes its speed, then call it noisy', async () => {
    const steady = session(
      candidates.slice(0, 1),
      plantedMeasurer({ untuned: [0.1, 0.11, 0.11, 0.111], a: 0.1 }),
    );
    unwrap(await tuneWorkload(steady));
    expect(steady.written[0]).not.toHaveProperty('noisy');
    const measurer = plantedMeasurer({ untuned: 0.1, a: 0.09 }, [1, 2, 1, 2, 1, 2, 1]);
    const unsteady = session(candidates.slice(0, 1), measurer);
    unwrap(await tuneWorkload(unsteady));
    expect(unsteady.written[0]).toMatchObject({ stage: 'screen', noisy: true });
    expect(measurer.asked.filter((name) => name === 'a')).toHaveLength(3 + 5);
  });

  it('measure equal code once', async () => {
    const tuning = session(candidates.slice(0, 3), plantedMeasurer({ untuned: 0.1, a: 0.09, c: 0.09 }), {
      compile: ({ name }) =>
        Promise.resolve(success({ emitted: name, digest: name === 'b' ? 'a' : name, seconds: 0 })),
    });
    expect(unwrap(await tuneWorkload(tuning)).duplicates).toBe(1);
  });

  it.each([
    ['all of its plans', 60, 6],
    ['fewer plans', 3.4, 3],
    ['one plan', 1, 2],
    ['one plan, though they are over', 0.01, 2],
  ])('keep to seconds: they leave time to compare %s', async (_, seconds, finalists) => {
    // A question takes a tenth of a second.
    let clock = 0;
    const read = vi.spyOn(performance, 'now').mockImplementation(() => clock * 1000);
    onTestFinished(() => {
      read.mockRestore();
    });
    const planted = plantedMeasurer({
      untuned: 0.1,
      ...Object.fromEntries(names.map((name) => [name, 0.09])),
    });
    const measurer: Measurer = {
      ...planted,
      ask: (question, limit) => {
        clock += 0.1;
        return planted.ask(question, limit);
      },
    };
    const tuning = session(candidates, measurer, { budget: { kind: 'seconds', seconds } });
    const result = unwrap(await tuneWorkload(tuning));
    expect(result.finals).toHaveLength(finalists);
    expect(result.seconds).toBeLessThan(Math.max(1.5, seconds) + 0.1);
    expect(result.finals[0]!.times.runtimes.length).toBeGreaterThanOrEqual(3);
  });

  it('end with the budget, and with the signal', async () => {
    const measurer = plantedMeasurer(Object.fromEntries([...names, 'untuned'].map((name) => [name, 0.1])));
    const few = session(candidates, measurer, { budget: { kind: 'candidates', count: 2 } });
    expect(unwrap(await tuneWorkload(few)).records).toHaveLength(2);
    const stopped = session(candidates, measurer, { signal: AbortSignal.abort() });
    expect(unwrap(await tuneWorkload(stopped))).toMatchObject({ finals: [], best: { name: 'untuned' } });
  });
});

describe('failures', () => {
  const elapsed = 1;
  it.each([
    ['wrong elements', { kind: 'wrong', wrong: 1, elements: 4, when: 'first', elapsed }, 'correctness', 0.75],
    ['a crash', { kind: 'ended', reason: 'its process ended by SIGSEGV', elapsed }, 'runtime', 1],
    ['an endless loop', { kind: 'late', limit: 2, elapsed }, 'timeout', 1],
    ['code that does not load', { kind: 'failed', reason: 'no room', elapsed }, 'runtime', 1],
    ['no time at all', outcome(0, 3), 'runtime', 1],
    ['more time than has passed', { ...outcome(0.01, 3), elapsed: 0.02 }, 'runtime', 1],
  ] as const)('%s: a record, and never chosen', async (_, planted, invalidity, correctness) => {
    const { best, records } = await tuned({ a: planted, b: 0.09 });
    expect(best.name).toBe('b');
    const record = records.find(({ configuration }) => configuration.name === 'a');
    expect(record).toMatchObject({ invalidity, correctness, reason: expect.any(String) as string });
  });

  it('asks again where a process was ended, perhaps by others', async () => {
    const ended = { kind: 'ended', reason: 'its process ended by SIGKILL', elapsed } as const;
    const { best, records } = await tuned({ untuned: [ended, 0.1], a: [ended, 0.08], b: ended });
    expect(best.name).toBe('a');
    expect(records.map(({ invalidity }) => invalidity)).toEqual(['correct', 'runtime']);
  });

  it('sees times that are shorter than the peak allows', async () => {
    const tuning = session(candidates.slice(0, 2), plantedMeasurer({ untuned: 0.1, a: 1e-4, b: 0.09 }), {
      operations: 1e6,
    });
    const { best, records } = unwrap(await tuneWorkload(tuning));
    expect(best.name).toBe('b');
    expect(records[0]?.reason).toBe('it claims to be faster than this machine can compute');
  });

  it('believes what is not much faster than the untuned plan, whatever is measured of the peak', async () => {
    const times = { untuned: 0.1, a: 0.08, b: 0.09 };
    const tuning = session(candidates.slice(0, 2), plantedMeasurer(times, [1e6]), { operations: 2e5 });
    expect(unwrap(await tuneWorkload(tuning)).best.name).toBe('a');
  });

  it.each([
    ['refused', silenceable(error('test/refused', 'no', unknownLocation)), 'constraints'],
    ['without code', definite(error('test/no-code', 'no', unknownLocation)), 'compile'],
  ] as const)('records a plan that is %s', async (_, failure, invalidity) => {
    const tuning = session(candidates.slice(0, 2), plantedMeasurer({ untuned: 0.1, b: 0.09 }), {
      compile: ({ name }) =>
        Promise.resolve(name === 'a' ? failure : success({ emitted: name, digest: name, seconds: 0 })),
    });
    const { best, records } = unwrap(await tuneWorkload(tuning));
    expect(best.name).toBe('b');
    expect(records[0]).toMatchObject({ invalidity, reason: 'no', times: { runtimes: [] } });
  });

  it.each([
    [
      'does not compile',
      { compile: () => Promise.resolve(definite(error('test/no-code', 'no', unknownLocation))) },
    ],
    ['does not run', { measurer: plantedMeasurer({ untuned: { kind: 'failed', reason: 'no', elapsed } }) }],
  ])('fails where the untuned plan %s', async (_, others) => {
    const tuning = session(candidates.slice(0, 1), plantedMeasurer({}), others);
    expect(await tuneWorkload(tuning)).toMatchObject({
      status: 'definite',
      diagnostics: [{ code: 'tuning/untuned' }],
    });
  });
});

it('resumes: what is known is not measured again, and each key is written once', async () => {
  const planted = { untuned: 0.1, ...Object.fromEntries(names.map((name, i) => [name, 0.09 - i * 0.001])) };
  const whole = session(candidates, plantedMeasurer(planted));
  const first = unwrap(await tuneWorkload(whole));
  for (const kept of [0, 3, 10, whole.written.length]) {
    const known = new Map(whole.written.slice(0, kept).map((record) => [keyText(record), record]));
    const measurer = plantedMeasurer(planted);
    const resumed = session(candidates, measurer, { known });
    const again = unwrap(await tuneWorkload(resumed));
    expect(again.best).toEqual(first.best);
    const keys = [...known.values(), ...resumed.written].map(keyText);
    expect(new Set(keys).size).toBe(keys.length);
    if (kept === whole.written.length) expect(measurer.asked).toEqual([]);
  }
});
