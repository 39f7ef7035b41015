import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unwrap } from '@sconv/diagnostics';
import type { TuningRecord } from '@sconv/tuning';
import { openWorkFolder, printRecord, untuned } from '@sconv/tuning';
import { describe, expect, it, vi } from 'vitest';
import { convolutionPayload, parseShape, specOfShape } from '../src/index.ts';
import { main } from '../src/sconv.ts';
import { openQueues } from '../src/tune/open-queues.ts';
import { doTuneTask, isTuneTask, tuneUnit } from '../src/tune/work-units.ts';
import { startWorkers } from '../src/tune/worker-processes.ts';
import { capture, fileWith, temporaryFolder } from './support/capture.ts';

const shape = '1x4x8x8,8x4x3x3';
const payload = convolutionPayload({ ...specOfShape(parseShape(shape)), accumulate: false });
const budget = { kind: 'candidates', count: 1 } as const;
/** As the command has them. */
const settings = {
  budget,
  strategy: 'evolve',
  temperature: 'cold',
  filters: 'arguments',
  clock: 'wall',
  jobs: 1,
  seed: 1,
} as const;

describe('sconv tune work', () => {
  it('does the units for this machine, and leaves others', async () => {
    const path = join(temporaryFolder(), 'work');
    const mine = await tuneUnit(shape, payload, 'wasm', settings);
    const failing = { ...mine, task: { ...(mine.task as object), payload: 'module {}' } };
    const foreign = { ...mine, fingerprint: 'another machine' };
    const names = unwrap(unwrap(openWorkFolder(path)).add([failing, foreign]));
    const { code, out, err } = await capture(main, 'tune', 'work', path, '--json');
    expect(code).toBe(1);
    expect(err).toContain('[tune/function]');
    expect(JSON.parse(out)).toMatchObject({ done: 1, foreign: 1, units: [] });
    const outcomes = names.map((name) => unwrap(unwrap(openWorkFolder(path)).outcome(name)));
    expect(outcomes).toMatchObject([
      { kind: 'done', result: { diagnostics: [{ code: 'tune/function' }] } },
      undefined,
    ]);
  });

  it('is what the processes of sconv tune --jobs do', async () => {
    const path = join(temporaryFolder(), 'work');
    const files = [fileWith('module {}'), fileWith('module {}')];
    const { code, err } = await capture(main, 'tune', ...files, '--jobs', '2', '--work', path);
    expect(code).toBe(1);
    expect(err.match(/\[tune\/function\]/g)).toHaveLength(2);
    expect(unwrap(unwrap(openWorkFolder(path)).look(() => true))).toEqual({ waiting: 0, claimed: 0 });
  });

  it('ends while these processes still start', async () => {
    const processes = startWorkers(join(temporaryFolder(), 'work'), 2, () => undefined);
    await expect(processes.end()).resolves.toBeUndefined();
  });

  it('is given up where these processes keep failing', async () => {
    const path = join(temporaryFolder(), 'work');
    // Node itself ends at once.
    vi.stubEnv('NODE_OPTIONS', `--require=${join(path, 'missing.cjs')}`);
    const { code, err } = await capture(main, 'tune', fileWith('module {}'), '--work', path);
    vi.unstubAllEnvs();
    expect(code).toBe(1);
    expect(err).toMatch(/what they say: sconv tune work .*work \[tune\/workers\]/);
  });

  /** What `sconv tune` says of a unit with this outcome. */
  const collected = async (
    outcome: unknown,
    records: readonly TuningRecord[],
    ...words: readonly string[]
  ) => {
    const path = join(temporaryFolder(), 'work');
    const folder = unwrap(openWorkFolder(path));
    const [name] = unwrap(folder.add([await tuneUnit(shape, payload, 'wasm', settings)]));
    writeFileSync(join(path, 'done', `${name!}.json`), JSON.stringify(outcome));
    // A worker was killed while it wrote.
    const text = records.map(printRecord).join('') + printRecord(records[0] ?? record(0)).slice(0, 50);
    writeFileSync(join(path, 'records', 'w.jsonl'), text);
    return capture(main, 'tune', shape, '--budget', '1', '--work', path, ...words);
  };

  /** A record of the untuned plan, which took so many seconds. */
  const record = (seconds: number): TuningRecord => ({
    schema_version: '1.0.0',
    timestamp: '2026-01-01T00:00:00.000Z',
    workload: 'w',
    fingerprint: 'f',
    generator: 'g',
    protocol: '1 cold',
    stage: 'final',
    configuration: untuned,
    objectives: ['seconds'],
    times: { compilation_time: 1, runtimes: [2], framework: 0, search_algorithm: 0, validation: 0 },
    invalidity: 'correct',
    correctness: 1,
    measurements: [{ name: 'seconds', value: seconds, unit: 's' }],
  });

  it('has its outcomes reported by sconv tune, and its records in one file', async () => {
    const finals = [record(0.5)];
    const workload = { workload: 'w', best: untuned, finals, records: [], duplicates: 3, seconds: 1 };
    const outcome = { workloads: [workload], fingerprint: 'f', protocol: '1 cold' };
    const output = join(temporaryFolder(), 'all.jsonl');
    const done = { kind: 'done', result: { diagnostics: [], outcome } };
    const other = { ...record(0.1), stage: 'screen' } as const;
    writeFileSync(output, printRecord(record(0.5)));
    const refused = await collected(done, finals, '-o', output);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('[tuning/exists]') as string });
    const { code, out, err } = await collected(done, [...finals, other], '-o', output, '--resume');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`${shape}: 3 candidates in 1 s: 3 with the code of others`);
    expect(readFileSync(output, 'utf8')).toBe(printRecord(record(0.5)) + printRecord(other));
  });

  it.each([
    ['is damaged', { kind: 'done', result: 1 }],
    ['was abandoned', { kind: 'abandoned', attempts: 3 }],
  ])('reports a unit whose outcome %s', async (_, outcome) => {
    const { code, err } = await collected(outcome, []);
    expect(code).toBe(1);
    expect(err).toContain('[tune/unit]');
  });

  it('refuses a folder that is a file', async () => {
    const path = join(temporaryFolder(), 'work');
    writeFileSync(path, '');
    const { code, err } = await capture(main, 'tune', 'work', path);
    expect(code).toBe(1);
    expect(err).toContain('[tuning/work-folder]');
  });
});

