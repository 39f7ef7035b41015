/**
 * The code blocks of the documents. The info string of a fence tells what a block is:
 *
 * - `ts`, `js`: a complete program that a user of the packages can compile and run. The output of a `console.log` is in
 *   a comment after it, or on the lines below it.
 * - `sh`: commands in a folder with the packages and `examples/`; a block without a language right after it is the
 *   output.
 * - `mlir`, `json`, `csv`: input of the page's commands; with a file name after the language, under that name.
 * - `… fragment`: incomplete code; `sh repository`: commands for a clone of the repository. Not run.
 * - none: text.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './packages.ts';

/** A fenced block. */
export interface CodeBlock {
  /** Path of its page from the root. */
  readonly page: string;
  /** Line number of its fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** What follows the language in the info string: `fragment`, `repository`, or a file name. */
  readonly note: string;
  readonly code: string;
  /** For commands: the text right after them. */
  readonly output?: string;
}

/** Whether a block is complete, and not for a clone of the repository. */
export const isRun = ({ note }: CodeBlock): boolean => note !== 'fragment' && note !== 'repository';

const fence = /^```(\w*)(?: +(\S+))? *\n(.*?)^``` *$/gms;

/** The blocks of a page's text. */
export const codeBlocks = (page: string, text: string): readonly CodeBlock[] => {
  const matches = [...text.matchAll(fence)];
  return matches.map((match, i) => {
    const [whole, language = '', note = '', code = ''] = match;
    const next = matches[i + 1];
    const isFollowed = next?.[1] === '' && text.slice(match.index + whole.length, next.index).trim() === '';
    return {
      page,
      line: text.slice(0, match.index).split('\n').length,
      language,
      note,
      code,
      ...(language === 'sh' && isFollowed ? { output: next[3] ?? '' } : {}),
    };
  });
};

/** Code marked by indentation only, which nothing checks. */
export const indentedLines = (text: string): readonly string[] =>
  text
    .replaceAll(fence, '')
    .split('\n')
    .filter((line, i, lines) => /^ {4,}\S/.test(line) && lines[i - 1] === '');

/** Names of code and paths of files in the running text of a page: at least two words, or with an extension. */
export const namesInText = (text: string): readonly string[] =>
  [...text.replaceAll(fence, '').matchAll(/`([^`\n]+)`/g)].flatMap(
    (match) => /^(?:[a-z]+[A-Z]\w*(?=$|\()|[\w./-]+\.(?:ts|mjs|md|json|mlir)$)/.exec(match[1] ?? '') ?? [],
  );

/** Markdown files: of the root, of `docs`, and the README of each package, tool and example. */
export const readPages = (): readonly { readonly page: string; readonly text: string }[] => {
  const inFolder = (folder: string): readonly string[] =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
  return [
    ...readdirSync(root),
    ...inFolder('docs'),
    ...['packages', 'tools', 'examples'].flatMap(inFolder).map((folder) => `${folder}/README.md`),
  ]
    .filter((page) => page.endsWith('.md') && existsSync(join(root, page)))
    .map((page) => ({ page, text: readFileSync(join(root, page), 'utf8') }));
};

const collapsed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** The output that the comments after each `console.log`, or on the lines below it, promise. */
export const promisedOutput = (code: string): readonly string[] => {
  const file = ts.createSourceFile('block.ts', code, ts.ScriptTarget.Latest, true);
  const promised: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isExpressionStatement(node) && node.getText(file).startsWith('console.log(')) {
      const [behind = '', ...below] = code.slice(node.end).split('\n');
      const comments =
        behind.trim() === ''
          ? below.slice(
              0,
              below.findIndex((line) => !/^\s*\/\//.test(line)),
            )
          : [behind];
      const text = comments.map((line) => line.replace(/^\s*\/\/ ?/, '')).join(' ');
      if (text.trim() !== '') promised.push(collapsed(text));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return promised;
};

/** The promised texts that a program does not print, in order, on lines of their own; `…` ends a truncated text. */
export const missingOutput = (printed: string, promised: readonly string[]): readonly string[] => {
  const lines = printed.split('\n');
  let next = 0;
  return promised.filter((text) => {
    const isCut = text.endsWith('…');
    const wanted = isCut ? text.slice(0, -1).trimEnd() : text;
    for (let from = next; from < lines.length; from += 1) {
      let joined = '';
      for (let to = from; to < lines.length && joined.length <= wanted.length; to += 1) {
        joined = collapsed(`${joined} ${lines[to] ?? ''}`);
        if (isCut ? joined.startsWith(wanted) : joined === wanted) {
          next = to + 1;
          return false;
        }
      }
    }
    return true;
  });
};
