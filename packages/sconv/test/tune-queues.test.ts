import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RedisServer } from '../../tuning-bullmq/test/support/redis-server.ts';
import { hasRedis, startRedis } from '../../tuning-bullmq/test/support/redis-server.ts';
import { main } from '../src/sconv.ts';
import { capture, fileWith, temporaryFolder } from './support/capture.ts';
import { isThorough } from './support/thorough.ts';

describe.skipIf(!hasRedis)('sconv tune --work with a Redis server', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  // The queues have their own tests, in `@sconv/tuning-bullmq`.
  it.runIf(isThorough)('has processes tune, and collects their records in one file', async () => {
    const [shape, path] = ['1x4x8x8,8x4x3x3', join(temporaryFolder(), 'records.jsonl')];
    const tune = (...words: readonly string[]) =>
      capture(main, 'tune', shape, '--budget', '1', '--work', server.url, ...words);
    const { code, out, err } = await tune('-o', path);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`${shape}: 1 candidate`);
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    const stages = lines.map((line) => (JSON.parse(line) as { readonly stage: string }).stage);
    expect(stages).toContain('final');
    // What the server has is done: the same units again take no worker.
    const again = await tune('-o', path, '--resume');
    expect(again.out).toBe(out);
    expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(lines.length);
    const { out: left } = await capture(main, 'tune', 'work', server.url, '--json');
    expect(JSON.parse(left)).toMatchObject({ done: 0, foreign: 0, units: [] });
  });

  it('reports what fails there', async () => {
    const { code, err } = await capture(main, 'tune', fileWith('module {}'), '--work', server.url);
    expect(code).toBe(1);
    expect(err).toContain('[tune/function]');
  });
});
