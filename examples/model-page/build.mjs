/** Builds the page: `node build.mjs [FOLDER]`, by default into `dist`. */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const here = import.meta.dirname;

/** The page's own script, that of the model's worker, and that of its threads. */
const scripts = ['main', 'model-worker', 'thread-worker'];

/** Each script as one minified file, next to the page and its style. */
export const buildPage = async (/** @type {string} */ folder) => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of scripts) {
    const build = await rolldown({
      input: join(here, `src/${name}.ts`),
      cwd: here,
      platform: 'browser',
      // Operations without their text, which only a parser and a printer need.
      resolve: { conditionNames: ['@sconv/data', 'import', 'browser', 'default'] },
      // A warning, such as for an import that is not resolved, is a failure.
      onLog: (_level, log) => {
        throw new Error(log.message);
      },
    });
    await build.write({ file: join(folder, `${name}.js`), format: 'esm', minify: true });
  }
  for (const name of ['index.html', 'style.css']) copyFileSync(join(here, name), join(folder, name));
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await buildPage(process.argv[2] ?? join(here, 'dist'));
