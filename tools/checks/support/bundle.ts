/** Bundles modules for a browser, and loads them with only a browser's globals. */
import { writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import type { OutputOptions } from 'rolldown';
import { rolldown } from 'rolldown';

const generate = async (
  folder: string,
  text: string,
  conditions: readonly string[],
  options: OutputOptions,
): Promise<string> => {
  const input = join(folder, 'entry.js');
  writeFileSync(input, text);
  const build = await rolldown({
    input,
    cwd: folder,
    platform: 'browser',
    resolve: { conditionNames: [...conditions, 'import', 'browser', 'default'] },
    // A warning, such as for an unresolved import, is a failure.
    onLog: (_level, log) => {
      throw new Error(log.message);
    },
    plugins: [
      {
        name: 'no-node',
        resolveId: (id, importer) => {
          if (!id.startsWith('node:') && !builtinModules.includes(id)) return undefined;
          throw new Error(`${importer ?? ''} imports ${id}`);
        },
      },
    ],
  });
  const { output } = await build.generate(options);
  return output[0].code;
};

/**
 * Bundles a module as one script that stores its exports in the global `bundled`. Fails at an import of a Node
 * built-in.
 */
export const bundle = (folder: string, text: string, conditions: readonly string[] = []): Promise<string> =>
  generate(folder, text, conditions, { format: 'iife', name: 'bundled' });

/** The bytes that a page loads for a module: bundled and minified, with these conditions of `exports`. */
export const minifiedSize = async (
  folder: string,
  text: string,
  conditions: readonly string[],
): Promise<number> => {
  const comments = { annotation: false, jsdoc: false, legal: false };
  const script = await generate(folder, text, conditions, { format: 'esm', minify: true, comments });
  return Buffer.byteLength(script);
};

/** Runs a script with JavaScript, WebAssembly and what every browser adds, but without Node. */
export const load = (script: string): unknown => {
  const context = createContext({ console, performance, TextDecoder, TextEncoder });
  runInContext(`${script}\nglobalThis.bundled = bundled;`, context);
  return context['bundled'];
};
