// @ts-check
/** Builds what has changed of the fuzzer and of what it uses. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** @param {string} path */
const folder = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Ends the process if the compiler reports errors. */
export const buildFuzz = () => {
  const compiler = folder('../../node_modules/.bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-b', folder('tsconfig.lib.json')], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
};
