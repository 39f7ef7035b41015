/**
 * Writes `packages/sconv/bin/commands.js`, which the commands start from: their modules, and those of all packages, in one file.
 * Node takes half a second to find and link the 900 modules one by one. `node tools/bundle-commands.mjs`
 *
 * Needs the `bundle` of all packages. What is not ours stays outside, so that it is installed with its licence.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const folder = fileURLToPath(new URL('../packages/sconv', import.meta.url));
const { dependencies } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));

const entry = 'commands';
const build = await rolldown({
  input: entry,
  cwd: folder,
  platform: 'node',
  external: Object.keys(dependencies).filter((name) => !name.startsWith('@sconv/')),
  resolve: { conditionNames: ['import', 'node', 'default'] },
  // A warning, such as for an import that is not resolved, is a failure.
  onLog: (_level, log) => {
    throw new Error(log.message);
  },
  plugins: [
    {
      name: 'commands',
      resolveId: (id) => (id === entry ? `${folder}/dist/${entry}-entry.js` : undefined),
      load: (id) =>
        id === `${folder}/dist/${entry}-entry.js`
          ? `export { endWith } from './console.js';
             export { main as sconv } from './sconv.js';
             export { main as sconvOpt } from './sconv-opt.js';
             export { serveTasks } from './convbench/worker.js';
             export { serveTuning } from './tune/measuring-side.js';`
          : undefined,
    },
  ],
});
await build.write({
  file: `${folder}/bin/${entry}.js`,
  format: 'esm',
  comments: { legal: true, annotation: false, jsdoc: false },
});
