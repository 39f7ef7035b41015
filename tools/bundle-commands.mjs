/**
 * Writes `packages/sconv/bin/commands.js`, which the commands start from: their modules, and those of all packages, in
 * one file. Node takes half a second to find and link the 900 modules one by one. `node tools/bundle-commands.mjs`
 *
 * The language server, which has to be there when an editor opens a file, has a file of its own, `language-server.js`:
 * without what transforms do to a payload, since it runs none.
 *
 * Next to them goes `generator.txt`, a hash of what decides the code for a payload and how it is loaded, and of nothing
 * else: the records of a tuner are of one generator.
 *
 * Needs the `bundle` of all packages, and does nothing where none has changed since. What is not ours stays outside, so that it is installed with its licence.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { areNewer } from './are-newer.mjs';
import { withoutBehaviour } from './without-behaviour.mjs';

const repository = fileURLToPath(new URL('..', import.meta.url));
const folder = `${repository}packages/sconv`;
const outputs = ['commands.js', 'language-server.js', 'generator.txt'].map((name) => `${folder}/bin/${name}`);
const inputs = [
  `${folder}/dist`,
  ...readdirSync(`${repository}packages`).flatMap((name) =>
    ['bundle', 'package.json'].map((made) => `${repository}packages/${name}/${made}`),
  ),
  ...['bundle-commands.mjs', 'without-behaviour.mjs'].map((name) => `${repository}tools/${name}`),
];
if (areNewer(outputs, inputs)) process.exit();
// Written last: without it, all is made again.
rmSync(`${folder}/bin/generator.txt`, { force: true });

const { dependencies } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));

/** Bundles a module of this text, which stands in `dist`; `change` is made to the modules of the packages. */
const bundle = (text, change) => {
  const entry = `${folder}/dist/commands-entry.js`;
  return rolldown({
    input: 'entry',
    cwd: folder,
    platform: 'node',
    external: Object.keys(dependencies)
      .filter((name) => !name.startsWith('@sconv/'))
      .map((name) => new RegExp(`^${name}(/|$)`)),
    resolve: { conditionNames: ['import', 'node', 'default'] },
    // A warning, such as for an import that is not resolved, is a failure.
    onLog: (_level, log) => {
      throw new Error(log.message);
    },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? entry : undefined),
        load: (id) => (id === entry ? text : undefined),
        transform: (code, id) =>
          change !== undefined && /packages.[\w-]+.bundle/.test(id) ? { code: change(code) } : undefined,
      },
    ],
  });
};

const write = (build, name) =>
  build.write({
    file: `${folder}/bin/${name}.js`,
    format: 'esm',
    comments: { legal: true, annotation: false, jsdoc: false },
  });

const commands = await bundle(`
  export { endWith } from './console.js';
  export { main as sconv } from './sconv.js';
  export { main as sconvOpt } from './sconv-opt.js';
  export { serveTasks } from './convbench/worker.js';
  export { servePeerStart } from './model/peer-start.js';
  export { serveTuning } from './tune/measuring-side.js';
`);
await write(commands, 'commands');

const languageServer = await bundle(
  `
  export { endWith } from './console.js';
  export { main as sconvLsp } from './sconv-lsp.js';
`,
  withoutBehaviour,
);
await write(languageServer, 'language-server');

const generator = await bundle(`
  export { emitPayload } from './compile-module.js';
  export { nodeBackends } from './node-backends.js';
`);
const { output } = await generator.generate({ format: 'esm', minify: true });
const hash = createHash('sha256');
for (const chunk of output) if (chunk.type === 'chunk') hash.update(chunk.code);
writeFileSync(`${folder}/bin/generator.txt`, hash.digest('hex').slice(0, 16));
