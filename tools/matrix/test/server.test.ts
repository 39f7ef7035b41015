/** A server's program with threads, bundled: it finds the worker of the installed package. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, inject, it } from 'vitest';
import { output } from '../../checks/support/command.ts';
import { emptyFolder, install } from '../../checks/support/folder.ts';
import { closureOf, readPackages } from '../../checks/support/packages.ts';
import { build, bundlers } from '../support/build.ts';

const folder = emptyFolder(afterAll);
beforeAll(async () => {
  await install(folder, closureOf('sconv', readPackages()), inject('tarballs'));
});

const program = `import { compileConvolutionAsync } from 'sconv';
import { nodeWorkers } from 'sconv/node';

const spec = { input: [1, 16, 34, 34], filters: [32, 16, 3, 3], threads: 2, workers: nodeWorkers };
const convolution = await compileConvolutionAsync(spec);
const [input, filters] = [16 * 34 * 34, 32 * 16 * 9].map((length) => new Float32Array(length).fill(1));
const result = await convolution.runAsync(input, filters);
console.log([...new Set(result)].join(), convolution.warnings.length);
`;

describe('a program of Node with threads, bundled by', () => {
  it.for(bundlers)('%s', async (bundler, { expect }) => {
    const inner = join(folder, bundler);
    mkdirSync(inner);
    const built = await build(inner, bundler, 'server', { 'main.js': program });
    expect(await output(folder, process.execPath, join(built, 'main.js'))).toBe('144 0\n');
  });
});
