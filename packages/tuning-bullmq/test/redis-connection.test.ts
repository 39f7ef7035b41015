import { expect, it } from 'vitest';
import { redisFailure } from '../src/redis-connection.ts';

it.each([
  [new Error('connect ECONNREFUSED'), 'connect ECONNREFUSED'],
  ['NOAUTH', 'NOAUTH'],
])('says why a server cannot be used: %s', (cause, why) => {
  expect(redisFailure(cause).diagnostics).toMatchObject([
    { code: 'tuning-bullmq/redis', message: `the Redis server cannot be used: ${why}` },
  ]);
});
