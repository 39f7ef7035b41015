/** The outline of a text: its modules, functions and sequences, and what is in them. */
import type { SourceOperation } from '@sconv/ir';
import type { DocumentPart, MlirDocument } from './document.ts';
import { rangeOf } from './document.ts';
import type { Range } from './position.ts';

/** An operation in an outline. */
export interface OutlineEntry {
  /** The symbol that it defines, or else its name. */
  readonly name: string;
  /** The operation's name, where `name` is a symbol. */
  readonly detail: string;
  readonly kind: 'module' | 'function' | 'operation';
  readonly range: Range;
  /** Of its name. */
  readonly selectionRange: Range;
  readonly children: readonly OutlineEntry[];
}

/** The operations with regions or symbols, as a tree. */
export const outline = (document: MlirDocument): readonly OutlineEntry[] =>
  document.parts.flatMap((part) => entriesOf(document, part, part.source.operations));

const entriesOf = (
  document: MlirDocument,
  part: DocumentPart,
  operations: readonly SourceOperation[],
): readonly OutlineEntry[] =>
  operations.flatMap((operation) => {
    const symbol = part.symbols.definedBy(operation);
    if ((symbol === undefined && operation.children.length === 0) || operation.name === '') return [];
    const isModule = operation.name.endsWith('.module');
    return [
      {
        name: symbol?.name ?? operation.name,
        detail: symbol === undefined ? '' : operation.name,
        kind: isModule ? 'module' : symbol === undefined ? 'operation' : 'function',
        range: rangeOf(document, part, operation),
        selectionRange: rangeOf(document, part, symbol?.definition ?? operation.nameRange),
        children: entriesOf(document, part, operation.children),
      },
    ];
  });

/** The regions of a text that can be folded: operations of several lines. */
export const foldingRanges = (
  document: MlirDocument,
): readonly { readonly startLine: number; readonly endLine: number }[] => {
  const found: { readonly startLine: number; readonly endLine: number }[] = [];
  for (const part of document.parts) {
    const visit = (operation: SourceOperation): void => {
      const { start, end } = rangeOf(document, part, operation);
      // The closing brace stays visible.
      if (end.line > start.line + 1) found.push({ startLine: start.line, endLine: end.line - 1 });
      operation.children.forEach(visit);
    };
    part.source.operations.forEach(visit);
  }
  return found;
};
