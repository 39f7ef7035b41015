/**
 * Bundles the extension and the server, each for the desktop and for a page, into `dist`, with the licences of what is
 * in them. Needs `npm ci` of the repository and of this folder.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { withoutBehaviour } from '../without-behaviour.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const foreign = new Set();

rmSync(`${folder}dist`, { recursive: true, force: true });
mkdirSync(`${folder}dist`);
for (const [name, platform, format] of [
  ['extension', 'node', 'cjs'],
  ['server', 'node', 'cjs'],
  ['web-extension', 'browser', 'cjs'],
  ['web-server', 'browser', 'iife'],
]) {
  const bundle = await rolldown({
    input: `${folder}src/${name}.mjs`,
    cwd: folder,
    platform,
    external: ['vscode'],
    resolve: { conditionNames: [platform, 'import', 'default'] },
    // A warning, such as for an import that is not resolved, is a failure.
    onLog: (_level, log) => {
      throw new Error(log.message);
    },
    plugins: [
      {
        name: 'declarations',
        transform: (code, id) =>
          /packages.[\w-]+.bundle/.test(id) ? { code: withoutBehaviour(code) } : undefined,
      },
    ],
  });
  const { output } = await bundle.write({
    file: `${folder}dist/${name}.${format === 'iife' ? 'js' : 'cjs'}`,
    format,
    minify: true,
  });
  for (const chunk of output)
    for (const id of chunk.moduleIds) {
      const [, at] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
      if (at !== undefined) foreign.add(at);
    }
}

const require = createRequire(import.meta.url);
const licenceOf = (/** @type {string} */ at) => {
  const names = ['LICENSE', 'LICENSE.md', 'License.txt', 'LICENSE.txt', 'license.txt'];
  for (const name of names) {
    try {
      return `${require(`${at}/package.json`).name}\n\n${readFileSync(`${at}/${name}`, 'utf8')}`;
    } catch {
      // Under another name.
    }
  }
  throw new Error(`${at} has no licence`);
};
writeFileSync(`${folder}dist/licences.txt`, [...foreign].sort().map(licenceOf).join('\n---\n\n'));
