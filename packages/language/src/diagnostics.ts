/** What is wrong with a text, and what may be. */
import type { Diagnostic as IrDiagnostic, Location } from '@sconv/diagnostics';
import { filePosition } from '@sconv/diagnostics';
import type { SourceOperation, TextRange } from '@sconv/ir';
import { consumedHandles } from './consumed-handles.ts';
import type { DocumentPart, MlirDocument } from './document.ts';
import { rangeOf, tokenIndexFrom } from './document.ts';
import type { Range } from './position.ts';

/** A diagnostic at a range, shaped as in the protocol but for the severity. */
export interface EditorDiagnostic {
  readonly range: Range;
  readonly severity: IrDiagnostic['severity'];
  readonly code: string;
  readonly message: string;
  /** Other places that explain it, in the same text. */
  readonly related: readonly { readonly range: Range; readonly message: string }[];
}

/** All errors of a text, and uses of handles that have been consumed. */
export const diagnostics = (document: MlirDocument): readonly EditorDiagnostic[] =>
  document.parts.flatMap((part) => [...errorsOf(document, part), ...usesAfterConsumption(document, part)]);

const errorsOf = (document: MlirDocument, part: DocumentPart): readonly EditorDiagnostic[] =>
  part.source.diagnostics.map(({ severity, code, message, location, notes }) => ({
    range: rangeOf(document, part, rangeAt(part, location)),
    severity,
    code,
    message,
    related: notes.map((note) => ({
      range: rangeOf(document, part, rangeAt(part, note.location)),
      message: note.message,
    })),
  }));

const usesAfterConsumption = (document: MlirDocument, part: DocumentPart): readonly EditorDiagnostic[] =>
  consumedHandles(document, part).flatMap(({ name, consumer, use, laterUses }) =>
    laterUses.map((later) => ({
      range: rangeOf(document, part, later),
      severity: 'warning' as const,
      code: 'language/consumed-handle',
      message: `'${name.name}' has been consumed by '${consumer.name}': what it stood for may be gone`,
      related: [{ range: rangeOf(document, part, use), message: 'consumed here' }],
    })),
  );

/** The token at a location; that of an operation with a location of its own is its name. */
const rangeAt = (part: DocumentPart, location: Location): TextRange => {
  const owner = operationWith(part.source.operations, location);
  if (owner !== undefined) return owner.nameRange;
  const position = filePosition(location);
  if (position === undefined || position.line < 1) return firstLine(part.text);
  const offset = offsetOf(part.text, position.line, position.column);
  const { tokens } = part.source;
  const next = tokens[tokenIndexFrom(tokens, offset)];
  if (next?.start === offset && next.end > offset) return next;
  const around = tokens[tokenIndexFrom(tokens, offset) - 1];
  if (around !== undefined && around.end > offset) return { start: offset, end: around.end };
  return { start: Math.max(0, offset - 1), end: Math.min(offset + 1, part.text.length) };
};

const operationWith = (
  operations: readonly SourceOperation[],
  location: Location,
): SourceOperation | undefined => {
  for (const source of operations) {
    if (source.operation?.location === location) return source;
    const inner = operationWith(source.children, location);
    if (inner !== undefined) return inner;
  }
  return undefined;
};

const offsetOf = (text: string, line: number, column: number): number => {
  let start = 0;
  for (let i = 1; i < line; i += 1) start = text.indexOf('\n', start) + 1;
  return Math.min(start + column - 1, text.length);
};

const firstLine = (text: string): TextRange => {
  const end = text.indexOf('\n');
  return { start: 0, end: end === -1 ? text.length : end };
};