describe('a folder that is not there', () => {
  it('is not made by workers', async () => {
    const path = join(temporaryFolder(), 'mistyped');
    const { code, err } = await capture(main, 'tune', 'work', path);
    expect(code).toBe(1);
    expect(err).toContain('"sconv tune --work" makes');
    expect(existsSync(path)).toBe(false);
  });
});

describe('work in queues', () => {
  it('says what to install where their package is missing', async () => {
    const opened = await openQueues('redis://localhost', () => Promise.reject(new Error('not found')));
    expect(opened.diagnostics).toMatchObject([{ code: 'tune/queues' }]);
    expect(opened.diagnostics[0]!.message).toContain('npm install @sconv/tuning-bullmq');
  });

  it.each([['work'], [shape, '--work']])('fails where no server answers: %j', async (...words) => {
    const { code, err } = await capture(main, 'tune', ...words, 'redis://127.0.0.1:1');
    expect(code).toBe(1);
    expect(err).toContain('[tuning-bullmq/redis]');
  });

  it('is not done where it is no task', async () => {
    const records = { path: join(temporaryFolder(), 'records.jsonl'), isResumed: true };
    const { signal } = new AbortController();
    const { diagnostics, outcome } = await doTuneTask({ shell: 'ls' }, records, signal, () => undefined);
    expect(diagnostics).toMatchObject([{ code: 'tune/task' }]);
    expect(outcome).toBeUndefined();
  });
});

describe('a task', () => {
  it.each([
    ['a target without a backend', { target: 'tpu' }],
    ['a budget of nothing', { settings: { budget: { kind: 'seconds', seconds: 0 } } }],
    ['a setting of another type', { settings: { jobs: '2' } }],
    ['an unknown setting', { settings: { shell: 'ls' } }],
    ['no payload', { payload: undefined }],
  ])('is not of %s', async (_, change) => {
    const { task } = await tuneUnit(shape, payload, 'wasm', { budget });
    expect(isTuneTask(task)).toBe(true);
    expect(isTuneTask({ ...(task as object), ...change })).toBe(false);
  });
});
