import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { areNewer } from '../../are-newer.mjs';
import { emptyFolder } from '../support/folder.ts';

const folder = emptyFolder(afterAll);
const [made, sources] = ['made.js', 'sources'].map((name) => join(folder, name)) as [string, string];
const [first, second] = ['first.ts', 'inner/second.ts'].map((name) => join(sources, name)) as [
  string,
  string,
];

/** Sets when a file or a folder was changed, in seconds. */
const changed = (seconds: number, ...paths: readonly string[]): void => {
  for (const path of paths) utimesSync(path, seconds, seconds);
};

describe('what was made is newer', () => {
  beforeEach(() => {
    mkdirSync(join(sources, 'inner'), { recursive: true });
    for (const path of [made, first, second]) writeFileSync(path, '');
    changed(100, first, second, join(sources, 'inner'), sources);
    changed(200, made);
  });

  it('than files and folders', () => {
    expect(areNewer([made], [sources, first])).toBe(true);
  });
  it.each<[string, () => void]>([
    ['a file is changed', () => changed(300, second)],
    ['a file is as old', () => changed(200, first)],
    ['a file is removed', () => rmSync(second)],
    ['a source is missing', () => rmSync(sources, { recursive: true })],
    ['it is missing', () => rmSync(made)],
  ])('unless %s', (_, change) => {
    change();
    expect(areNewer([made], [sources, first])).toBe(false);
  });
});
