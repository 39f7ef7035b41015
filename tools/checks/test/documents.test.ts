/** The documents of `docs`: their code blocks (those of others: `readmes.test.ts`), and the text of all pages. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryFiles } from '../support/command.ts';
import type { CodeBlock } from '../support/documents.ts';
import {
  codeBlocks,
  indentedLines,
  isRun,
  missingOutput,
  namesInText,
  promisedOutput,
  readPages,
} from '../support/documents.ts';
import { readSources } from '../support/import-graph.ts';
import { readPackages, root } from '../support/packages.ts';
import { testBlocks } from '../support/test-blocks.ts';

const packages = readPackages();
const pages = readPages();
const blocks = pages.flatMap(({ page, text }) => codeBlocks(page, text));
const ofLanguage = (...languages: readonly string[]): readonly CodeBlock[] =>
  blocks.filter((block) => languages.includes(block.language) && isRun(block));

/** What a page may name: files, and anything in the sources. */
const files = await repositoryFiles();
const sources = packages.flatMap((each) => readSources(each, 'src').map(({ text }) => text)).join('\n');

testBlocks(blocks.filter(({ page }) => page.startsWith('docs/')));

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
