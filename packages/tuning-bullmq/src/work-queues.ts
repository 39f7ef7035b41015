/** Queues of work on a Redis server, for any number of machines: one for each fingerprint and code generator. */
import { setTimeout } from 'node:timers/promises';
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess, success } from '@sconv/diagnostics';
import type { TuningSignal, WorkQueues } from '@sconv/tuning';
import { isNotConnectionError } from 'bullmq';
import type { Redis } from 'ioredis';
import { collectFromQueues } from './collect-from-queues.ts';
import { connectToRedis, redisFailure } from './redis-connection.ts';
import { workOnQueues } from './work-on-queues.ts';

export interface WorkQueuesOptions {
  /** A worker is dead that has said nothing for so many seconds; default 60. */
  readonly lease?: number;
  /** A unit is abandoned when so many workers have died of it; default 10. */
  readonly attempts?: number;
  /** In front of every key of Redis; default `sconv`. */
  readonly prefix?: string;
}

/**
 * Connects to the Redis server at a URL, `redis://host:6379`. What is asked while the server restarts waits for it.
 * Fails with `tuning-bullmq/url`, and, as all that is done with the queues, with `tuning-bullmq/redis`; warns
 * with `tuning-bullmq/volatile` of a server that keeps nothing.
 */
export const openWorkQueues = async (
  url: string,
  { lease = 60, attempts = 10, prefix = 'sconv' }: WorkQueuesOptions = {},
): Promise<Diagnosed<WorkQueues>> =>
  mapSuccess(await connectToRedis(url), (redis) => {
    const sharing = { redis, lease, attempts, prefix };
    return {
      collect: (units, onProgress, options = {}) =>
        throughRestarts(redis, options.signal, () => collectFromQueues(units, onProgress, sharing, options)),
      work: async (keys, work, options = {}) => {
        let done = 0;
        const onDone = (): void => {
          done += 1;
        };
        const worked = await throughRestarts(redis, options.signal, () =>
          workOnQueues(keys, work, sharing, options, onDone),
        );
        return mapSuccess(worked, () => done);
      },
      close: () => {
        redis.disconnect();
      },
    };
  });

/** Milliseconds until queues are opened again of a server that has gone, and between two looks whether it has. */
const restartPause = 200;

/**
 * Begins again where the server has gone, until the signal comes: all that is done with queues may be. What is not of
 * the server is thrown.
 */
const throughRestarts = async <T>(
  redis: Redis,
  signal: TuningSignal | undefined,
  action: () => Promise<T>,
): Promise<Diagnosed<T>> => {
  for (;;) {
    const ended = new AbortController();
    try {
      return await Promise.race([
        action().then((value) => success(value)),
        goneAtSignal(redis, signal, ended.signal),
      ]);
    } catch (problem) {
      const hasGone = problem instanceof Error && !isNotConnectionError(problem);
      if (!hasGone && !isRefusal(problem)) throw problem;
      if (!hasGone || redis.status === 'end' || signal?.aborted === true) return redisFailure(problem);
      await setTimeout(restartPause);
    } finally {
      ended.abort();
    }
  }
};

/** A failure once the signal has come while the server is not there: what waits for it would wait on. */
const goneAtSignal = async (
  redis: Redis,
  signal: TuningSignal | undefined,
  ended: AbortSignal,
): Promise<Diagnosed<never>> => {
  for (;;) {
    await setTimeout(restartPause, undefined, { signal: ended });
    if (signal?.aborted === true && redis.status !== 'ready') return redisFailure(new Error('it has gone'));
  }
};

/** Whether the server, or a script of BullMQ's that it runs, says no. */
const isRefusal = (problem: unknown): boolean =>
  problem instanceof Error &&
  (problem.name === 'ReplyError' || ('code' in problem && typeof problem.code === 'number'));
