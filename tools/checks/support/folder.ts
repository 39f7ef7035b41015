/** Empty folders in which the packed packages are used as by a third party. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm } from './command.ts';
import type { Closure } from './packages.ts';

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
