/**
 * Answers an editor in the language server protocol 3.17 over a connection of a library for JSON-RPC, such as
 * `createMessageConnection` of `vscode-jsonrpc`: in a process, or in a worker of a page.
 */
import type { Registry } from '@sconv/ir';
import { completions, documentCompletion } from './completion.ts';
import type { CompletionKind } from './completion.ts';
import { diagnostics } from './diagnostics.ts';
import type { EditorDiagnostic } from './diagnostics.ts';
import type { MlirDocument } from './document.ts';
import { openDocument } from './document.ts';
import { format } from './format.ts';
import { codeLenses, inlayHints } from './hints.ts';
import { hover } from './hover.ts';
import type { LastRun } from './last-run.ts';
import { definition, highlights, references, renamable, rename } from './navigation.ts';
import { foldingRanges, outline } from './outline.ts';
import type { OutlineEntry } from './outline.ts';
import type { Position, Range, TextEdit } from './position.ts';
import { LineIndex } from './position.ts';
import { quickFixes } from './quick-fixes.ts';
import { semanticTokenModifiers, semanticTokens, semanticTokenTypes } from './semantic-tokens.ts';

/** The part of a connection that the server needs. */
export interface LanguageConnection {
  onRequest(method: string, handler: (parameters: unknown) => unknown): unknown;
  onNotification(method: string, handler: (parameters: unknown) => void): unknown;
  sendNotification(method: string, parameters: object): unknown;
}

/** What the server says of itself. */
export interface ServerInfo {
  readonly name: string;
  readonly version?: string;
}

/** What a server is made with. */
export interface ServerOptions {
  readonly registry: Registry;
  readonly info?: ServerInfo;
  /** What is known of the last run of a schedule, by the address and the text of the document. */
  readonly lastRun?: (uri: string, text: string) => LastRun | undefined;
  /** Runs work a little later, so that several changes are checked together; at once by default. */
  readonly schedule?: (work: () => void) => void;
  /** Called when the editor ends the server: 0 if it has announced it, else 1. */
  readonly onExit?: (code: number) => void;
}

interface DocumentParameters {
  readonly textDocument: { readonly uri: string };
}
interface PositionParameters extends DocumentParameters {
  readonly position: Position;
}
interface OpenParameters {
  readonly textDocument: { readonly uri: string; readonly text: string; readonly version: number };
}
interface ChangeParameters {
  readonly textDocument: { readonly uri: string; readonly version: number };
  readonly contentChanges: readonly { readonly range?: Range; readonly text: string }[];
}
interface RangeParameters extends DocumentParameters {
  readonly range: Range;
}
interface ReferenceParameters extends PositionParameters {
  readonly context: { readonly includeDeclaration: boolean };
}
interface RenameParameters extends PositionParameters {
  readonly newName: string;
}
interface ResolveParameters {
  readonly label: string;
  /** Of the document; with the full name of an operation where the label is a shorter one. */
  readonly data?: string | { readonly uri: string; readonly name: string };
}

/** What messages say, by method. */
interface Messages {
  readonly 'textDocument/hover': PositionParameters;
  readonly 'textDocument/definition': PositionParameters;
  readonly 'textDocument/references': ReferenceParameters;
  readonly 'textDocument/documentHighlight': PositionParameters;
  readonly 'textDocument/prepareRename': PositionParameters;
  readonly 'textDocument/rename': RenameParameters;
  readonly 'textDocument/documentSymbol': DocumentParameters;
  readonly 'textDocument/foldingRange': DocumentParameters;
  readonly 'textDocument/formatting': DocumentParameters;
  readonly 'textDocument/semanticTokens/full': DocumentParameters;
  readonly 'textDocument/inlayHint': RangeParameters;
  readonly 'textDocument/codeLens': DocumentParameters;
  readonly 'textDocument/codeAction': RangeParameters;
  readonly 'textDocument/completion': PositionParameters;
  readonly 'completionItem/resolve': ResolveParameters;
  readonly 'textDocument/didOpen': OpenParameters;
  readonly 'textDocument/didChange': ChangeParameters;
  readonly 'textDocument/didClose': DocumentParameters;
}

type DocumentRequest = Exclude<keyof Messages, 'completionItem/resolve' | `textDocument/did${string}`>;

