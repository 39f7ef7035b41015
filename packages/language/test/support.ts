/** Texts with a cursor, `|`, and what the language says of them, in short. */
import { payloadDialects } from '@sconv/dialects';
import { createRegistry } from '@sconv/ir';
import { transforms as tiling } from '@sconv/tiling/transforms';
import { transformDialect, transformDialectOf } from '@sconv/transform';
import type { MlirDocument, Position, Range, TextEdit } from '../src/index.ts';
import { openDocument } from '../src/index.ts';

export const registry = createRegistry([...payloadDialects, transformDialect, transformDialectOf(tiling)]);

export const open = (text: string): MlirDocument => openDocument(text, { registry });

/** A text without the cursor, and where that was. */
export const withCursor = (text: string): { readonly document: MlirDocument; readonly at: Position } => {
  const offset = text.indexOf('|');
  const document = open(text.slice(0, offset) + text.slice(offset + 1));
  return { document, at: document.lines.positionAt(offset) };
};

/** `line:character text` of a range. */
export const show = ({ text, lines }: MlirDocument, { start, end }: Range): string =>
  `${start.line}:${start.character} ${text.slice(lines.offsetAt(start), lines.offsetAt(end))}`;

/** The text after edits. */
export const applied = ({ text, lines }: MlirDocument, edits: readonly TextEdit[]): string =>
  edits
    .toSorted((a, b) => lines.offsetAt(b.range.start) - lines.offsetAt(a.range.start))
    .reduce(
      (changed, { range, newText }) =>
        changed.slice(0, lines.offsetAt(range.start)) + newText + changed.slice(lines.offsetAt(range.end)),
      text,
    );
