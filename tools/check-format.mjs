// @ts-check
/**
 * Whether all files are formatted. oxfmt, which formats as Prettier does in a hundredth of the time, says which files may not
 * be; Prettier decides. The two differ in unions of types that fit on the line below. With `THOROUGH`, Prettier reads all files.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { commandLine } from './command-line.mjs';

commandLine('\n\nFails where Prettier would format a file otherwise, and names it.', {});

/**
 * Runs a tool of the project.
 *
 * @param {string} tool
 * @param {readonly string[]} args
 * @param {'pipe' | 'inherit'} output
 */
const run = (tool, args, output) =>
  spawnSync(process.execPath, [`node_modules/.bin/${tool}`, ...args], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', output, 'inherit'],
  });

/** Has Prettier check files or folders, and ends with its answer. */
const check = (/** @type {readonly string[]} */ paths) => {
  process.exitCode = run('prettier', ['--check', '--ignore-unknown', ...paths], 'inherit').status ?? 1;
};

/** The files that oxfmt would format otherwise, or all where it cannot read one: Prettier says what is wrong. */
const doubtful = () => {
  const { status, stdout } = run('oxfmt', ['--list-different', '.'], 'pipe');
  return status === 0 || status === 1 ? stdout.split('\n').filter((path) => path !== '') : ['.'];
};

const paths = process.env['THOROUGH'] === undefined ? doubtful() : ['.'];
if (paths.length > 0) check(paths);