/** What a message says: the protocol fixes its shape. What has another one fails, and is answered by an error. */
const received = <M extends keyof Messages>(_method: M, parameters: unknown): Messages[M] =>
  parameters as Messages[M];

/** A request that can't be answered: its message is shown. The code is the protocol's, "request failed". */
const refuse = (message: string): never => {
  throw Object.assign(new Error(message), { code: -32803 });
};

/** Answers on a connection until it ends; the caller listens. */
export const serveLanguage = (connection: LanguageConnection, options: ServerOptions): void => {
  const server = new LanguageServer(connection, options);
  server.answer();
};

class LanguageServer {
  private readonly connection: LanguageConnection;
  private readonly options: ServerOptions;
  private readonly texts = new Map<string, { readonly text: string; readonly version: number }>();
  private readonly documents = new Map<string, MlirDocument>();
  private readonly unchecked = new Set<string>();

  constructor(connection: LanguageConnection, options: ServerOptions) {
    this.connection = connection;
    this.options = options;
  }

  answer(): void {
    const { connection } = this;
    connection.onRequest('initialize', () => ({
      capabilities,
      serverInfo: this.options.info ?? { name: 'sconv-lsp' },
    }));
    let isShutDown = false;
    connection.onRequest('shutdown', () => {
      isShutDown = true;
      return null;
    });
    connection.onNotification('exit', () => {
      this.options.onExit?.(isShutDown ? 0 : 1);
    });
    this.synchronize();
    this.on('textDocument/hover', (document, { position, textDocument: { uri } }) => {
      const found = hover(document, position, this.options.lastRun?.(uri, document.text));
      return found === undefined
        ? null
        : { range: found.range, contents: { kind: 'markdown', value: found.markdown } };
    });
    this.on('textDocument/definition', (document, { position, textDocument: { uri } }) => {
      const range = definition(document, position);
      return range === undefined ? null : { uri, range };
    });
    this.on('textDocument/references', (document, { position, context, textDocument: { uri } }) =>
      references(document, position, context).map((range) => ({ uri, range })),
    );
    this.on('textDocument/documentHighlight', (document, { position }) =>
      highlights(document, position).map(({ range, kind }) => ({ range, kind: kind === 'write' ? 3 : 2 })),
    );
    this.on('textDocument/prepareRename', (document, { position }) => renamable(document, position) ?? null);
    this.on('textDocument/rename', (document, { position, newName, textDocument: { uri } }) => {
      const renamed = rename(document, position, newName);
      return 'problem' in renamed ? refuse(renamed.problem) : { changes: { [uri]: renamed.edits } };
    });
    this.on('textDocument/documentSymbol', (document) => outline(document).map(symbolOf));
    this.on('textDocument/foldingRange', (document) => foldingRanges(document));
    this.on('textDocument/formatting', (document): readonly TextEdit[] => format(document));
    this.on('textDocument/semanticTokens/full', (document) => ({ data: semanticTokens(document) }));
    this.on('textDocument/inlayHint', (document, { range }) =>
      inlayHints(document)
        .filter(({ position: { line } }) => range.start.line <= line && line <= range.end.line)
        .map((hint) => ({ ...hint, paddingLeft: true })),
    );
    this.on('textDocument/codeLens', (document, { textDocument: { uri } }) =>
      codeLenses(document).map(({ range, title, command, symbol }) => ({
        range,
        command: { title, command, arguments: [uri, symbol] },
      })),
    );
    this.on('textDocument/codeAction', (document, { range, textDocument: { uri } }) =>
      quickFixes(document, range).map(({ title, diagnostic, edits }) => ({
        title,
        kind: 'quickfix',
        isPreferred: true,
        diagnostics: [diagnosticOf(uri, diagnostic)],
        edit: { changes: { [uri]: edits } },
      })),
    );
    this.on('textDocument/completion', (document, { position, textDocument: { uri } }) =>
      completions(document, position).map(({ label, kind, detail, range, rank, data: name }) => ({
        label,
        kind: completionKinds[kind],
        detail,
        sortText: String(rank).padStart(9, '0'),
        filterText: label,
        textEdit: { range, newText: label },
        data: name === undefined || name === label ? uri : { uri, name },
      })),
    );
    connection.onRequest('completionItem/resolve', (given) => {
      const item = received('completionItem/resolve', given);
      const { uri = '', name = item.label } =
        typeof item.data === 'string' ? { uri: item.data } : (item.data ?? {});
      const document = this.documentOf(uri);
      const value = document === undefined ? undefined : documentCompletion(document, name);
      return value === undefined ? item : { ...item, documentation: { kind: 'markdown', value } };
    });
  }

