/** The packed packages in empty folders: each imported alone, all type-checked, the commands run. */
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { output, tool } from '../support/command.ts';
import { emptyFolder, install, unpack } from '../support/folder.ts';
import type { Closure } from '../support/packages.ts';
import { closureOf, closureOfAll, readPackages, root, specifiersOf } from '../support/packages.ts';

const tarballs = inject('tarballs');
const packages = readPackages();

/** Whether npm installs each package, or a sixth are unpacked: see CONTRIBUTING.md. */
const isThorough = process.env['THOROUGH'] !== undefined;

/** Names of the packages in `node_modules`, including scoped ones. */
const installed = (folder: string): readonly string[] =>
  readdirSync(join(folder, 'node_modules')).flatMap((name) =>
    name.startsWith('.')
      ? []
      : name.startsWith('@')
        ? readdirSync(join(folder, 'node_modules', name)).map((inner) => `${name}/${inner}`)
        : [name],
  );

const namesOf = ({ own, foreign }: Closure): readonly string[] =>
  [...own.map(({ name }) => name), ...foreign].sort();

describe.concurrent('a folder with one package', () => {
  it.for(packages.filter((_, i) => isThorough || i % 6 === 0))('$name', async (owner, context) => {
    const folder = emptyFolder(context.onTestFinished);
    const { expect } = context;
    const closure = closureOf(owner.name, packages);
    if (isThorough) await install(folder, closure, tarballs);
    else await unpack(folder, [owner.name], tarballs);
    expect([...installed(folder)].sort()).toEqual(namesOf(closure));
    // Sub-paths with a peer dependency are for those who have it.
    const specifiers = owner.peers.length === 0 ? specifiersOf(owner) : [owner.name];
    const script = `for (const name of ${JSON.stringify(specifiers)}) {
      const exported = Object.keys(await import(name));
      if (exported.length === 0) throw new Error(name + ' exports nothing');
      if (exported.includes('default')) throw new Error(name + ' has a default export');
    }`;
    await output(folder, process.execPath, '--input-type=module', '--eval', script);
  });
});

describe('a folder with everything', () => {
  it('runs the commands and type-checks', async (context) => {
    const folder = emptyFolder(context.onTestFinished);
    const closure = closureOfAll(packages);
    await install(folder, closure, tarballs);
    expect([...installed(folder)].sort()).toEqual(namesOf(closure));
    cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true });

    const [payload, schedule] = ['examples/listing-1.mlir', 'examples/listing-9.mlir'] as const;
    const report = await output(folder, 'npx', '--no-install', 'sconv', 'run', payload, '--check', '--json');
    expect(JSON.parse(report)).toMatchObject({ mismatches: 0, target: 'wasm' });
    const words = ['run', payload, '--threads', '2', '--check', '--json'] as const;
    const threaded = await output(folder, 'npx', '--no-install', 'sconv', ...words);
    expect(JSON.parse(threaded)).toMatchObject({ mismatches: 0, threads: 2, diagnostics: [] });
    // Its threads do not keep the process alive, except while one of its calls is pending.
    const program = `import { compileConvolutionAsync } from 'sconv';
      import { nodeWorkers } from 'sconv/node';
      const spec = { input: [1, 16, 34, 34], filters: [32, 16, 3, 3], threads: 2, workers: nodeWorkers };
      const convolution = await compileConvolutionAsync(spec);
      const [input, filters] = [16 * 34 * 34, 32 * 16 * 9].map((length) => new Float32Array(length).fill(1));
      convolution.runAsync(input, filters).then((result) => console.log(result[0], convolution.warnings));`;
    const script = [process.execPath, '--input-type=module', '--eval', program] as const;
    expect(await output(folder, ...script)).toBe('144 []\n');

    const transformed = await output(
      folder,
      'npx',
      '--no-install',
      'sconv-opt',
      `-transform=${schedule}`,
      payload,
    );
    expect(transformed).toContain('scf.for');

    // Declarations are checked too (no skipLibCheck), without Node's types; those of WebAssembly are in lib.dom.
    const specifiers = packages.filter(({ peers }) => peers.length === 0).flatMap(specifiersOf);
    const imports = specifiers.map((name, i) => `import * as module${i} from '${name}';`);
    const uses = specifiers.map((_, i) => `console.log(Object.keys(module${i}));`);
    writeFileSync(
      join(folder, 'consumer.ts'),
      ['declare const console: { log(value: unknown): void };', ...imports, ...uses].join('\n'),
    );
    const options = [
      '--noEmit --strict --exactOptionalPropertyTypes --module nodenext --moduleResolution nodenext',
      '--target es2023 --lib es2023,dom --types',
    ];
    await output(folder, tool('tsc'), ...options.join(' ').split(' '), '', 'consumer.ts');
  });
});
