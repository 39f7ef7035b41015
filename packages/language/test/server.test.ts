import { expect, it } from 'vitest';
import { serveLanguage } from '../src/index.ts';
import { registry } from './support.ts';

/** A server with one open text, and what it answers. */
const serve = (text: string): ((method: string, parameters: object) => unknown) => {
  const requests = new Map<string, (parameters: unknown) => unknown>();
  const notifications = new Map<string, (parameters: unknown) => void>();
  serveLanguage(
    {
      onRequest: (method, handler) => requests.set(method, handler),
      onNotification: (method, handler) => notifications.set(method, handler),
      sendNotification: () => undefined,
    },
    { registry },
  );
  notifications.get('textDocument/didOpen')!({ textDocument: { uri: 'file:///a.mlir', version: 1, text } });
  return (method, parameters) =>
    requests.get(method)!({ textDocument: { uri: 'file:///a.mlir' }, ...parameters });
};

it.each([
  ['return', '`func.return`'],
  ['func.return', '`func.return`'],
])('documents the operation that the completion %s stands for', (label, documentation) => {
  const ask = serve('func.func @f() {\n  ret\n}');
  const items = ask('textDocument/completion', { position: { line: 1, character: 5 } }) as {
    readonly label: string;
  }[];
  const item = items.find((each) => each.label === label)!;
  expect(item).not.toHaveProperty('documentation');
  expect(ask('completionItem/resolve', item)).toMatchObject({
    label,
    documentation: { kind: 'markdown', value: expect.stringContaining(documentation) as string },
  });
});

it('documents no completion that is not of an operation, or of a text that is closed', () => {
  const ask = serve('');
  for (const item of [
    { label: 'f32', data: 'file:///a.mlir' },
    { label: 'return', data: { uri: 'file:///b.mlir', name: 'func.return' } },
    { label: 'return' },
  ])
    expect(ask('completionItem/resolve', item)).not.toHaveProperty('documentation');
});

it('says who it is, and what it can do', () => {
  expect(serve('')('initialize', {})).toMatchObject({
    serverInfo: { name: 'sconv-lsp' },
    capabilities: { hoverProvider: true },
  });
});

it('gives the hints of the lines that are asked for', () => {
  const consuming = (
    name: string,
  ) => `transform.named_sequence @${name}(%a: !transform.any_op {transform.consumed}) {
  %t, %l = transform.structured.tile_using_for %a tile_sizes [4]
    : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
`;
  const ask = serve(
    `module attributes {transform.with_named_sequence} {\n${consuming('f')}${consuming('g')}}`,
  );
  const linesOf = (first: number, last: number) =>
    (
      ask('textDocument/inlayHint', {
        range: { start: { line: first, character: 0 }, end: { line: last, character: 0 } },
      }) as { readonly position: { readonly line: number } }[]
    ).map(({ position }) => position.line);
  const all = linesOf(0, 20);
  expect(new Set(all)).toEqual(new Set([2, 7]));
  expect(linesOf(2, 6)).toEqual(all.filter((line) => line === 2));
  expect(linesOf(7, 7)).toEqual(all.filter((line) => line === 7));
});
