// @ts-check
/**
 * Compiles and runs random convolutions of all layouts and element types, padded, grouped and quantized, for WebAssembly
 * and natively: each result has to be the sum of products. The tests run some of them.
 *
 *     node tools/integration/check-convolutions.mjs [NUMBER] [SEED]
 *
 * NUMBER is 300 by default, SEED is 1 (5 minutes).
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [CONVOLUTIONS = '300', SEED = '1'] = process.argv.slice(2);
const { status } = spawnSync(
  'npx',
  [
    ...['vitest', 'run', '--project', 'integration', '--reporter', 'verbose', 'convolution-types.test'],
    ...['--testNamePattern', 'a random convolution'],
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, CONVOLUTIONS, SEED } },
);
process.exitCode = status ?? 1;
