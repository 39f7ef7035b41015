/** What editors are told of the examples and docs/pipeline.md: beside upstream, and with each token missing. */
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createMessageConnection } from 'vscode-jsonrpc/node';
import type { Position, Range } from '@sconv/language';
import {
  completions,
  definition,
  diagnostics,
  formatted,
  hover,
  inlayHints,
  openDocument,
  outline,
  references,
  renamable,
  semanticTokens,
} from '@sconv/language';
import type { ParsedSource, SourceOperation } from '@sconv/ir';
import { parseSource, printModule, tokenize } from '@sconv/ir';
import { defaultRegistry as registry } from '../src/index.ts';
import { isThorough } from './support/thorough.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const examples = readdirSync(`${root}/examples`).filter((name) => name.endsWith('.mlir'));
const pages = readFileSync(`${root}/docs/pipeline.md`, 'utf8').matchAll(/```mlir\n([^]*?)```/g);
const texts: readonly (readonly [string, string])[] = [
  ...examples.map((name) => [name, readFileSync(`${root}/examples/${name}`, 'utf8')] as const),
  ...[...pages].map(([, text = ''], i) => [`block ${i + 1} of docs/pipeline.md`, text] as const),
];

const show = ({ start, end }: Range): string => `${start.line}:${start.character}-${end.character}`;

const server = 'mlir-lsp-server-19';
const hasServer = spawnSync(server, ['--version']).status === 0;

describe.skipIf(!hasServer)('upstream has the same definitions and references', () => {
  interface Place {
    readonly uri: string;
    readonly range: Range;
  }
  const child = hasServer ? spawn(server, { stdio: ['pipe', 'pipe', 'ignore'] }) : undefined;

  it('of each value, block and symbol in what it accepts', async () => {
    const client = createMessageConnection(child!.stdout, child!.stdin);
    const published = new Map<string, (found: readonly { readonly severity: number }[]) => void>();
    client.onNotification(
      'textDocument/publishDiagnostics',
      (given: { readonly uri: string; readonly diagnostics: readonly { readonly severity: number }[] }) =>
        published.get(given.uri)?.(given.diagnostics),
    );
    client.listen();
    await client.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} });
    let [accepted, asked] = [0, 0];
    for (const [i, [name, text]] of texts.entries()) {
      const textDocument = { uri: `file:///${i}.mlir` };
      const found = new Promise<readonly { readonly severity: number }[]>((resolve) => {
        published.set(textDocument.uri, resolve);
      });
      const opened = { ...textDocument, languageId: 'mlir', version: 1, text };
      await client.sendNotification('textDocument/didOpen', { textDocument: opened });
      if ((await found).some(({ severity }) => severity === 1)) continue;
      accepted += 1;
      const document = openDocument(text, { registry });
      const ask = async (method: string, position: Position): Promise<readonly string[]> => {
        const context = { includeDeclaration: true };
        const parameters = { textDocument, position, context };
        const places = await client.sendRequest<readonly Place[] | null>(
          `textDocument/${method}`,
          parameters,
        );
        const here = (places ?? []).filter(({ uri }) => uri === textDocument.uri);
        return [...new Set(here.map(({ range }) => show(range)))].sort();
      };
      const [{ source, symbols }] = document.parts as [(typeof document.parts)[0]];
      const rangeOf = ({ start, end }: { readonly start: number; readonly end: number }): Range => ({
        start: document.lines.positionAt(start),
        end: document.lines.positionAt(end),
      });
      for (const each of [...source.names, ...symbols.names]) {
        // Upstream says nothing of aliases; a symbol is defined by the name of its operation, which is no reference.
        if (each.kind === 'alias' || each.definition === undefined) continue;
        const isSymbol = each.kind === 'symbol';
        const expected = isSymbol ? each.operation!.nameRange : each.definition;
        for (const { start } of isSymbol ? each.uses : [each.definition, ...each.uses]) {
          const position = document.lines.positionAt(start);
          asked += 1;
          expect({ name, at: position, defined: await ask('definition', position) }).toMatchObject({
            defined: expect.arrayContaining([show(rangeOf(expected))]) as unknown,
          });
          const ours = references(document, position, { includeDeclaration: !isSymbol });
          // For some operations it counts the definition of a symbol among the uses.
          const used = (await ask('references', position)).filter(
            (place) => !isSymbol || place !== show(rangeOf(each.definition!)),
          );
          expect({ name, at: position, used }).toEqual({
            name,
            at: position,
            used: ours.map(show).sort(),
          });
          expect(show(definition(document, position)!)).toBe(show(rangeOf(each.definition)));
        }
      }
    }
    child!.kill();
    expect(accepted).toBeGreaterThan(1);
    expect(asked).toBeGreaterThan(50);
  }, 60_000);
});

