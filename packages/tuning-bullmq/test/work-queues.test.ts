import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { unwrap } from '@sconv/diagnostics';
import type { QueueProgress, TuningRecord, WorkOptions, WorkQueues, WorkUnit } from '@sconv/tuning';
import { printRecord, untuned } from '@sconv/tuning';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WorkQueuesOptions } from '../src/index.ts';
import { openWorkQueues } from '../src/index.ts';
import { bulk, startFakeRedis } from './support/fake-redis.ts';
import type { RedisServer } from './support/redis-server.ts';
import { hasRedis, startRedis } from './support/redis-server.ts';

const unit = (task: number, fingerprint = 'here'): WorkUnit => ({ fingerprint, generator: 'g', task });
const here = [{ fingerprint: 'here', generator: 'g' }];
type DoUnit = Parameters<WorkQueues['work']>[1];
const quick = { pause: 0.01 };
const ignore = (): void => undefined;

/** A record of the untuned plan of a workload. */
const record = (workload: string): TuningRecord => ({
  schema_version: '1.0.0',
  timestamp: '2026-01-01T00:00:00.000Z',
  workload,
  fingerprint: 'here',
  generator: 'g',
  protocol: '1 cold',
  stage: 'screen',
  configuration: untuned,
  objectives: ['seconds'],
  times: { compilation_time: 1, runtimes: [2], framework: 0, search_algorithm: 0, validation: 0 },
  invalidity: 'correct',
  correctness: 1,
  measurements: [{ name: 'seconds', value: 1, unit: 's' }],
});

