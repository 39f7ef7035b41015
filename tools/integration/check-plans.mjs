// @ts-check
/**
 * Checks that the generated code matches the priced plan, for all rows of tools/integration/test/convbench/rows.txt;
 * the tests run some of them.
 *
 *     node tools/integration/check-plans.mjs
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--project', 'integration', '--reporter', 'dot', 'plans.test'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PLANS_EVERY: '1' },
  },
);
process.exitCode = status ?? 1;
