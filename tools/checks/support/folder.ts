/** Empty folders in which the packed packages are used as by a third party. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
 * Unpacks packages and what their packed manifests depend on, as npm installs them, in a tenth of the time, with their
 * commands. Returns the names of all.
 */
export const unpack = async (
  folder: string,
  wanted: readonly string[],
  tarballs: Readonly<Record<string, string>>,
): Promise<readonly string[]> => {
  const names = new Set(wanted);
  const commands = join(folder, 'node_modules/.bin');
  // Those that are added meanwhile come up as well.
  for (const each of names) {
    const into = join(folder, 'node_modules', each);
    mkdirSync(into, { recursive: true });
    await output(folder, 'tar', '-xzf', tarballs[each] ?? each, '-C', into, '--strip-components', '1');
    const { dependencies = {}, bin = {} } = readJson(join(into, 'package.json')) as Partial<Manifest>;
    for (const dependency of Object.keys(dependencies)) names.add(dependency);
    for (const [command, path] of Object.entries(bin)) {
      mkdirSync(commands, { recursive: true });
      symlinkSync(join('..', each, path), join(commands, command));
    }
  }
  return [...names];
};

/**
 * A folder with an `npx` that starts a command of `node_modules` above the working folder as npm's does, without the
 * start of npm, which takes longer than most of our commands.
 */
export const quickNpx = (folder: string): string => {
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  const script = `#!/bin/sh
[ "$1" != --no-install ] || shift
name=$1
shift
for up in . .. ../..; do
  [ ! -x "$up/node_modules/.bin/$name" ] || exec "$up/node_modules/.bin/$name" "$@"
done
echo "npx: no command $name" >&2
exit 127
`;
  writeFileSync(join(programs, 'npx'), script, { mode: 0o755 });
  return programs;
};