describe.skipIf(!hasRedis)('queues on a Redis server', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  let prefixes = 0;
  const opened: WorkQueues[] = [];
  /** Queues that no other test uses, and more connections to them. */
  const newQueues = (): ((options?: WorkQueuesOptions) => Promise<WorkQueues>) => {
    const prefix = `test${(prefixes += 1)}`;
    return async (options = {}) => {
      const queues = unwrap(await openWorkQueues(server.url, { prefix, ...options }));
      opened.push(queues);
      return queues;
    };
  };
  /** Has units collected; they are there once `added` is. */
  const collecting = (
    queues: WorkQueues,
    units: readonly WorkUnit[],
    onProgress: (progress: QueueProgress) => void = ignore,
    options: WorkOptions = quick,
  ) => {
    let onAdded = ignore;
    const added = new Promise<void>((resolve) => (onAdded = resolve));
    const onLook = (progress: QueueProgress): void => {
      onAdded();
      onProgress(progress);
    };
    return { collected: queues.collect(units, onLook, options), added };
  };
  afterEach(() => {
    for (const queues of opened.splice(0)) queues.close();
  });

  it('have each unit done once by one of several workers', async () => {
    const open = newQueues();
    const units = Array.from({ length: 9 }, (_, i) => unit(i));
    const did: unknown[] = [];
    const work: DoUnit = async ({ unit: { task } }) => {
      did.push(task);
      await setTimeout(1);
      return { task };
    };
    const { collected, added } = collecting(await open(), [...units, units[0]!]);
    await added;
    const workers = await Promise.all([open(), open(), open()]);
    const counts = await Promise.all(workers.map((worker) => worker.work(here, work, quick)));
    expect(counts.reduce((sum, count) => sum + unwrap(count), 0)).toBe(9);
    expect(did.sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    const { outcomes } = unwrap(await collected);
    expect(outcomes).toEqual([...units, units[0]!].map(({ task }) => ({ kind: 'done', result: { task } })));
    // What is done stays done.
    expect(unwrap(await (await open()).collect(units, ignore, quick)).outcomes).toEqual(outcomes.slice(0, 9));
  });

  it('leave units to machines of their fingerprint, of which one process does one at a time', async () => {
    const open = newQueues();
    const units = [unit(1), unit(2, 'wasm'), unit(3, 'elsewhere'), unit(4, 'wasm')];
    const seen: QueueProgress[] = [];
    const controller = new AbortController();
    const options = { ...quick, signal: controller.signal };
    const { collected, added } = collecting(await open(), units, (progress) => seen.push(progress), options);
    await added;
    let atWork = 0;
    const work: DoUnit = async ({ unit: { task } }) => {
      expect((atWork += 1)).toBe(1);
      await setTimeout(20);
      atWork -= 1;
      return task;
    };
    const keys = [...here, { fingerprint: 'wasm', generator: 'g' }];
    expect(unwrap(await (await open()).work(keys, work, quick))).toBe(3);
    controller.abort();
    const { outcomes } = unwrap(await collected);
    expect(outcomes.map((outcome) => outcome?.kind)).toEqual(['done', 'done', undefined, 'done']);
    expect(seen.at(-1)).toMatchObject({ waiting: 1, claimed: 0, done: 3, of: 4 });
  });

  it('show those who collect what workers say', async () => {
    const open = newQueues();
    const seen = new Set<string | undefined>();
    let onSeen = ignore;
    const isSeen = new Promise<void>((resolve) => (onSeen = resolve));
    const { collected, added } = collecting(await open(), [unit(1)], ({ says }) => {
      seen.add(says.get(0));
      if (says.size > 0) onSeen();
    });
    await added;
    const work: DoUnit = async ({ say }) => {
      say('half of it');
      await isSeen;
    };
    unwrap(await (await open()).work(here, work, quick));
    unwrap(await collected);
    expect(seen).toContain('half of it');
  });

  describe('of a worker that dies', () => {
    const short = { lease: 0.2, attempts: 2 };
    /** It lives, however busy the machine is. */
    const long = { lease: 3, attempts: 2 };
    /** Takes a unit, adds a record, and dies: it says nothing any more. */
    const die = async (queues: WorkQueues): Promise<void> => {
      await new Promise<void>((resolve) => {
        void queues.work(
          here,
          async ({ records }) => {
            appendFileSync(records, printRecord(record('first')));
            // A beat, which shares the record.
            await setTimeout(300);
            queues.close();
            resolve();
            await setTimeout(100_000, undefined, { ref: false });
          },
          quick,
        );
      });
    };

    it('have its unit done again, with its records', async () => {
      const open = newQueues();
      const { collected, added } = collecting(await open(short), [unit(1)]);
      await added;
      await die(await open(short));
      let known = '';
      const work: DoUnit = ({ records, others }) => {
        known = others.map((path) => readFileSync(path, 'utf8')).join('');
        appendFileSync(records, printRecord(record('first')) + printRecord(record('second')));
        return Promise.resolve('again');
      };
      expect(unwrap(await (await open(long)).work(here, work, quick))).toBe(1);
      expect(known).toBe(printRecord(record('first')));
      const { outcomes, records } = unwrap(await collected);
      expect(outcomes).toEqual([{ kind: 'done', result: 'again' }]);
      expect([...records].sort()).toEqual([record('first'), record('second')].map(printRecord));
    });

    it('abandon its unit after as many as said', async () => {
      const open = newQueues();
      const { collected, added } = collecting(await open(short), [unit(1)]);
      await added;
      await die(await open(short));
      await die(await open(short));
      const third: DoUnit = () => Promise.reject(new Error('nobody is to do it'));
      expect(unwrap(await (await open(long)).work(here, third, quick))).toBe(0);
      expect(unwrap(await collected).outcomes).toEqual([{ kind: 'abandoned', attempts: 2 }]);
    });
  });

  it('count the outcome of who holds the unit, and tell one that was taken for dead', async () => {
    const open = newQueues();
    const options = { lease: 0.2 };
    const { collected, added } = collecting(await open(options), [unit(1)]);
    await added;
    const redis = new Redis(server.url);
    let onTaken = ignore;
    const isTaken = new Promise<void>((resolve) => (onTaken = resolve));
    const slow: DoUnit = async (_, signal) => {
      for (const key of await redis.keys(`test${prefixes}:*:lock`)) await redis.del(key);
      onTaken();
      // It is told, or this never ends.
      while (!signal.aborted) await setTimeout(10);
      return 'slow';
    };
    const first = (await open(options)).work(here, slow, quick);
    await isTaken;
    const second = (await open({ lease: 3 })).work(here, () => Promise.resolve('second'), quick);
    expect(unwrap(await first) + unwrap(await second)).toBe(1);
    expect(unwrap(await collected).outcomes).toEqual([{ kind: 'done', result: 'second' }]);
    redis.disconnect();
  });

  it('get a unit back, undone, whose worker is interrupted', async () => {
    const open = newQueues();
    const controller = new AbortController();
    const { signal } = controller;
    const { collected, added } = collecting(await open(), [unit(1)]);
    await added;
    const stop: DoUnit = (_, given) => {
      controller.abort();
      return Promise.resolve(given.aborted);
    };
    expect(unwrap(await (await open()).work(here, stop, { ...quick, signal }))).toBe(0);
    expect(unwrap(await (await open()).work(here, () => Promise.resolve('whole'), quick))).toBe(1);
    expect(unwrap(await collected).outcomes).toEqual([{ kind: 'done', result: 'whole' }]);
  });

  it('go on where the server is killed and started again', async () => {
    const open = newQueues();
    const { collected, added } = collecting(await open(), [unit(1), unit(2)]);
    await added;
    const work: DoUnit = async ({ unit: { task } }) => {
      if (task === 1) await server.restart();
      return task;
    };
    expect(unwrap(await (await open()).work(here, work, quick))).toBe(2);
    expect(unwrap(await collected).outcomes).toMatchObject([{ result: 1 }, { result: 2 }]);
  });

  it('let through what is no failure of the server', async () => {
    const open = newQueues();
    const { added, collected } = collecting(await open(), [unit(1)]);
    await added;
    const broken: DoUnit = () => Promise.reject(new TypeError('a bug of the caller'));
    await expect((await open({ lease: 0.2 })).work(here, broken, quick)).rejects.toThrow(
      'a bug of the caller',
    );
    // The unit is not lost: it waits again once the lease has ended.
    expect(unwrap(await (await open({ lease: 0.2 })).work(here, () => Promise.resolve(1), quick))).toBe(1);
    unwrap(await collected);
  });

  it('end at the signal where the server has gone', async () => {
    const gone = await startRedis();
    const queues = unwrap(await openWorkQueues(gone.url));
    const controller = new AbortController();
    const collected = queues.collect([unit(1)], ignore, { ...quick, signal: controller.signal });
    await gone.stop();
    controller.abort();
    const outcome = await Promise.race([collected, setTimeout(20_000, undefined, { ref: false })]);
    queues.close();
    expect(outcome).toBeDefined();
  });

  it('fail where the server refuses', async () => {
    const queues = await newQueues()();
    queues.close();
    const code = 'tuning-bullmq/redis';
    expect((await queues.collect([unit(1)], ignore)).diagnostics).toMatchObject([{ code }]);
    expect((await queues.work(here, () => Promise.resolve(0))).diagnostics).toMatchObject([{ code }]);
  });
});

