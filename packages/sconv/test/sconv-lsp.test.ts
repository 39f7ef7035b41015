/** The language server, asked in its protocol. */
import { PassThrough } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { createMessageConnection } from 'vscode-jsonrpc/node';
import type { MessageConnection } from 'vscode-jsonrpc/node';
import { main, serve } from '../src/sconv-lsp.ts';
import { capture } from './support/capture.ts';

describe('the command', () => {
  it('says what it is', async () => {
    expect(await capture(main, '--help')).toMatchObject({ code: 0, err: '' });
    expect((await capture(main, '--version')).out).toMatch(/^sconv-lsp \d/);
  });

  it.each([
    [[], 'sconv-lsp: give --stdio; see sconv-lsp --help\n'],
    [['--stdio', '--fast'], 'sconv-lsp: unknown option --fast; see sconv-lsp --help\n'],
  ])('with %j is refused', async (words, err) => {
    expect(await capture(main, ...words)).toEqual({ code: 2, out: '', err });
  });
});

describe('the server', () => {
  const uri = 'file:///schedule.mlir';
  const text = `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %convs = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
      transform.structured.generalise %convs : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
`;
  let client: MessageConnection;
  let exitCode: Promise<number>;
  const published: { readonly uri: string; readonly diagnostics: readonly object[] }[] = [];
  let onPublished = (): void => undefined;
  const nextDiagnostics = async (): Promise<readonly object[]> => {
    while (published.length === 0)
      await new Promise<void>((resolve) => {
        onPublished = resolve;
      });
    return published.shift()!.diagnostics;
  };
  const ask = async (method: string, more: object = {}): Promise<unknown> =>
    await client.sendRequest<unknown>(`textDocument/${method}`, { textDocument: { uri }, ...more });
  const place = (line: number, character: number) => ({ position: { line, character } });

  beforeAll(async () => {
    const [toServer, toClient] = [new PassThrough(), new PassThrough()];
    exitCode = serve(toServer, toClient);
    client = createMessageConnection(toClient, toServer);
    client.onNotification('textDocument/publishDiagnostics', (given: (typeof published)[number]) => {
      published.push(given);
      onPublished();
    });
    client.listen();
    const { capabilities } = await client.sendRequest<{ readonly capabilities: object }>('initialize', {
      processId: null,
      rootUri: null,
      capabilities: {},
    });
    expect(capabilities).toMatchObject({ hoverProvider: true, renameProvider: { prepareProvider: true } });
    await client.sendNotification('initialized', {});
    await client.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'mlir', version: 1, text },
    });
  });

  it('reports errors with a fix, and none after a change that mends them', async () => {
    const [found] = (await nextDiagnostics()) as [{ readonly range: object }];
    expect(found).toMatchObject({
      severity: 1,
      code: 'parse/unknown-operation',
      source: 'sconv',
      range: { start: { line: 3, character: 6 } },
    });
    expect(await ask('codeAction', { range: found.range, context: { diagnostics: [] } })).toMatchObject([
      { kind: 'quickfix', edit: { changes: { [uri]: [{ newText: 'transform.structured.generalize' }] } } },
    ]);
    await client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [
        { range: { start: { line: 3, character: 35 }, end: { line: 3, character: 36 } }, text: 'z' },
      ],
    });
    expect(await nextDiagnostics()).toEqual([]);
  });

  it.each<[string, object, object]>([
    ['hover', place(3, 40), { contents: { kind: 'markdown' } }],
    ['definition', place(3, 40), { uri, range: { start: { line: 2, character: 4 } } }],
    ['references', { ...place(3, 40), context: { includeDeclaration: true } }, [{ uri }, { uri }]],
    ['documentHighlight', place(3, 40), [{ kind: 3 }, { kind: 2 }]],
    ['prepareRename', place(3, 40), { placeholder: 'convs' }],
    ['rename', { ...place(3, 40), newName: 'fills' }, { changes: { [uri]: [{ newText: '%fills' }, {}] } }],
    ['documentSymbol', {}, [{ kind: 2, children: [{ name: '@__transform_main', kind: 12 }] }]],
    ['foldingRange', {}, [{ startLine: 0, endLine: 5 }, {}]],
    ['formatting', { options: {} }, [{ newText: '    ', range: { start: { line: 3, character: 0 } } }]],
    ['codeLens', {}, [{ command: { command: 'sconv.run', arguments: [uri, '@__transform_main'] } }, {}]],
    ['completion', place(3, 41), [{ label: '%convs', kind: 6 }]],
  ])('answers %s', async (method, parameters, expected) => {
    expect(await ask(method, parameters)).toMatchObject(expected);
  });

  it('answers for tokens, hints, and what an operation does', async () => {
    const { data } = (await ask('semanticTokens/full')) as { readonly data: readonly number[] };
    expect(data.length % 5).toBe(0);
    const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
    expect(await ask('inlayHint', { range })).toMatchObject([
      { label: ': linalg.fill' },
      { label: 'consumed' },
    ]);
    const item = { label: 'arith.addi', data: uri };
    expect(await client.sendRequest('completionItem/resolve', item)).toMatchObject({
      documentation: { kind: 'markdown' },
    });
  });

  it('refuses a name that cannot be', async () => {
    await expect(ask('rename', { ...place(3, 40), newName: 'a b' })).rejects.toThrow(
      "'a b' is no name of a value",
    );
  });

  it('knows nothing of files that are closed', async () => {
    await client.sendNotification('textDocument/didClose', { textDocument: { uri } });
    expect(await nextDiagnostics()).toEqual([]);
    expect(await ask('hover', place(3, 40))).toBeNull();
  });

  it('ends when the editor says so', async () => {
    expect(await client.sendRequest('shutdown')).toBeNull();
    await client.sendNotification('exit');
    expect(await exitCode).toBe(0);
  });
});
