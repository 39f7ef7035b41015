/** Registers the tests of code blocks: each compiles and runs for a user of the packed packages, with the promised output. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Outcome } from './command.ts';
import { output, run, tool } from './command.ts';
import type { CodeBlock } from './documents.ts';
import { isRun, missingOutput, promisedOutput } from './documents.ts';
import { emptyFolder, quickNpx, unpack } from './folder.ts';
import { readPackages, root } from './packages.ts';

/** Whether what measures for a quarter of a minute runs: see CONTRIBUTING.md. It always compiles. */
const isThorough = process.env['THOROUGH'] !== undefined;
const runsNow = ({ page }: CodeBlock): boolean =>
  isThorough || !['docs/benchmarks.md', 'docs/tuning.md'].includes(page);

const isTest = ({ code }: CodeBlock): boolean => code.includes("from 'vitest'");

/** Matchers of two packages have the same names: a program has one or the other. */
const hasPresburgerMatchers = ({ code }: CodeBlock): boolean => code.includes('@sconv/presburger/vitest');

/** Tests of the blocks of some pages, in a folder for each page of one in which all packages are installed. */
export const testBlocks = (blocks: readonly CodeBlock[]): void => {
  const ofLanguage = (...languages: readonly string[]): readonly CodeBlock[] =>
    blocks.filter((block) => languages.includes(block.language) && isRun(block));
  const folder = emptyFolder(afterAll);
  const folderOf = ({ page }: Pick<CodeBlock, 'page'>): string =>
    join(folder, page.replaceAll(/[^a-z]/gi, '-'));
  const fileOf = (block: CodeBlock): string =>
    join(folderOf(block), `line-${block.line}${isTest(block) ? '.test' : ''}.${block.language}`);

  /** A quick `npx`, and what else there is. */
  const path = `PATH=${quickNpx(folder)}:${process.env['PATH'] ?? ''}`;
  const outputOf = (block: CodeBlock): Promise<string> =>
    output(folderOf(block), 'env', path, 'sh', '-euc', block.code);

  /** The compiler's output for all programs. */
  let compilation: Outcome;

  beforeAll(async () => {
    const packages = readPackages().map(({ name }) => name);
    await unpack(folder, packages, inject('tarballs'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    // The peer dependency of `@sconv/affine/vitest`.
    symlinkSync(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
    for (const page of new Set(blocks.map(folderOf))) {
      mkdirSync(page);
      cpSync(join(root, 'examples'), join(page, 'examples'), { recursive: true });
    }
    for (const block of blocks.filter(({ note }) => note.includes('.'))) {
      writeFileSync(join(folderOf(block), block.note), block.code);
    }
    const programs = ofLanguage('ts', 'js');
    for (const block of programs) writeFileSync(fileOf(block), block.code);
    const options =
      '--strict --module nodenext --target es2023 --lib es2023,dom --skipLibCheck --allowJs --checkJs --outDir compiled --rootDir . --types';
    const outcomes: Outcome[] = [];
    for (const isOne of [false, true]) {
      const some = programs.filter((block) => hasPresburgerMatchers(block) === isOne);
      if (some.length > 0)
        outcomes.push(await run(folder, tool('tsc'), ...options.split(' '), '', ...some.map(fileOf)));
    }
    compilation = {
      code: Math.max(...outcomes.map(({ code }) => code)),
      stdout: outcomes.map(({ stdout }) => stdout).join(''),
      stderr: outcomes.map(({ stderr }) => stderr).join(''),
    };
  });

  describe('programs compile', () => {
    it.each(ofLanguage('ts', 'js'))('$page:$line', (block) => {
      const file = fileOf(block).slice(folder.length + 1);
      expect(compilation.stdout.split('\n').filter((line) => line.startsWith(file))).toEqual([]);
    });
    it('all of them', () => {
      expect(compilation).toEqual({ code: 0, stdout: '', stderr: '' });
    });
  });

  describe.concurrent('programs run, and print what they say', () => {
    it.for(ofLanguage('ts', 'js').filter((block) => runsNow(block) && !isTest(block)))(
      '$page:$line',
      async (block, { expect }) => {
        const program = fileOf(block).replace(folder, join(folder, 'compiled')).replace(/\.ts$/, '.js');
        const printed = await output(folderOf(block), process.execPath, program);
        expect({ printed, missing: missingOutput(printed, promisedOutput(block.code)) }).toEqual({
          printed,
          missing: [],
        });
      },
    );
    const tests = ofLanguage('ts', 'js').filter(isTest);
    it.skipIf(tests.length === 0)('tests', async ({ expect }) => {
      // All of them start vitest once.
      const words = ['run', '--root', '.', '--exclude', 'compiled/**', ...tests.map(fileOf)] as const;
      const { code, stdout, stderr } = await run(folder, tool('vitest'), ...words);
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout, stderr });
      expect(stdout).toMatch(new RegExp(`Test Files +${tests.length} passed`));
    });
  });

  // Sequential: some use both cores.
  describe('commands run, and print what they say', () => {
    it.each(ofLanguage('sh').filter(runsNow))('$page:$line', async (block) => {
      const printed = await outputOf(block);
      if (block.output !== undefined) expect(printed).toBe(block.output);
    });
  });

  describe('data can be read', () => {
    it('MLIR', async () => {
      const file = join(folder, 'all.mlir');
      writeFileSync(
        file,
        ofLanguage('mlir')
          .map(({ page, line, code }) => `// ${page}:${line}\n${code}`)
          .join('// -----\n'),
      );
      await output(folder, 'node_modules/.bin/sconv-opt', '--split-input-file', file);
    });
    it.each(ofLanguage('json'))('$page:$line', ({ code }) => {
      expect(JSON.parse(code)).toBeDefined();
    });
  });
};
