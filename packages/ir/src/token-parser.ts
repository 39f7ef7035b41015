/**
 * What every parser of MLIR text shares: the token at hand, expectations with their diagnostics, lists, a bound on
 * nesting, and the aliases defined so far.
 */
import type { Location, Note } from '@sconv/diagnostics';
import type { Attribute } from './attribute.ts';
import type { Delimiter } from './assembly.ts';
import { Lexer } from './lexer.ts';
import type { TokenKind } from './lexer.ts';
import { exactNumber, inexactNumberMessage } from './integer-format.ts';
import { ParseFailure } from './parse-failure.ts';
import type { Registry } from './registry.ts';
import { SourceText } from './source-text.ts';
import { unescapeString } from './string-literal.ts';
import type { Type } from './type.ts';

/** How deep types, attributes and regions may nest, all together: what a default stack carries with room to spare. */
export const maxNesting = 256;

/** Longest integer literal, in characters; upstream's widest integer type has 16777215 bits, which nobody writes out. */
const longestInteger = 5000;

const brackets: Readonly<Record<Delimiter, readonly [TokenKind, TokenKind]>> = {
  paren: ['(', ')'],
  square: ['[', ']'],
  angle: ['<', '>'],
  brace: ['{', '}'],
};

export interface TextOptions {
  readonly registry: Registry;
  /** As locations name it; `-` by default. */
  readonly fileName?: string;
  /** Whether operations, types and attributes of dialects that the registry lacks are accepted; false by default. */
  readonly allowUnregisteredDialects?: boolean;
}

export class TokenParser {
  readonly source: SourceText;
  readonly lexer: Lexer;
  readonly registry: Registry;
  readonly allowUnregisteredDialects: boolean;
  readonly attributeAliases = new Map<string, Attribute>();
  readonly typeAliases = new Map<string, Type>();
  private nesting = 0;

  constructor(text: string, options: TextOptions) {
    this.source = new SourceText(text, options.fileName ?? '-');
    this.lexer = new Lexer(this.source);
    this.registry = options.registry;
    this.allowUnregisteredDialects = options.allowUnregisteredDialects ?? false;
  }

  /** The location of the token at hand. */
  here(): Location {
    return this.source.locationAt(this.errorOffset());
  }

  /** Ends the parse with an error at the token at hand, or at `offset`. */
  fail(
    message: string,
    { offset, code, notes }: { offset?: number; code?: string; notes?: readonly Note[] } = {},
  ): never {
    const location = this.source.locationAt(offset ?? this.errorOffset());
    throw new ParseFailure(code ?? 'parse/syntax', message, location, notes);
  }

  /** Ends the parse with an error right behind the token before, where something is missing. */
  failMissing(message: string): never {
    this.fail(message, { offset: this.lexer.previousEnd, code: 'parse/expected-token' });
  }

  /** The end of the text is reported at its last character. */
  private errorOffset(): number {
    const { kind, start } = this.lexer;
    return kind === 'end' ? Math.max(0, start - 1) : start;
  }

  /** Counts one level of nesting until `leave`; fails when there are too many. */
  enter(): void {
    this.nesting += 1;
    if (this.nesting > maxNesting)
      this.fail(`nesting is deeper than ${maxNesting} levels`, { code: 'parse/too-deep' });
  }

  leave(): void {
    this.nesting -= 1;
  }

  /** Takes the token of `kind`, which `message` says was expected. */
  expect(kind: TokenKind, message: string): void {
    if (this.lexer.kind !== kind) this.failMissing(message);
    this.lexer.next();
  }

  /** Takes the token if it is of `kind`. */
  accept(kind: TokenKind): boolean {
    if (this.lexer.kind !== kind) return false;
    this.lexer.next();
    return true;
  }

  isKeyword(word: string): boolean {
    return this.lexer.kind === 'identifier' && this.lexer.is(word);
  }

  acceptKeyword(word: string): boolean {
    if (!this.isKeyword(word)) return false;
    this.lexer.next();
    return true;
  }

  /** Takes the token at hand and returns its text. */
  take(): string {
    const text = this.lexer.spelling;
    this.lexer.next();
    return text;
  }

  /** Takes a string literal and returns its value. */
  takeString(): string {
    return unescapeString(this.take().slice(1, -1));
  }

  /** Takes `@name` or `@"name"` and returns the name. */
  takeSymbol(): string {
    const text = this.take();
    return text[1] === '"' ? unescapeString(text.slice(2, -1)) : text.slice(1);
  }

  /** Takes an integer literal, which has no sign. */
  takeInteger(): bigint {
    if (this.lexer.end - this.lexer.start > longestInteger)
      this.fail('integer literal is too long', { code: 'parse/number' });
    return BigInt(this.take());
  }

  /** An integer literal of at most `maximum`; `message` if it is another token or too large. */
  smallInteger(message: string, maximum = Number.MAX_SAFE_INTEGER): number {
    if (this.lexer.kind !== 'integer') this.failMissing(message);
    const offset = this.lexer.start;
    const value = this.takeInteger();
    if (value > BigInt(maximum)) this.fail(message, { offset, code: 'parse/number' });
    return Number(value);
  }

  /** An integer literal that a number holds exactly; `message` if it is another token. */
  exactInteger(message: string): number {
    const { kind, start } = this.lexer;
    if (kind !== 'integer') this.failMissing(message);
    const magnitude = this.takeInteger();
    const value = exactNumber(magnitude);
    return value ?? this.fail(inexactNumberMessage(magnitude), { offset: start, code: 'parse/number' });
  }

  /** Elements separated by commas, possibly none, between delimiters. */
  list<T>(delimiter: Delimiter, element: () => T, context = ''): T[] {
    const [open, close] = brackets[delimiter];
    this.expect(open, `expected '${open}'${context}`);
    const elements: T[] = [];
    if (this.accept(close)) return elements;
    do elements.push(element());
    while (this.accept(','));
    this.expect(close, `expected '${close}'${context}`);
    return elements;
  }

  /** At least one element, separated by commas. */
  commaSeparated<T>(element: () => T): T[] {
    const elements = [element()];
    while (this.accept(',')) elements.push(element());
    return elements;
  }
}
