/** The documents: every code block compiles and runs for a user of the packed packages, with the promised output. */
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Outcome } from '../support/command.ts';
import { output, repositoryFiles, run, tool } from '../support/command.ts';
import type { CodeBlock } from '../support/documents.ts';
import {
  codeBlocks,
  indentedLines,
  missingOutput,
  namesInText,
  promisedOutput,
  readPages,
} from '../support/documents.ts';
import { emptyFolder, install } from '../support/folder.ts';
import { readSources } from '../support/import-graph.ts';
import { closureOfAll, readPackages, root } from '../support/packages.ts';

const packages = readPackages();
const pages = readPages();
const blocks = pages.flatMap(({ page, text }) => codeBlocks(page, text));
const isRun = ({ note }: CodeBlock): boolean => note !== 'fragment' && note !== 'repository';

/** Whether tuners of the documents run, each for a quarter of a minute: see CONTRIBUTING.md. They always compile. */
const isThorough = process.env['THOROUGH'] !== undefined;
const runsNow = ({ page }: CodeBlock): boolean => isThorough || page !== 'docs/tuning.md';
const ofLanguage = (...languages: readonly string[]): readonly CodeBlock[] =>
  blocks.filter((block) => languages.includes(block.language) && isRun(block));

/** What a page may name: files, and anything in the sources. */
const files = await repositoryFiles();
const sources = packages.flatMap((each) => readSources(each, 'src').map(({ text }) => text)).join('\n');

/** Where everything is installed, with a folder per page. */
const folder = emptyFolder(afterAll);
const folderOf = ({ page }: Pick<CodeBlock, 'page'>): string =>
  join(folder, page.replaceAll(/[^a-z]/gi, '-'));
const isTest = ({ code }: CodeBlock): boolean => code.includes("from 'vitest'");
const fileOf = (block: CodeBlock): string =>
  join(folderOf(block), `line-${block.line}${isTest(block) ? '.test' : ''}.${block.language}`);

/** Matchers of two packages have the same names: a program has one or the other. */
const hasPresburgerMatchers = ({ code }: CodeBlock): boolean => code.includes('@sconv/presburger/vitest');

/** The compiler's output for all programs. */
let compilation: Outcome;

beforeAll(async () => {
  await install(folder, closureOfAll(packages), inject('tarballs'));
  // The peer dependency of `@sconv/affine/vitest`.
  symlinkSync(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  for (const page of pages) {
    mkdirSync(folderOf(page));
    cpSync(join(root, 'examples'), join(folderOf(page), 'examples'), { recursive: true });
  }
  for (const block of blocks.filter(({ note }) => note.includes('.'))) {
    writeFileSync(join(folderOf(block), block.note), block.code);
  }
  const programs = ofLanguage('ts', 'js');
  for (const block of programs) writeFileSync(fileOf(block), block.code);
  const options =
    '--strict --module nodenext --target es2023 --lib es2023,dom --skipLibCheck --allowJs --checkJs --outDir compiled --rootDir . --types';
  const compile = (some: readonly CodeBlock[]): Promise<Outcome> =>
    run(folder, tool('tsc'), ...options.split(' '), '', ...some.map(fileOf));
  const most = await compile(programs.filter((block) => !hasPresburgerMatchers(block)));
  const others = await compile(programs.filter(hasPresburgerMatchers));
  compilation = {
    code: Math.max(most.code, others.code),
    stdout: most.stdout + others.stdout,
    stderr: most.stderr + others.stderr,
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
  it.for(ofLanguage('ts', 'js').filter(isTest))('$page:$line', async (block, { expect }) => {
    const { code, stdout, stderr } = await run(
      folderOf(block),
      tool('vitest'),
      'run',
      '--root',
      '.',
      fileOf(block),
    );
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout, stderr });
  });
});

// Sequential: some use both cores.
describe('commands run, and print what they say', () => {
  it.each(ofLanguage('sh').filter(runsNow))('$page:$line', async (block) => {
    const printed = await output(folderOf(block), 'sh', '-euc', block.code);
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
    await output(folder, 'npx', '--no-install', 'sconv-opt', '--split-input-file', file);
  });
  it.each(ofLanguage('json'))('$page:$line', ({ code }) => {
    expect(JSON.parse(code)).toBeDefined();
  });
});

