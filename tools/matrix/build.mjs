/**
 * Bundles `main.js` and `worker.js` of a folder, as a page's scripts or as programs of Node, into its folder `built`:
 * `node tools/matrix/build.mjs BUNDLER page|server FOLDER`. A warning is a failure. A server's program leaves koffi outside,
 * which is not installed with the packages: native code needs it.
 */
import { existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import * as esbuild from 'esbuild';
import { rolldown } from 'rolldown';
import { rollup } from 'rollup';
import * as vite from 'vite';
import webpack from 'webpack';

/** @typedef {{ readonly folder: string, readonly input: Record<string, string>, readonly isPage: boolean }} Job */

const fail = (/** @type {unknown} */ problem) => {
  throw new Error(typeof problem === 'string' ? problem : JSON.stringify(problem));
};

const runEsbuild = ({ folder, input, isPage }, /** @type {esbuild.Platform} */ platform) =>
  esbuild
    .build({
      entryPoints: input,
      outdir: join(folder, 'built'),
      bundle: true,
      format: 'esm',
      minify: true,
      platform: isPage ? platform : 'node',
      external: isPage ? [] : ['koffi'],
      logLevel: 'silent',
    })
    .then(({ warnings }) => warnings.forEach(fail));

const runWebpack = ({ folder, input, isPage }) =>
  new Promise((resolve, reject) => {
    const configuration = {
      mode: 'production',
      context: folder,
      entry: input,
      target: isPage ? 'web' : 'node',
      // A bundle of this size is what is asked for.
      performance: { hints: false },
      // It would minify the modules that a program of Node names by address as scripts.
      optimization: { minimize: isPage },
      externals: isPage ? [] : ['koffi'],
      externalsType: 'module-import',
      experiments: { outputModule: true },
      output: { path: join(folder, 'built'), filename: '[name].js', module: true },
    };
    webpack(configuration, (problem, stats) => {
      if (problem) reject(problem);
      else if (stats.hasErrors() || stats.hasWarnings()) reject(new Error(stats.toString('errors-warnings')));
      else resolve(undefined);
    });
  });

const built = { dir: 'built', format: 'es', entryFileNames: '[name].js' };

/** What builds a job, by the bundler's name. */
const bundlers = {
  vite: ({ folder, input, isPage }) =>
    vite.build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      build: {
        outDir: 'built',
        ...(isPage ? {} : { ssr: true }),
        rolldownOptions: {
          input,
          external: isPage ? [] : ['koffi'],
          output: { entryFileNames: '[name].js' },
          onLog: (_, log) => fail(log.message),
        },
      },
      ...(isPage ? {} : { ssr: { noExternal: true } }),
    }),
  esbuild: (job) => runEsbuild(job, 'browser'),
  'esbuild-neutral': (job) => runEsbuild(job, 'neutral'),
  rollup: async ({ folder, input, isPage }) => {
    const build = await rollup({
      input,
      external: isPage ? [] : [/^node:/, 'koffi', ...builtinModules],
      plugins: [nodeResolve({ browser: isPage })],
      onwarn: ({ message }) => fail(message),
    });
    await build.write({ ...built, dir: join(folder, 'built') });
  },
  webpack: runWebpack,
  rolldown: async ({ folder, input, isPage }) => {
    const build = await rolldown({
      input,
      cwd: folder,
      platform: isPage ? 'browser' : 'node',
      external: isPage ? [] : ['koffi'],
      onLog: (_, { message }) => fail(message),
    });
    await build.write({ ...built, minify: true });
  },
};

const [name = '', use = '', folder = ''] = process.argv.slice(2);
const bundler = bundlers[name] ?? fail(`no bundler '${name}': ${Object.keys(bundlers).join(', ')}`);
const input = Object.fromEntries(
  ['main', 'worker'].map((each) => [each, join(folder, `${each}.js`)]).filter(([, file]) => existsSync(file)),
);
await bundler({ folder, input, isPage: use === 'page' });
