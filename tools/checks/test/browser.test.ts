/** What runs in a browser: bundles without Node built-ins, and loads with only a browser's globals. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { bundle, load } from '../support/bundle.ts';
import { emptyFolder, install } from '../support/folder.ts';
import { closureOf, readPackages, specifiersOf } from '../support/packages.ts';

const packages = readPackages();

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
  it.each([[[]], [['@sconv/data']]])('convolves without Node: %j', async (conditions) => {
    const text = `import { convolve } from 'sconv';
      const input = { shape: [1, 1, 3, 3], data: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9) };
      const filters = { shape: [1, 1, 2, 2], data: Float32Array.of(1, 0, 0, 1) };
      export const output = [...convolve(input, filters).data];`;
    const { output } = load(await bundle(folder, text, conditions)) as { output: unknown };
    expect(JSON.stringify(output)).toBe('[6,8,12,14]');
  });
});

describe('models', () => {
  it('are compiled and timed without Node', async () => {
    const script = await bundle(folder, `export * from 'sconv/model';`);
    const names = Object.keys(load(script) as object);
    expect(names).toEqual(expect.arrayContaining(['compileModel', 'readModel', 'timeParts']));
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
