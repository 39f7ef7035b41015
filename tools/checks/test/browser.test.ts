/** What runs in a browser: bundled without a Node built-in, and loaded where only a browser's globals exist. */
import { writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { emptyFolder, install } from '../support/folder.ts';
import { closureOf, readPackages, specifiersOf } from '../support/packages.ts';

const packages = readPackages();

/** A module as one script that puts its exports in the global `bundled`. Fails at an import of a Node built-in. */
const bundle = async (folder: string, text: string): Promise<string> => {
  const input = join(folder, 'entry.js');
  writeFileSync(input, text);
  const build = await rolldown({
    input,
    cwd: folder,
    platform: 'browser',
    // A warning, such as that of an unresolved import, is a failure.
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
  const { output } = await build.generate({ format: 'iife', name: 'bundled' });
  return output[0].code;
};

/** Runs a script where there is JavaScript, WebAssembly, and what every browser adds to them, but not Node. */
const load = (script: string): unknown => {
  const context = createContext({ console, performance, TextDecoder, TextEncoder });
  runInContext(`${script}\nglobalThis.bundled = bundled;`, context);
  return context['bundled'];
};

/** Where everything is installed. */
const folder = emptyFolder(afterAll);
beforeAll(async () => {
  await install(folder, closureOf('sconv', packages), inject('tarballs'));
});

describe('packages for every platform', () => {
  it.each(packages.filter(({ isPortable }) => isPortable))('$name', async (owner) => {
    const specifiers = owner.peers.length === 0 ? specifiersOf(owner) : [owner.name];
    const imports = specifiers.map((name, i) => `export * as module${i} from '${name}';`);
    const script = await bundle(folder, imports.join('\n'));
    expect(Object.keys(load(script) as object)).toHaveLength(specifiers.length);
  });
});

describe('the facade', () => {
  it('convolves without Node', async () => {
    const text = `import { convolve } from 'sconv';
      const input = { shape: [1, 1, 3, 3], data: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9) };
      const filters = { shape: [1, 1, 2, 2], data: Float32Array.of(1, 0, 0, 1) };
      export const output = [...convolve(input, filters).data];`;
    const { output } = load(await bundle(folder, text)) as { output: unknown };
    expect(JSON.stringify(output)).toBe('[6,8,12,14]');
  });
});

describe('the check itself', () => {
  it.each([
    ['a Node built-in', "export * from 'node:path';", 'imports node:path'],
    ['a package that is not there', "export * from '@sconv/none';", '@sconv/none'],
  ])('sees %s', async (_, text, message) => {
    await expect(bundle(folder, text)).rejects.toThrow(message);
  });
  it('sees a global of Node', async () => {
    const script = await bundle(folder, 'export const home = process.env.HOME;');
    expect(() => load(script)).toThrow('process is not defined');
  });
});
