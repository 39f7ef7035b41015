/** A connection to Redis that survives restarts of the server. */
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { definite, error, success, unknownLocation, warning } from '@sconv/diagnostics';
import { Redis } from 'ioredis';

/** Milliseconds until a server that does not answer is given up, at the start. */
const connectTimeout = 5000;

/** Milliseconds between attempts to reach a server that has gone, at most. */
const longestPause = 2000;

/**
 * Connects to the server at a `redis:` or `rediss:` URL. Fails with `tuning-bullmq/url` for another one, and with
 * `tuning-bullmq/redis` where no server answers. Warns with `tuning-bullmq/volatile` of a server that keeps nothing.
 */
export const connectToRedis = async (url: string): Promise<Diagnosed<Redis>> => {
  if (!isRedisUrl(url)) {
    const message = `'${url}' is not the URL of a Redis server, as redis://host:6379 is`;
    return definite(error('tuning-bullmq/url', message, unknownLocation));
  }
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout,
    // What is asked while the server restarts waits for it.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(50 * times, longestPause),
  });
  let problem: unknown;
  redis.on('error', (cause: unknown) => (problem = cause));
  try {
    await redis.connect();
    return success(redis, await durabilityOf(redis));
  } catch (cause) {
    redis.disconnect();
    return redisFailure(problem ?? cause);
  }
};

/** Whether this is the URL of a Redis server, in form. */
const isRedisUrl = (url: string): boolean =>
  URL.canParse(url) && ['redis:', 'rediss:'].includes(new URL(url).protocol);

/** The failure `tuning-bullmq/redis`: a server that does not answer, or refuses. */
export const redisFailure = (cause: unknown): Diagnosed<never> => {
  const why = cause instanceof Error ? cause.message : String(cause);
  return definite(error('tuning-bullmq/redis', `the Redis server cannot be used: ${why}`, unknownLocation));
};

/** A warning where the server forgets all units when it stops. */
const durabilityOf = async (redis: Redis): Promise<readonly Diagnostic[]> => {
  // A server that others run may refuse to say.
  const answer: unknown = await redis.config('GET', 'appendonly').catch(() => undefined);
  if (!Array.isArray(answer) || answer[1] !== 'no') return [];
  const message = 'the Redis server forgets all work when it stops: start it with --appendonly yes';
  return [warning('tuning-bullmq/volatile', message, unknownLocation)];
};
