/**
 * Formats a text: indents its lines by the regions that they are in, as `printModule` does. Comments, names and line
 * breaks stay, and so do bodies of dialects' attributes and types, which blanks are a part of: the text means what it
 * meant. `@deviation` from upstream's server, which does not format.
 */
import type { SourceOperation, SourceToken } from '@sconv/ir';
import type { DocumentPart, MlirDocument } from './document.ts';
import { operationAt, rangeOf, tokenIndexFrom } from './document.ts';
import type { TextEdit } from './position.ts';
import { verbatimRanges } from './verbatim-ranges.ts';

const step = 2;

/** The edits that format a text; none for parts with errors, whose regions are not known. */
export const format = (document: MlirDocument): readonly TextEdit[] =>
  document.parts.flatMap((part) => (part.source.diagnostics.length > 0 ? [] : editsOf(document, part)));

/** The text with its edits. */
export const formatted = (document: MlirDocument): string => {
  let [text, at] = ['', 0];
  for (const { range, newText } of format(document)) {
    text += document.text.slice(at, document.lines.offsetAt(range.start)) + newText;
    at = document.lines.offsetAt(range.end);
  }
  return text + document.text.slice(at);
};

interface Line {
  readonly start: number;
  /** Of its last character that is no blank. */
  readonly end: number;
  /** Of its first character that is no blank. */
  readonly first: number;
}

const editsOf = (document: MlirDocument, part: DocumentPart): readonly TextEdit[] => {
  const edits: TextEdit[] = [];
  const verbatim = verbatimRanges(part.source.tokens);
  let next = 0;
  // Edits come in the order of the text.
  const isVerbatim = (offset: number): boolean => {
    while (next < verbatim.length && verbatim[next]!.end <= offset) next += 1;
    return next < verbatim.length && verbatim[next]!.start < offset;
  };
  const replace = (start: number, end: number, newText: string): void => {
    if (part.text.slice(start, end) !== newText && !isVerbatim(start))
      edits.push({ range: rangeOf(document, part, { start, end }), newText });
  };
  const indenter = new Indenter(part);
  const lines = linesOf(part.text);
  const lastText = lines.findLastIndex((line) => !isEmpty(line));
  lines.forEach((line, i) => {
    if (!isEmpty(line)) {
      replace(line.start, line.first, ' '.repeat(indenter.indentation(line)));
      const next = lines[i + 1];
      replace(line.end, next === undefined ? part.text.length : lineEnd(part.text, line.end), '');
    } else {
      // Of several empty lines one stays; at the start and the end none does.
      const isRepeated = i === 0 || isEmpty(lines[i - 1]!);
      const next = lines[i + 1];
      if (next !== undefined && (isRepeated || i > lastText)) replace(line.start, next.start, '');
      else replace(line.start, lineEnd(part.text, line.start), '');
    }
  });
  return edits;
};

const isEmpty = ({ first, end }: Line): boolean => first >= end;

const linesOf = (text: string): readonly Line[] => {
  const lines: Line[] = [];
  for (let start = 0; ;) {
    const end = lineEnd(text, start);
    const content = text.slice(start, end);
    const first = start + content.length - content.trimStart().length;
    lines.push({ start, first, end: start + content.trimEnd().length });
    if (end >= text.length) return lines;
    start = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
};

/** The offset of the end of the line, before its line break. */
const lineEnd = (text: string, offset: number): number => {
  const end = text.indexOf('\n', offset);
  if (end === -1) return text.length;
  return text[end - 1] === '\r' && end > offset ? end - 1 : end;
};

class Indenter {
  private readonly part: DocumentPart;
  private readonly tokens: readonly SourceToken[];
  /** By how much the first line of each operation moves; its other lines move with it. */
  private readonly shifts = new Map<SourceOperation, number>();

  constructor(part: DocumentPart) {
    this.part = part;
    this.tokens = part.source.tokens;
  }

  /** How many blanks a line is to begin with. */
  indentation({ start, first }: Line): number {
    const index = tokenIndexFrom(this.tokens, first);
    const token = this.tokens[index];
    if (token?.start !== first) return first - start;
    let next = index;
    while (this.tokens[next]!.kind === 'comment') next += 1;
    const code = this.tokens[next]!;
    if (code.kind === 'end') return 0;
    const operation = operationAt(this.part.source.operations, code.start);
    // A comment before the closing brace is in the region.
    const isComment = token.kind === 'comment';
    return Math.max(0, this.indentationAt(operation, code, isComment, first - start));
  }

  private indentationAt(
    operation: SourceOperation | undefined,
    token: SourceToken,
    isComment: boolean,
    present: number,
  ): number {
    if (operation === undefined) return 0;
    const own = this.indentationOf(operation);
    if (operation.start === token.start) {
      if (!isComment) this.shifts.set(operation, own - present);
      return own;
    }
    const isInside = operation.children.some(({ start }) => start < token.start);
    if (token.kind === '}' && operation.children.length > 0) return isComment && isInside ? own + step : own;
    if (token.kind === 'block' && this.isLabel(operation, token)) return own;
    return present + (this.shifts.get(operation) ?? 0);
  }

  private indentationOf({ parent, start }: SourceOperation): number {
    if (parent === undefined) return 0;
    const lineStart = this.part.text.lastIndexOf('\n', parent.start - 1) + 1;
    const isFirst = this.part.text.slice(lineStart, parent.start).trim() === '';
    // An operation behind another one in its line counts for nothing.
    const outer =
      isFirst || parent.parent === undefined ? this.indentationOf(parent) : this.lineIndentation(parent);
    return this.isInLineOf(parent, start) ? outer : outer + step;
  }

  private lineIndentation({ parent }: SourceOperation): number {
    return parent === undefined ? 0 : this.indentationOf(parent);
  }

  private isInLineOf(parent: SourceOperation, start: number): boolean {
    return !this.part.text.slice(parent.start, start).includes('\n');
  }

  private isLabel({ children }: SourceOperation, token: SourceToken): boolean {
    const next = this.tokens[tokenIndexFrom(this.tokens, token.end)];
    return (next?.kind === ':' || next?.kind === '(') && children.some(({ start }) => start > token.start);
  }
}
