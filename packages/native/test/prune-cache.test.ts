import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { markUsed } from '../src/cache.ts';
import { cacheLimit, pruneAfterBuild, pruneCache } from '../src/prune-cache.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const now = Date.now();

/** `a` and so on as a digest. */
const digest = (letter: string): string => letter.repeat(64);

const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sconv-prune-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
};

const age = (path: string, milliseconds: number): void => {
  const time = new Date(now - milliseconds);
  utimesSync(path, time, time);
};

/** A cache with libraries of 936 bytes, and 64 of their checksums, that were used so many minutes ago. */
const cacheOf = (libraries: Readonly<Record<string, number>>): string => {
  const folder = temporaryFolder();
  for (const [letter, minutes] of Object.entries(libraries)) {
    const path = join(folder, `${digest(letter)}.so`);
    writeFileSync(path, Buffer.alloc(936));
    writeFileSync(`${path}.sha256`, digest('0'));
    for (const each of [path, `${path}.sha256`]) age(each, minutes * minute);
  }
  return folder;
};

/** The letters of the libraries that are left. */
const left = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.so'))
    .map((name) => name[0])
    .sort()
    .join('');

beforeEach(() => () => vi.unstubAllEnvs());

describe('a cache', () => {
  const libraries = { a: 20, b: 90, c: 60, d: 30 };

  it.each([
    [4000, 'abcd'],
    [3999, 'acd'],
    [3000, 'acd'],
    [1500, 'a'],
    [0, ''],
  ])('of at most %i bytes keeps what was used last: %j', async (limit, expected) => {
    const folder = cacheOf(libraries);
    await pruneCache(folder, limit, now);
    expect(left(folder)).toBe(expected);
    expect(readdirSync(folder)).toHaveLength(2 * expected.length);
  });

  it('keeps what was used in the last ten minutes', async () => {
    const folder = cacheOf({ a: 9, b: 11, c: 60 });
    markUsed(join(folder, `${digest('c')}.so`));
    await pruneCache(folder, 0, now);
    expect(left(folder)).toBe('ac');
  });

  it('removes the folders of builds that began a day ago, and nothing of other names', async () => {
    const folder = temporaryFolder();
    const work = (letter: string): string =>
      join(folder, `${digest(letter)}.00000000-0000-4000-8000-000000000000`);
    const paths = [work('a'), work('b'), join(folder, 'mine'), join(folder, `${digest('c')}.old`)];
    for (const path of paths) mkdirSync(path);
    writeFileSync(join(work('a'), 'in.mlir'), '');
    paths.forEach((path, i) => {
      age(path, i === 1 ? 0.9 * day : 1.1 * day);
    });
    await pruneCache(folder, 2 ** 30, now);
    expect(paths.map(existsSync)).toEqual([false, true, true, true]);
  });

  it('may be pruned by several at once', async () => {
    const folder = cacheOf(libraries);
    await Promise.all([0, 0, 2000].map((limit) => pruneCache(folder, limit, now)));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is pruned after a build, at most once a minute', async () => {
    const folder = cacheOf({ a: 20 });
    vi.stubEnv('SCONV_CACHE_MIB', '0');
    await pruneAfterBuild(folder);
    expect(left(folder)).toBe('');
    const path = join(folder, `${digest('b')}.so`);
    writeFileSync(path, '');
    age(path, 20 * minute);
    await pruneAfterBuild(folder);
    expect(left(folder)).toBe('b');
  });

  it('that is gone is no failure', async () => {
    const folder = temporaryFolder();
    await expect(pruneAfterBuild(join(folder, 'none'))).resolves.toBeUndefined();
  });
});

it.each([
  [undefined, 1024],
  ['', 1024],
  ['many', 1024],
  ['-1', 1024],
  ['0', 0],
  ['2.5', 2.5],
])('SCONV_CACHE_MIB=%s is a limit of %d MiB', (text, mebibytes) => {
  vi.stubEnv('SCONV_CACHE_MIB', text);
  expect(cacheLimit()).toBe(mebibytes * 2 ** 20);
});