describe('openWorkQueues', () => {
  it.each(['here', 'http://localhost:6379', '/tmp/redis.sock', ''])('refuses %j', async (url) => {
    expect((await openWorkQueues(url)).diagnostics).toMatchObject([{ code: 'tuning-bullmq/url' }]);
  });

  it.each([
    ['no', ['tuning-bullmq/volatile']],
    ['yes', []],
  ])('warns of a server that keeps nothing: appendonly %s', async (appendonly, codes) => {
    const answers = {
      HELLO: `%1\r\n${bulk('proto')}:3\r\n`,
      INFO: bulk('loading:0'),
      CONFIG: `%1\r\n${bulk('appendonly')}${bulk(appendonly)}`,
    };
    const fake = await startFakeRedis(answers);
    const queues = await openWorkQueues(fake.url);
    unwrap(queues).close();
    fake.stop();
    expect(queues.diagnostics.map(({ code, severity }) => ({ code, severity }))).toEqual(
      codes.map((code) => ({ code, severity: 'warning' })),
    );
  });

  it('fails where no server answers', async () => {
    const refused = await openWorkQueues('redis://127.0.0.1:1');
    expect(refused.diagnostics).toMatchObject([{ code: 'tuning-bullmq/redis' }]);
    expect(refused.diagnostics[0]!.message).toContain('ECONNREFUSED');
  });
});
