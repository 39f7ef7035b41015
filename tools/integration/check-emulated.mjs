// @ts-check
/**
 * Runs hundreds of ConvBench's convolutions as code for other processors in emulators: all have to be exact and execute
 * as many outer products as their plans have. Those with more than a million multiply-adds are scaled down. The tests
 * run some of them.
 *
 *     node tools/integration/check-emulated.mjs [NAME]
 *
 * NAME is one of mma, sme, neon and avx512; default: all (15 minutes).
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [name] = process.argv.slice(2);
const { status } = spawnSync(
  'npx',
  [
    ...['vitest', 'run', '--project', 'integration', '--reporter', 'dot', 'emulated.test'],
    ...(name === undefined ? [] : ['--testNamePattern', name]),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, EMULATED: 'all' } },
);
process.exitCode = status ?? 1;
