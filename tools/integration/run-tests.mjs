// @ts-check
/** Runs tests of this folder outside of the test run: those that vary more, or take longer, than its defaults. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

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
