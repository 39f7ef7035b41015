/** Where the operations of a text with errors probably begin and end: what its tokens and its indentation say. */
import type { Registry } from './registry.ts';
import type { SourceToken } from './source-tokens.ts';

/** The tokens of a text, comments left out, looked up by offset. */
export class SourceLayout {
  readonly tokens: readonly SourceToken[];
  private readonly text: string;
  private readonly registry: Registry;
  /** How many more braces are opened than closed: with none missing, they say all about regions. */
  private readonly missingBraces: number;

  constructor(text: string, tokens: readonly SourceToken[], registry: Registry) {
    this.text = text;
    this.tokens = tokens.filter(({ kind }) => kind !== 'comment');
    this.registry = registry;
    const count = (kind: string): number => this.tokens.filter((token) => token.kind === kind).length;
    this.missingBraces = count('{') - count('}');
  }

  get lacksClosing(): boolean {
    return this.missingBraces > 0;
  }

  get lacksOpening(): boolean {
    return this.missingBraces < 0;
  }

  /** The index of the first token that starts at `offset` or behind it. */
  indexAt(offset: number): number {
    let [low, high] = [0, this.tokens.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.tokens[middle]!.start < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The text of the token with this index; empty behind the last one. */
  spelling(index: number): string {
    const token = this.tokens[index];
    return token === undefined ? '' : this.text.slice(token.start, token.end);
  }

  /** Whether nothing but blanks precedes the offset in its line. */
  startsLine(offset: number): boolean {
    return this.text.slice(this.lineStart(offset), offset).trim() === '';
  }

  /** How many blanks the line begins with. */
  indentation(offset: number): number {
    const start = this.lineStart(offset);
    let at = start;
    while (this.text[at] === ' ' || this.text[at] === '\t') at += 1;
    return at - start;
  }

  private lineStart(offset: number): number {
    return this.text.lastIndexOf('\n', offset - 1) + 1;
  }

  /** The index of the token that names the operation which starts with this one; undefined for none. */
  nameIndex(start: number): number | undefined {
    let index = start;
    if (this.tokens[index]?.kind === 'value') {
      for (;;) {
        if (this.tokens[index]?.kind !== 'value') return undefined;
        index += 1;
        if (this.tokens[index]?.kind === ':') index += 2;
        if (this.tokens[index]?.kind !== ',') break;
        index += 1;
      }
      if (this.tokens[index]?.kind !== '=') return undefined;
      index += 1;
    }
    const kind = this.tokens[index]?.kind;
    return kind === 'identifier' || kind === 'string' ? index : undefined;
  }

  /** The name, with its dialect, of the operation whose name is this token. */
  nameOf(index: number, defaultDialect: string): string {
    const written = this.spelling(index);
    if (written.startsWith('"')) return written.slice(1, -1);
    return written.includes('.') || defaultDialect === '' ? written : `${defaultDialect}.${written}`;
  }

  /** Whether an operation begins with this token. */
  startsOperation(index: number, defaultDialect: string): boolean {
    const name = this.nameIndex(index);
    if (name === undefined) return false;
    if (name !== index) return true;
    const next = this.tokens[index + 1]?.kind;
    if (this.tokens[index]!.kind === 'string') return next === '(';
    return next !== '=' && this.isOperationName(this.spelling(index), defaultDialect);
  }

  private isOperationName(written: string, defaultDialect: string): boolean {
    const { operations, dialects } = this.registry;
    if (operations.has(written) || operations.has(`${defaultDialect}.${written}`)) return true;
    const dot = written.indexOf('.');
    return dot !== -1 && dialects.has(written.slice(0, dot));
  }

  /** Whether this token begins a line, and an operation, a block, or the definition of an alias. */
  isBoundary(index: number, defaultDialect: string): boolean {
    const token = this.tokens[index]!;
    switch (token.kind) {
      case 'end':
        return true;
      case 'block':
        return this.startsLine(token.start) && /^[:(]$/.test(this.spelling(index + 1));
      case 'hash':
      case 'exclamation':
        return this.tokens[index + 1]?.kind === '=' && this.startsLine(token.start);
      default:
        return this.startsOperation(index, defaultDialect) && this.startsLine(token.start);
    }
  }

  /** Whether a region begins with this `{`: with an operation or a block in it. */
  opensRegion(index: number, defaultDialect: string): boolean {
    const next = this.tokens[index + 1];
    return next?.kind === 'block' || this.startsOperation(index + 1, defaultDialect);
  }
}
