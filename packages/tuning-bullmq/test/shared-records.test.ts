import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { exchangeRecords } from '../src/shared-records.ts';
import type { Sharing } from '../src/unit-queue.ts';

it('leaves no files of a unit when it is done', async () => {
  const lines = ['{"a":1}\n', '{"b":2}\n'];
  const redis: Pick<Sharing['redis'], 'hvals'> = { hvals: () => Promise.resolve(lines) };
  const sharing = { redis, prefix: 'p', lease: 1, attempts: 1 } as Sharing;
  const { own, others, remove } = await exchangeRecords(sharing, 'queue', 'unit');
  expect([own, others].map((path) => readFileSync(path, 'utf8'))).toEqual(['', lines.join('')]);
  remove();
  expect([own, others].map((path) => existsSync(path))).toEqual([false, false]);
});
