// @ts-check
/**
 * What a developer runs between edits: format and lint of the changed files, all types, and those tests of the changed
 * packages that import a changed file. `npm test` does the rest.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine, refuse } from './command-line.mjs';

const usage = `[--base REV]

Checks what differs from REV, which is HEAD by default, and what git does not know yet.`;
const { values } = commandLine(usage, { base: { type: 'string', default: 'HEAD' } });
const root = fileURLToPath(new URL('..', import.meta.url));

/** @param {string[]} args */
const git = (...args) => {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return refuse(`git knows no revision '${values.base}'`);
  }
};

/**
 * Runs a tool of the project; resolves to whether it succeeded.
 *
 * @param {string} tool
 * @param {string[]} args
 * @returns {Promise<boolean>}
 */
const run = (tool, args) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [`node_modules/.bin/${tool}`, ...args], {
      cwd: root,
      stdio: 'inherit',
    });
    child.on('close', (status) => {
      if (status !== 0) console.error(`${tool}: failed`);
      resolve(status === 0);
    });
  });

const changed = [
  ...git('diff', '--name-only', '--end-of-options', values.base),
  ...git('ls-files', '--others', '--exclude-standard'),
].filter((file) => existsSync(`${root}/${file}`));
const sources = changed.filter((file) => /\.m?[jt]s$/.test(file));
const tested = sources.filter((file) => file.endsWith('.ts'));
const folders = new Set(tested.flatMap((file) => /^(?:packages|tools)\/[^/]+\//.exec(file) ?? []));
// Those of tools/checks and tools/matrix take minutes; `npm test` and `npm run matrix` run them.
const projects = [...folders]
  .filter((folder) => existsSync(`${root}/${folder}test`) && !/^tools\/(checks|matrix)\/$/.test(folder))
  .map((folder) => basename(folder));

const results = await Promise.all([
  changed.length === 0 || run('prettier', ['--check', '--ignore-unknown', ...changed]),
  sources.length === 0 || run('eslint', ['--max-warnings', '0', '--no-warn-ignored', ...sources]),
  run('tsc', ['-b']),
  projects.length === 0 ||
    run('vitest', [
      'related',
      '--run',
      '--passWithNoTests',
      '--reporter=dot',
      ...projects.flatMap((name) => ['--project', name]),
      ...tested,
    ]),
]);
process.exitCode = results.every(Boolean) ? 0 : 1;
