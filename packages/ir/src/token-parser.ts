/**
 * Shared by all parsers of MLIR text: the current token, expectations with diagnostics, lists, a nesting limit, and
 * the aliases defined so far.
 */
import type { Location, Note } from '@sconv/diagnostics';
import type { Attribute } from './attribute.ts';
import type { Delimiter } from './assembly.ts';
import { Lexer } from './lexer.ts';
import type { TokenKind } from './lexer.ts';
import { exactNumber, inexactNumberMessage } from './integer-format.ts';
import { ParseFailure } from './parse-failure.ts';
import { ParsedResources } from './parsed-resources.ts';
import type { Registry } from './registry.ts';
import { SourceText } from './source-text.ts';
import { unescapeString } from './string-literal.ts';
import type { Type } from './type.ts';

/** The nesting limit of types, attributes and regions combined: fits a default stack with room to spare. */
export const maxNesting = 256;

/** How much longer a text may be with its aliases written out: a few lines of nested ones can stand for anything. */
const mostWrittenOut = 2 ** 27;

/**
 * The longest integer literal, in characters; upstream's widest integer type has 16777215 bits, which nobody writes
 * out.
 */
const longestInteger = 5000;

const brackets: Readonly<Record<Delimiter, readonly [TokenKind, TokenKind]>> = {
  paren: ['(', ')'],
  square: ['[', ']'],
  angle: ['<', '>'],
  brace: ['{', '}'],
};

/** What a text is parsed with. */
export interface TextOptions {
  readonly registry: Registry;
  /** For locations; `-` by default. */
  readonly fileName?: string;
  /** Whether operations, types and attributes of unregistered dialects are accepted; false by default. */
  readonly allowUnregisteredDialects?: boolean;
}

export class TokenParser {
  readonly source: SourceText;
  readonly lexer: Lexer;
  readonly registry: Registry;
  readonly allowUnregisteredDialects: boolean;
  readonly attributeAliases = new Map<string, Attribute>();
  readonly typeAliases = new Map<string, Type>();
  readonly resources = new ParsedResources();
  /** The length of the text that each alias stands for, by name with its sigil. */
  private readonly aliasLengths = new Map<string, number>();
  /** The length of the aliases used so far, written out. */
  private writtenOut = 0;
  private nesting = 0;

  constructor(
    text: string,
    options: TextOptions,
    lexer = new Lexer(new SourceText(text, options.fileName ?? '-')),
  ) {
    this.source = lexer.source;
    this.lexer = lexer;
    this.registry = options.registry;
    this.allowUnregisteredDialects = options.allowUnregisteredDialects ?? false;
  }

  /** The location of the current token. */
  here(): Location {
    return this.source.locationAt(this.errorOffset());
  }

  /** Aborts the parse with an error at the current token, or at `offset`. */
  fail(
    message: string,
    { offset, code, notes }: { offset?: number; code?: string; notes?: readonly Note[] } = {},
  ): never {
    const location = this.source.locationAt(offset ?? this.errorOffset());
    throw new ParseFailure(code ?? 'parse/syntax', message, location, notes);
  }

  /** Aborts the parse with an error right after the previous token, where something is missing. */
  failMissing(message: string): never {
    this.fail(message, { offset: this.lexer.previousEnd, code: 'parse/expected-token' });
  }

  /** The end of the text is reported at its last character. */
  private errorOffset(): number {
    const { kind, start } = this.lexer;
    return kind === 'end' ? Math.max(0, start - 1) : start;
  }

  /** Enters a nesting level until `leave`; fails beyond the limit. */
  enter(): void {
    this.nesting += 1;
    if (this.nesting > maxNesting)
      this.fail(`nesting is deeper than ${maxNesting} levels`, { code: 'parse/too-deep' });
  }

  leave(): void {
    this.nesting -= 1;
  }

  /** How deeply the current token is nested. */
  get depth(): number {
    return this.nesting;
  }

  /** Returns to an outer level after an error. */
  leaveTo(depth: number): void {
    this.nesting = depth;
  }

  /** Parses what the alias `name`, with its sigil, stands for. */
  aliased<T>(name: string, parse: () => T): T {
    const [start, before] = [this.lexer.start, this.writtenOut];
    const value = parse();
    this.aliasLengths.set(name, this.lexer.previousEnd - start + this.writtenOut - before);
    return value;
  }

  /** Counts a use of the alias `name`, with its sigil; fails where the aliases stand for too much. */
  countAlias(name: string): void {
    this.writtenOut += this.aliasLengths.get(name) ?? 0;
    if (this.writtenOut > mostWrittenOut + this.source.text.length) {
      this.fail(`the aliases up to '${name}' stand for more than ${mostWrittenOut} characters`, {
        offset: this.lexer.previousEnd,
        code: 'parse/alias-size',
      });
    }
  }

  /** Consumes a token of `kind`; `message` says that it was expected. */
  expect(kind: TokenKind, message: string): void {
    if (this.lexer.kind !== kind) this.failMissing(message);
    this.lexer.next();
  }

  /** Consumes the token if it is of `kind`. */
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

  /** Consumes the current token and returns its text. */
  take(): string {
    const text = this.lexer.spelling;
    this.lexer.next();
    return text;
  }

  /** Consumes a string literal and returns its value. */
  takeString(): string {
    return unescapeString(this.take().slice(1, -1));
  }

  /** Consumes `@name` or `@"name"` and returns the name. */
  takeSymbol(): string {
    const text = this.take();
    return text[1] === '"' ? unescapeString(text.slice(2, -1)) : text.slice(1);
  }

  /** Consumes an unsigned integer literal. */
  takeInteger(): bigint {
    if (this.lexer.end - this.lexer.start > longestInteger)
      this.fail('integer literal is too long', { code: 'parse/number' });
    return BigInt(this.take());
  }

  /** An integer literal of at most `maximum`; fails with `message` otherwise. */
  smallInteger(message: string, maximum = Number.MAX_SAFE_INTEGER): number {
    if (this.lexer.kind !== 'integer') this.failMissing(message);
    const offset = this.lexer.start;
    const value = this.takeInteger();
    if (value > BigInt(maximum)) this.fail(message, { offset, code: 'parse/number' });
    return Number(value);
  }

  /** An integer literal that is exact as a number; fails with `message` for any other token. */
  exactInteger(message: string): number {
    const { kind, start } = this.lexer;
    if (kind !== 'integer') this.failMissing(message);
    const magnitude = this.takeInteger();
    const value = exactNumber(magnitude);
    return value ?? this.fail(inexactNumberMessage(magnitude), { offset: start, code: 'parse/number' });
  }

  /** Comma-separated elements between delimiters, possibly none. */
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

  /** At least one comma-separated element. */
  commaSeparated<T>(element: () => T): T[] {
    const elements = [element()];
    while (this.accept(',')) elements.push(element());
    return elements;
  }
}
