/** The scripts of the tools answer `--help`, and refuse what they do not know in one line. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = (script: string, words: readonly string[]) =>
  spawnSync(process.execPath, [script, ...words], { cwd: root, encoding: 'utf8' });

it.each([
  'tools/integration/check-plans.mjs',
  'tools/integration/check-convolutions.mjs',
  'tools/models/write-files.mjs',
])('%s says how it is used', (script) => {
  const { status, stdout, stderr } = run(script, ['--help']);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`usage: node ${script}`);
});

it.each([
  ['tools/integration/check-plans.mjs', ['--nonsense'], "Unknown option '--nonsense'"],
  ['tools/integration/check-plans.mjs', ['nonsense'], "unexpected argument 'nonsense'"],
  ['tools/integration/check-convolutions.mjs', ['1', '2', '3'], "unexpected argument '3'"],
  ['tools/models/write-files.mjs', ['--seed', 'x'], "--seed takes a number, not 'x'"],
])('%s refuses %j', (script, words, message) => {
  const { status, stdout, stderr } = run(script, words);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toBe(`${script}: ${message}; see --help\n`);
});