/** By the offset of each name, the places of its definition and uses; of those that `keep` maps. */
const answers = ({ names }: ParsedSource, keep: (offset: number) => number | undefined) => {
  const found = new Map<number, string>();
  for (const { definition: defined, uses } of names) {
    const from = defined === undefined ? undefined : keep(defined.start);
    const places = uses.flatMap(({ start }) => keep(start) ?? []);
    for (const place of from === undefined ? places : [from, ...places])
      found.set(place, `${from ?? '?'} <- ${places.join()}`);
  }
  return found;
};

const innermost = (operations: readonly SourceOperation[], offset: number): SourceOperation | undefined => {
  const around = operations.find(({ start, end }) => start <= offset && offset < end);
  return around === undefined ? undefined : (innermost(around.children, offset) ?? around);
};

it('a token less changes little outside of its operation', () => {
  const options = { registry, allowUnregisteredDialects: true };
  let [total, kept] = [0, 0];
  for (const [, text] of texts.slice(0, 20)) {
    const before = parseSource(text, options);
    const tokens = before.tokens.filter(({ kind }) => kind !== 'comment' && kind !== 'end');
    // Each of a small text, a share of a large one.
    const step = Math.ceil(tokens.length / Number(process.env['RUNS'] ?? (isThorough ? 60 : 10)));
    for (const { start, end } of tokens.filter((_, i) => i % step === 0)) {
      const broken = innermost(before.operations, start) ?? { start, end, children: [] };
      const isOutside = (offset: number): boolean =>
        offset < broken.start ||
        offset >= broken.end ||
        broken.children.some((child) => child.start <= offset && offset < child.end);
      const changed = text.slice(0, start) + text.slice(end);
      const after = parseSource(changed, options);
      const expected = answers(before, (offset) => (isOutside(offset) ? offset : undefined));
      const found = answers(after, (offset) => {
        const moved = offset >= start ? offset + end - start : offset;
        return isOutside(moved) ? moved : undefined;
      });
      for (const [offset, answer] of expected) {
        total += 1;
        if (found.get(offset) === answer) kept += 1;
      }
      // No answer fails, wherever it is asked for.
      const document = openDocument(changed, { registry });
      const at = document.lines.positionAt(start);
      diagnostics(document);
      formatted(document);
      semanticTokens(document);
      outline(document);
      inlayHints(document);
      for (const ask of [definition, references, hover, completions, renamable]) ask(document, at);
    }
  }
  expect(total).toBeGreaterThan(1000);
  expect(kept / total).toBeGreaterThan(0.95);
}, 600_000);

it.each(texts)('%s is formatted: the same tokens, the same meaning, once and for all', (_name, text) => {
  const before = openDocument(text, { registry });
  const once = formatted(before);
  const after = openDocument(once, { registry });
  const spelling = (of: string): readonly string[] =>
    tokenize(of).map(({ start, end }) => of.slice(start, end).trimEnd());
  expect(formatted(after)).toBe(once);
  expect(spelling(once)).toEqual(spelling(text));
  expect(diagnostics(after)).toHaveLength(diagnostics(before).length);
  expect(printModule(after.parts[0]!.source.module, { registry })).toBe(
    printModule(before.parts[0]!.source.module, { registry }),
  );
});
