/** A page that convolves on one thread and on two: built by each bundler, and unbundled. Run in Chromium, if installed. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, inject, it } from 'vitest';
import { emptyFolder, install } from '../../checks/support/folder.ts';
import { closureOf, readPackages, specifiersOf } from '../../checks/support/packages.ts';
import { hasChromium, reportOf } from '../../checks/support/page.ts';
import { build, bundlers } from '../support/build.ts';

const packages = readPackages();
const folder = emptyFolder(afterAll);
beforeAll(async () => {
  await install(folder, closureOf('sconv', packages), inject('tarballs'));
});

/** What it reports is computed by as many threads as there are workers. */
const page = (workers: string): string => `import { compileConvolutionAsync } from 'sconv';
const report = async () => {
  const sums = [];
  for (const threads of ${workers === '' ? '[1]' : '[1, 2]'}) {
    const spec = { input: [1, 16, 34, 34], filters: [32, 16, 3, 3], threads${workers === '' ? '' : `, workers: () => ${workers}`} };
    const convolution = await compileConvolutionAsync(spec);
    const bound = convolution.bind(new Float32Array(32 * 16 * 9).fill(1));
    const output = await bound.runAsync(new Float32Array(16 * 34 * 34).fill(1));
    sums.push([...new Set(output)], convolution.warnings.map(({ message }) => message));
    convolution.dispose();
  }
  return sums;
};
const send = (value) => fetch('/report', { method: 'POST', body: JSON.stringify(value) });
report().then(send, (problem) => send(String(problem) + problem.stack));
`;
const worker = `import { serveWorker } from '@sconv/wasm/worker';
serveWorker(self);
`;

/** Loads a module; what does not even begin is reported. */
const start = (module: string): string => `addEventListener('error', ({ message }) => report(message));
const report = (problem) => fetch('/report', { method: 'POST', body: JSON.stringify(String(problem)) });
import('${module}').catch(report);
`;

/** The scripts below a folder, by address. */
const scriptsBelow = (path: string, address: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .map((file) => [`${address}/${file}`, readFileSync(join(path, file), 'utf8')]),
  );

describe('a page with threads, built by', () => {
  it.for([...bundlers, 'esbuild-neutral'])('%s', async (bundler, { expect, skip }) => {
    const inner = join(folder, bundler);
    mkdirSync(inner);
    const workers = "new Worker('/built/worker.js', { type: 'module' })";
    const built = await build(inner, bundler, 'page', { 'main.js': page(workers), 'worker.js': worker });
    skip(!hasChromium, 'no Chromium');
    const files = scriptsBelow(built, '/built');
    const report = await reportOf({ script: start('/built/main.js'), files, isolated: true });
    expect(JSON.parse(report)).toEqual([[144], [], [144], []]);
  });
});

describe.skipIf(!hasChromium)('a page without a bundler', () => {
  it('finds the packages by an import map', async ({ expect }) => {
    const modules = join(folder, 'node_modules');
    const { own } = closureOf('sconv', packages);
    const imports = own.flatMap((each) =>
      specifiersOf(each).map((specifier): [string, string] => {
        const target = each.manifest.exports[`.${specifier.slice(each.name.length)}`] as {
          readonly default: string;
        };
        return [specifier, `/modules/${each.name}${target.default.slice(1)}`];
      }),
    );
    const files = own.reduce<Readonly<Record<string, string>>>(
      (all, { name }) => ({
        ...all,
        ...scriptsBelow(join(modules, name, 'bundle'), `/modules/${name}/bundle`),
      }),
      { '/page.js': page('') },
    );
    const map = JSON.stringify({ imports: Object.fromEntries(imports) });
    const script = `const map = document.createElement('script');
      map.type = 'importmap';
      map.textContent = ${JSON.stringify(map)};
      document.head.append(map);
      ${start('/page.js')}`;
    expect(JSON.parse(await reportOf({ script, files, isolated: true })) as unknown).toEqual([[144], []]);
  });
});
