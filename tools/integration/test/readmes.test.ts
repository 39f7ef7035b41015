import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const root = '../../../';

const pages = [
  'README.md',
  ...readdirSync(path(`${root}packages`)).map((name) => `packages/${name}/README.md`),
];

const blocks = pages.flatMap((page) =>
  [...readFileSync(path(root + page), 'utf8').matchAll(/^```ts\n(.*?)^```/gms)].map((match, i) => ({
    page,
    number: i + 1,
    code: match[1]!,
  })),
);

describe('the examples of the READMEs run', () => {
  afterEach(() => vi.restoreAllMocks());

  it('exist for the project and for every package', () => {
    expect(pages.filter((page) => !blocks.some((block) => block.page === page))).toEqual([]);
  });

  it.each(blocks)('$page, block $number', async ({ page, number, code }) => {
    const folder = path('../.tsout/readmes');
    mkdirSync(folder, { recursive: true });
    const file = `${folder}/${page.replaceAll(/[^a-z]/gi, '-')}${number}.ts`;
    writeFileSync(file, code);
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await import(file);
    // What an example prints is in its comments: `console.log(x); // value`.
    const promised = [...code.matchAll(/^console\.log\(.*\);? \/\/ (.*)$/gm)].map((match) => match[1]!);
    const printed = log.mock.calls.map((call) => call.map(String).join(' '));
    for (const line of promised) expect(printed).toContain(line);
  });
});