  private on<M extends DocumentRequest>(
    method: M,
    answer: (document: MlirDocument, parameters: Messages[M]) => unknown,
  ): void {
    this.connection.onRequest(method, (given) => {
      const parameters = received(method, given);
      const document = this.documentOf(parameters.textDocument.uri);
      return document === undefined ? null : answer(document, parameters);
    });
  }

  // --- Texts ---

  private synchronize(): void {
    const { connection, texts, documents } = this;
    connection.onNotification('textDocument/didOpen', (given) => {
      const { uri, text, version } = received('textDocument/didOpen', given).textDocument;
      texts.set(uri, { text, version });
      documents.delete(uri);
      this.check(uri);
    });
    connection.onNotification('textDocument/didChange', (given) => {
      const { textDocument, contentChanges } = received('textDocument/didChange', given);
      const { uri, version } = textDocument;
      const before = texts.get(uri);
      if (before === undefined) return;
      const text = contentChanges.reduce(
        (changed, { range, text: added }) => (range === undefined ? added : spliced(changed, range, added)),
        before.text,
      );
      texts.set(uri, { text, version });
      this.check(uri);
    });
    connection.onNotification('textDocument/didClose', (given) => {
      const { uri } = received('textDocument/didClose', given).textDocument;
      texts.delete(uri);
      documents.delete(uri);
      connection.sendNotification('textDocument/publishDiagnostics', { uri, diagnostics: [] });
    });
  }

  /** The present version of a document, parsed when it is first asked for. */
  private documentOf(uri: string): MlirDocument | undefined {
    const current = this.texts.get(uri);
    if (current === undefined) return undefined;
    const known = this.documents.get(uri);
    if (known?.text === current.text) return known;
    const document = openDocument(current.text, { registry: this.options.registry }, known);
    this.documents.set(uri, document);
    return document;
  }

  private check(uri: string): void {
    if (this.unchecked.has(uri)) return;
    this.unchecked.add(uri);
    const work = (): void => {
      this.unchecked.delete(uri);
      const document = this.documentOf(uri);
      if (document === undefined) return;
      this.connection.sendNotification('textDocument/publishDiagnostics', {
        uri,
        version: this.texts.get(uri)?.version,
        diagnostics: diagnostics(document).map((diagnostic) => diagnosticOf(uri, diagnostic)),
      });
    };
    if (this.options.schedule === undefined) work();
    else this.options.schedule(work);
  }
}

const spliced = (text: string, range: Range, added: string): string => {
  const lines = new LineIndex(text);
  return text.slice(0, lines.offsetAt(range.start)) + added + text.slice(lines.offsetAt(range.end));
};

// --- The protocol's numbers ---

const severities = { error: 1, warning: 2, remark: 3 } as const;

const diagnosticOf = (
  uri: string,
  { range, severity, code, message, related }: EditorDiagnostic,
): object => ({
  range,
  severity: severities[severity],
  code,
  source: 'sconv',
  message,
  relatedInformation: related.map((note) => ({
    location: { uri, range: note.range },
    message: note.message,
  })),
});

const symbolKinds = { module: 2, function: 12, operation: 25 } as const;

const symbolOf = ({ kind, children, ...entry }: OutlineEntry): object => ({
  ...entry,
  kind: symbolKinds[kind],
  children: children.map(symbolOf),
});

const completionKinds: Readonly<Record<CompletionKind, number>> = {
  operation: 3,
  value: 6,
  symbol: 18,
  block: 18,
  alias: 21,
  attribute: 10,
  word: 20,
  type: 22,
};

const capabilities = {
  positionEncoding: 'utf-16',
  textDocumentSync: { openClose: true, change: 2 },
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  foldingRangeProvider: true,
  documentFormattingProvider: true,
  semanticTokensProvider: {
    legend: { tokenTypes: semanticTokenTypes, tokenModifiers: semanticTokenModifiers },
    full: true,
  },
  inlayHintProvider: true,
  codeLensProvider: {},
  codeActionProvider: { codeActionKinds: ['quickfix'] },
  completionProvider: { triggerCharacters: ['%', '@', '^', '#', '!', '.', '"', '='], resolveProvider: true },
};
