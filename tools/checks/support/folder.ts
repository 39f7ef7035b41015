/** Empty folders in which the packed packages are used as by a third party. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm, output } from './command.ts';
import type { Closure, Manifest } from './packages.ts';
import { readJson } from './packages.ts';

/** An empty folder; `cleanUp` (`afterAll` in a suite, `onTestFinished` in a test) receives its removal. */
export const emptyFolder = (cleanUp: (remove: () => void) => void): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sconv-consumer-'));
  cleanUp(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
};

/** Installs the tarballs of a closure, and nothing else, offline. */
export const install = async (
  folder: string,
  { own, foreign }: Closure,
  tarballs: Readonly<Record<string, string>>,
): Promise<void> => {
  const names = [...own.map(({ name }) => name), ...foreign];
  const manifest = {
    name: 'consumer',
    version: '1.0.0',
    private: true,
    type: 'module',
    dependencies: Object.fromEntries(names.map((name) => [name, `file:${tarballs[name] ?? ''}`])),
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, undefined, 2));
  await npm(folder, 'install', '--offline', '--omit=optional', '--ignore-scripts', '--no-package-lock');
};

/**
 * Unpacks a package and what its packed manifest depends on, as npm installs them, in a tenth of the time. Returns the
 * names of all.
 */
export const unpack = async (
  folder: string,
  name: string,
  tarballs: Readonly<Record<string, string>>,
): Promise<readonly string[]> => {
  const names = new Set([name]);
  // Those that are added meanwhile come up as well.
  for (const each of names) {
    const into = join(folder, 'node_modules', each);
    mkdirSync(into, { recursive: true });
    await output(folder, 'tar', '-xzf', tarballs[each] ?? each, '-C', into, '--strip-components', '1');
    const { dependencies = {} } = readJson(join(into, 'package.json')) as Manifest;
    for (const dependency of Object.keys(dependencies)) names.add(dependency);
  }
  return [...names];
};
