// @ts-check
/** The parent's side of the runner: starts it, sends requests, and replaces it if it hangs or dies. */
import { fork } from 'node:child_process';
import { clearTimeout, setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./runner.mjs').Request} Request */
/** @typedef {import('./runner.mjs').Reply} Reply */

const runner = fileURLToPath(new URL('runner.mjs', import.meta.url));
/** Heap limit in megabytes, which stops mutants that allocate endlessly. */
const heap = 2048;

/**
 * A warm test run of one package.
 * @param {string} packageName
 */
export function openSession(packageName) {
  /** @type {Promise<import('node:child_process').ChildProcess> | undefined} */
  let running;

  const start = () =>
    new Promise((resolve, reject) => {
      const child = fork(runner, [packageName], {
        execArgv: [`--max-old-space-size=${heap}`],
        env: { ...process.env, CI: 'true' },
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      });
      let errors = '';
      child.stderr?.on('data', (data) => (errors = (errors + String(data)).slice(-2000)));
      child.once('message', () => resolve(child));
      child.once('exit', () =>
        reject(new Error(`the test runner of ${packageName} did not start:\n${errors}`)),
      );
    });

  return {
    /**
     * Runs tests; a run that takes longer than `limit` milliseconds, or takes the process down, is a `timeout`.
     * @param {Request} request
     * @param {number} limit
     * @returns {Promise<Reply | 'timeout'>}
     */
    async run(request, limit) {
      running ??= start();
      const child = await running;
      return new Promise((resolve) => {
        const stop = () => {
          running = undefined;
          child.removeAllListeners();
          child.kill('SIGKILL');
          resolve('timeout');
        };
        const timer = setTimeout(stop, limit);
        child.removeAllListeners('message').removeAllListeners('exit');
        child.once('message', (reply) => {
          clearTimeout(timer);
          resolve(/** @type {Reply} */ (reply));
        });
        child.once('exit', () => {
          clearTimeout(timer);
          stop();
        });
        child.send(request);
      });
    },
    async close() {
      const child = await running;
      child?.removeAllListeners();
      child?.kill('SIGKILL');
    },
  };
}
