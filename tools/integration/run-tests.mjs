// @ts-check
/** Runs tests of this folder outside of the test run: those that vary more, or take longer, than its defaults. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The words after the script's name. Options, or more words than `most`, end the script with its usage: these checks take minutes.
 *
 * @param {string} usage
 * @param {number} most
 */
export const wordsOf = (usage, most) => {
  const words = process.argv.slice(2);
  if (words.length <= most && !words.some((word) => word.startsWith('-'))) return words;
  const isAsked = words.includes('--help') || words.includes('-h');
  (isAsked ? console.log : console.error)(`usage: node tools/integration/${usage}`);
  process.exit(isAsked ? 0 : 2);
};

/**
 * Runs the tests of the files whose names contain `filter` and exits with their status.
 *
 * @param {string} filter
 * @param {Record<string, string>} env what the tests read to vary
 * @param {readonly string[]} [flags] of vitest
 */
export const runTests = (filter, env, flags = ['--reporter', 'dot']) => {
  const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'integration', ...flags, filter], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  process.exitCode = status ?? 1;
};
