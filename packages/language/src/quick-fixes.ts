/** Edits that mend what a diagnostic reports. */
import type { EditorDiagnostic } from './diagnostics.ts';
import { diagnostics } from './diagnostics.ts';
import type { MlirDocument } from './document.ts';
import { operationAt, placeAt } from './document.ts';
import type { Position, Range, TextEdit } from './position.ts';

/** An edit that mends a diagnostic. */
export interface QuickFix {
  readonly title: string;
  readonly diagnostic: EditorDiagnostic;
  readonly edits: readonly TextEdit[];
}

/** What may be meant by a name that is not known, for the diagnostics that touch a range. */
export const quickFixes = (document: MlirDocument, range: Range): readonly QuickFix[] =>
  diagnostics(document)
    .filter(
      (diagnostic) =>
        isBefore(diagnostic.range.start, range.end) && isBefore(range.start, diagnostic.range.end),
    )
    .flatMap((diagnostic) => {
      const edit = replacement(document, diagnostic);
      return edit === undefined ? [] : [{ title: `Change to '${edit.newText}'`, diagnostic, edits: [edit] }];
    });

const isBefore = (a: Position, b: Position): boolean =>
  a.line < b.line || (a.line === b.line && a.character <= b.character);

/** The edit that a message suggests: `'wrong' …; did you mean 'right'?`. */
const replacement = (document: MlirDocument, { message, range }: EditorDiagnostic): TextEdit | undefined => {
  const { text, lines } = document;
  const suggestion = /; did you mean '([^']+)'\?/.exec(message);
  const meant = suggestion?.[1];
  if (meant === undefined) return undefined;
  const [start, end] = [lines.offsetAt(range.start), lines.offsetAt(range.end)];
  const written = text.slice(start, end);
  // Messages of verifiers begin with the operation's own name, which is right.
  const problem = message.slice(0, suggestion?.index).replace(/^'[^']+' op /, '');
  const wrong = [...problem.matchAll(/'([^']+)'/g)].map(([, name]) => name!).find((name) => name === written);
  if (wrong !== undefined) return { range, newText: withoutDialect(written, meant) };
  // The name is in the operation that the diagnostic is at: as a string, or in a string.
  const quoted = /'([^']+)'/.exec(problem)?.[1];
  const { part, offset } = placeAt(document, range.start);
  const operation = operationAt(part.source.operations, offset);
  // Of values, messages do not repeat the name.
  if (quoted === undefined) return written.startsWith('%') ? { range, newText: meant } : undefined;
  if (operation === undefined) return undefined;
  const at = text.slice(0, part.offset + operation.end).indexOf(`"${quoted}"`, start);
  if (at === -1) return undefined;
  const found = { start: lines.positionAt(at + 1), end: lines.positionAt(at + 1 + quoted.length) };
  return { range: found, newText: meant };
};

/** Where the dialect is left out, it is left out. */
const withoutDialect = (written: string, meant: string): string =>
  written.includes('.') ? meant : meant.slice(meant.indexOf('.') + 1);