describe('the pages', () => {
  it('are of known languages, and mark what is not run', () => {
    // Each example of a transform has a script, which the tests of the examples run.
    const notRun = blocks.filter((block) => !isRun(block) && !block.page.startsWith('docs/transforms/'));
    const count = (note: string, language: string): number =>
      notRun.filter((block) => block.note === note && block.language === language).length;
    expect({
      languages: [...new Set(blocks.map(({ language }) => language))].sort(),
      fragments: { ts: count('fragment', 'ts'), mlir: count('fragment', 'mlir') },
      inRepository: count('repository', 'sh'),
      notRun: notRun.length,
    }).toEqual({
      languages: ['', 'c', 'csv', 'js', 'json', 'lua', 'mlir', 'sh', 'text', 'toml', 'ts'],
      fragments: { ts: 3, mlir: 0 },
      inRepository: 46,
      notRun: 52,
    });
  });
  it('have an example in each README', () => {
    const withExample = new Set(ofLanguage('ts').map(({ page }) => page));
    const readmes = [
      'README.md',
      ...packages.map((each) => `packages/${each.folder.split('/').at(-1) ?? ''}/README.md`),
    ];
    expect(readmes.filter((page) => !withExample.has(page))).toEqual([]);
  });
  it.each(pages)('$page: fences around code, links that lead somewhere', ({ page, text }) => {
    expect(indentedLines(text)).toEqual([]);
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(
      (match) => match[1] ?? '',
    );
    expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
  });
  it.each(pages)('$page: names what is there', ({ page, text }) => {
    // Files that its reader saves are noted at their blocks.
    const known = [...files, ...blocks.filter((block) => block.page === page).map(({ note }) => note)];
    const unknown = namesInText(text).filter((name) =>
      name.includes('.')
        ? !known.some((path) => `/${path}`.endsWith(`/${name}`))
        : !(name in globalThis) && !new RegExp(`\\b${name}\\b`).test(sources),
    );
    expect({ page, unknown }).toEqual({ page, unknown: [] });
  });
  it('name files of the repository that are there', () => {
    const inRepository = blocks.filter(({ note }) => note === 'repository').map(({ code }) => code);
    const paths = inRepository.flatMap((code) => code.match(/\b(tools|packages|examples)\/[\w./-]+/g) ?? []);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('the check itself', () => {
  it('finds the blocks of a page, and the output of commands', () => {
    const text = ['# A', '```sh', 'a', '```', '', '```', 'b', '```', '```ts fragment', 'c', '```', ''].join(
      '\n',
    );
    expect(codeBlocks('a.md', text)).toEqual([
      { page: 'a.md', line: 2, language: 'sh', note: '', code: 'a\n', output: 'b\n' },
      { page: 'a.md', line: 6, language: '', note: '', code: 'b\n' },
      { page: 'a.md', line: 9, language: 'ts', note: 'fragment', code: 'c\n' },
    ]);
  });
  it('finds names in the text', () => {
    const text = 'as `linalg.generic`, `parseShape(text)`, `a/split.ts` or `two words`\n```\n`inCode`\n```\n';
    expect(namesInText(text)).toEqual(['parseShape', 'a/split.ts']);
  });
  it('finds code without a fence', () => {
    expect(indentedLines('a\n\n    npm ci\n\n```\n    x\n```\n')).toEqual(['    npm ci']);
  });
  it.each([
    ['behind', 'console.log(f()); // 1, 2', ['1, 2']],
    ['behind a call of several lines', 'console.log(\n  f(),\n); // 1', ['1']],
    ['below', 'console.log(f());\n// 1,\n// 2\n\n// not this\ng();', ['1, 2']],
    ['within a loop', 'for (const x of y) {\n  console.log(x); // 1\n}', ['1']],
    ['not behind other calls', 'f(); // 1', []],
  ])('reads what is printed %s', (_, code, promised) => {
    expect(promisedOutput(code)).toEqual(promised);
  });
  it.each([
    ['1\n2\n', ['1', '2'], []],
    ['2\n1\n', ['1', '2'], ['2']],
    ['1, 8, 27\n', ['27'], ['27']],
    ['{\n  a: 1\n}\n', ['{ a: 1 }'], []],
    ['a very long line\n', ['a very …'], []],
    ['another line\n', ['a very …'], ['a very …']],
  ])('compares %j with %j', (printed, promised, missing) => {
    expect(missingOutput(printed, promised)).toEqual(missing);
  });
});
