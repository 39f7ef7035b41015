/** `npm run matrix`: checks the packed packages with what their users compile, bundle and run them with. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const usage = `npm run matrix [-- TEXT…]   checks whose file's name has one of the texts: types, pages, server

Packs the packages, installs tools/matrix/package-lock.json, and then
  types    type-checks the programs of the documents and a consumer of all entry points: TypeScript 5.5, 5.9, 6 and 7,
           with and without the library 'dom', modules 'nodenext' and 'bundler'
  pages    runs a page in Chromium, if installed: built by Vite, esbuild, Rollup, webpack and rolldown, and unbundled
  server   runs a program with threads in Node, bundled by each
The results are in test-results/matrix.json, too.`;

const names = process.argv.slice(2);
if (names.some((name) => name.startsWith('-'))) {
  console.log(usage);
  process.exitCode = names.some((name) => name === '--help' || name === '-h') ? 0 : 2;
} else {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const reporters = ['--reporter=verbose', '--reporter=json', '--outputFile.json=test-results/matrix.json'];
  const vitest = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'checks-matrix',
    ...reporters,
    ...names,
  ];
  const { status } = spawnSync(process.execPath, vitest, { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
