/** The types of the packed packages, and the programs of the documents, as TypeScript's supported versions see them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, inject, it } from 'vitest';
import { run } from '../../checks/support/command.ts';
import { codeBlocks, readPages } from '../../checks/support/documents.ts';
import { emptyFolder, install } from '../../checks/support/folder.ts';
import { closureOfAll, readPackages, specifiersOf } from '../../checks/support/packages.ts';
import { matrixFolder } from '../support/tools.ts';

const packages = readPackages();
const folder = emptyFolder(afterAll);

/** Those that neither Node's types nor a peer dependency is needed for. */
const programs = readPages().flatMap(({ page, text }) =>
  codeBlocks(page, text).filter(
    ({ language, note, code }) =>
      language === 'ts' && note !== 'fragment' && !/'(vitest|node:\w+)'/.test(code),
  ),
);
/** Every entry point, and values of typed arrays that a caller annotates. */
const consumer = (): string => {
  const specifiers = packages.filter(({ peers }) => peers.length === 0).flatMap(specifiersOf);
  return `${specifiers.map((name, i) => `import * as module${i} from '${name}';`).join('\n')}
export const modules: readonly object[] = [${specifiers.map((_, i) => `module${i}`).join(', ')}];
import { compileConvolution, halfBits } from 'sconv';
const convolution = compileConvolution({ input: [1, 3, 34, 34], filters: [8, 3, 3, 3] });
export const output: Float32Array = convolution.run(new Float32Array(3 * 34 * 34), new Float32Array(8 * 27));
export const bits: Uint16Array = halfBits('f16', [1]);
`;
};

const libraries = [
  ['without dom', ['es2022']],
  ['with dom', ['es2023', 'dom']],
] as const;
const resolutions = [
  ['nodenext', 'nodenext'],
  ['bundler', 'esnext'],
] as const;
const configurations = libraries.flatMap(([name, lib]) =>
  resolutions.map(([moduleResolution, module]) => ({
    name: `${moduleResolution}, ${name}`,
    lib,
    module,
    moduleResolution,
  })),
);

beforeAll(async () => {
  await install(folder, closureOfAll(packages), inject('tarballs'));
  const files = programs.map(({ page, line, code }) => {
    const name = `${page.replaceAll(/[^a-z]/gi, '-')}-${line}.ts`;
    writeFileSync(join(folder, name), `${code}\nexport {};\n`);
    return { path: `../${name}`, isOfPage: /\b(?:Blob|AbortSignal)\b/.test(code) };
  });
  writeFileSync(join(folder, 'consumer.ts'), consumer());
  writeFileSync(
    join(folder, 'console.d.ts'),
    'declare const console: { log(...values: unknown[]): void };\n',
  );
  for (const { name, lib, module, moduleResolution } of configurations) {
    mkdirSync(join(folder, name));
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      target: 'es2022',
      lib,
      module,
      moduleResolution,
      types: [],
      rootDir: '..',
      outDir: 'built',
    };
    const hasDom = lib.some((each) => each === 'dom');
    const globals = hasDom ? [] : ['../console.d.ts'];
    const fitting = files.filter(({ isOfPage }) => hasDom || !isOfPage).map(({ path }) => path);
    writeFileSync(
      join(folder, name, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['../consumer.ts', ...globals, ...fitting] }),
    );
  }
});

describe.concurrent.each([
  ['5.5', 'tsc'],
  ['5.9', 'tsc'],
  ['6', 'tsc6'],
  ['7', 'tsc'],
])('TypeScript %s', (version, program) => {
  const compiler = join(matrixFolder, 'node_modules', `typescript-${version}`, 'bin', program);
  // Declarations are checked, too: no skipLibCheck.
  it.for(configurations)('$name', async ({ name }, { expect }) => {
    const { code, stdout, stderr } = await run(folder, process.execPath, compiler, '--noEmit', '-p', name);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
