/** Lexes MLIR's textual IR on demand: the lexer holds a single token. */
import { ParseFailure } from './parse-failure.ts';
import type { SourceText } from './source-text.ts';

export type Punctuation =
  | '->'
  | '-'
  | '::'
  | ':'
  | '...'
  | ','
  | '='
  | '('
  | ')'
  | '['
  | ']'
  | '{'
  | '}'
  | '<'
  | '>'
  | '?'
  | '*'
  | '+'
  | '/'
  | '|'
  | '{-#'
  | '#-}';

/**
 * `invalid` is what no token begins with, where a lexer goes on behind it. `identifier` is a bare one, including
 * keywords and types such as `i32`. The others include their sigil: `@symbol`, `#attribute`, `!type`, `%value`,
 * `^block`. The kind of punctuation is its text.
 */
export type TokenKind =
  | Punctuation
  | 'end'
  | 'invalid'
  | 'identifier'
  | 'symbol'
  | 'hash'
  | 'exclamation'
  | 'value'
  | 'block'
  | 'integer'
  | 'float'
  | 'string';

const letter = 1;
const digit = 2;
const hexDigit = 4;
/** `$`, `.` and `_`, which bare identifiers may contain. */
const identifierMark = 8;

/** By character code. In one expression, so that bundles that parse nothing drop it. */
const classes = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return (
    (/[A-Za-z]/.test(character) ? letter : 0) |
    (/[0-9]/.test(character) ? digit : 0) |
    (/[0-9A-Fa-f]/.test(character) ? hexDigit : 0) |
    (/[$._]/.test(character) ? identifierMark : 0)
  );
});

const isClass = (code: number, mask: number): boolean => code < 128 && (classes[code]! & mask) !== 0;

const [lineFeed, verticalTab, formFeed, carriageReturn] = [10, 11, 12, 13];
const [quote, minus, dot, slash, underscore, backslash] = [34, 45, 46, 47, 95, 92];

const sigils: ReadonlyMap<number, readonly [TokenKind, string]> = new Map([
  [35, ['hash', 'invalid attribute name']],
  [33, ['exclamation', 'invalid type identifier']],
  [37, ['value', 'invalid SSA name']],
  [94, ['block', 'invalid block name']],
] as const);

/** The current token, and how to advance. Errors are thrown as `ParseFailure`. */
export class Lexer {
  readonly source: SourceText;
  kind: TokenKind = 'end';
  /** Offset of the token's first character. */
  start = 0;
  /** Offset after the token's last character. */
  end = 0;
  /** Offset after the previous token. */
  previousEnd = 0;
  private readonly text: string;

  constructor(source: SourceText) {
    this.source = source;
    this.text = source.text;
    this.next();
    this.previousEnd = this.start;
  }

  /** The text of the token. */
  get spelling(): string {
    return this.text.slice(this.start, this.end);
  }

  /** Whether the token's text is `literal`. */
  is(literal: string): boolean {
    return this.end - this.start === literal.length && this.text.startsWith(literal, this.start);
  }

  /** Continues lexing at `offset`. */
  resetTo(offset: number): void {
    this.end = offset;
    this.next();
  }

  next(): void {
    this.previousEnd = this.end;
    this.skipBlanks();
    this.start = this.end;
    if (this.start >= this.text.length) {
      this.kind = 'end';
      return;
    }
    const code = this.text.charCodeAt(this.start);
    if (isClass(code, letter) || code === underscore) {
      this.kind = 'identifier';
      this.end = this.skipClass(this.start + 1, letter | digit | identifierMark);
    } else if (isClass(code, digit)) {
      this.number();
    } else {
      this.sigilOrPunctuation(code);
    }
  }

  private skipBlanks(): void {
    let offset = this.end;
    for (;;) {
      const code = this.text.charCodeAt(offset);
      if (code === 32 || code === 9 || code === lineFeed || code === carriageReturn) {
        offset += 1;
      } else if (code === slash && this.text.charCodeAt(offset + 1) === slash) {
        const lineEnd = this.text.indexOf('\n', offset);
        offset = lineEnd === -1 ? this.text.length : lineEnd + 1;
      } else {
        this.end = offset;
        return;
      }
    }
  }

  private skipClass(offset: number, mask: number): number {
    while (isClass(this.text.charCodeAt(offset), mask)) offset += 1;
    return offset;
  }

  private number(): void {
    this.kind = 'integer';
    const first = this.start + 1;
    if (this.text.startsWith('0x', this.start)) {
      // `0xf32` without hexadecimal digits (`0xi32`) is the integer 0 followed by more: part of a shape.
      this.end = isClass(this.text.charCodeAt(first + 1), hexDigit)
        ? this.skipClass(first + 1, hexDigit)
        : first;
      return;
    }
    this.end = this.skipClass(first, digit);
    if (this.text.charCodeAt(this.end) !== dot) return;
    this.kind = 'float';
    this.end = this.skipClass(this.end + 1, digit);
    const exponent = this.text.charCodeAt(this.end);
    if (exponent !== 69 && exponent !== 101) return;
    const sign = this.text.charCodeAt(this.end + 1);
    const digits = sign === 43 || sign === minus ? this.end + 2 : this.end + 1;
    if (isClass(this.text.charCodeAt(digits), digit)) this.end = this.skipClass(digits, digit);
  }

  private sigilOrPunctuation(code: number): void {
    const next = this.text.charCodeAt(this.start + 1);
    switch (code) {
      case quote:
        this.kind = 'string';
        this.end = this.stringEnd(this.start + 1);
        return;
      case 64:
        this.kind = 'symbol';
        if (next === quote) this.end = this.stringEnd(this.start + 2);
        else if (isClass(next, letter) || next === underscore)
          this.end = this.skipClass(this.start + 2, letter | digit | identifierMark);
        else this.fail("@ identifier expected to start with letter or '_'", this.start);
        return;
      case minus:
        this.punctuation(next === 62 ? '->' : '-');
        return;
      case 58:
        this.punctuation(next === 58 ? '::' : ':');
        return;
      case 123:
        this.punctuation(this.text.startsWith('{-#', this.start) ? '{-#' : '{');
        return;
      case dot:
        if (!this.text.startsWith('...', this.start))
          this.fail('expected three consecutive dots for an ellipsis', this.start);
        this.punctuation('...');
        return;
      case 35:
        if (this.text.startsWith('#-}', this.start)) this.punctuation('#-}');
        else this.prefixed(code);
        return;
      case 33:
      case 37:
      case 94:
        this.prefixed(code);
        return;
      default: {
        const character = this.text[this.start]!;
        if (!',=()[]}<>?*+/|'.includes(character)) {
          this.fail(`unexpected ${encodingProblem(this.text, this.start) ?? 'character'}`, this.start);
        }
        this.punctuation(character as Punctuation);
      }
    }
  }

  private punctuation(text: Punctuation): void {
    this.kind = text;
    this.end = this.start + text.length;
  }

  /** A sigil and a suffix: digits, or letters, digits and `$._-`. */
  private prefixed(code: number): void {
    const [kind, problem] = sigils.get(code)!;
    this.kind = kind;
    const first = this.text.charCodeAt(this.start + 1);
    if (isClass(first, digit)) {
      this.end = this.skipClass(this.start + 1, digit);
      return;
    }
    let offset = this.start + 1;
    for (;;) {
      const next = this.text.charCodeAt(offset);
      if (!isClass(next, letter | digit | identifierMark) && next !== minus) break;
      offset += 1;
    }
    if (offset === this.start + 1) this.fail(problem, this.start);
    this.end = offset;
  }

  /** The offset after the closing quote of the literal whose contents start at `offset`. */
  private stringEnd(offset: number): number {
    for (;;) {
      const code = this.text.charCodeAt(offset);
      if (code === quote) return offset + 1;
      if (Number.isNaN(code) || code === lineFeed || code === verticalTab || code === formFeed)
        this.fail(`expected '"' in string literal`, Math.max(offset - 1, this.start));
      offset += code === backslash ? this.escapeLength(offset) : 1;
    }
  }

  private escapeLength(offset: number): number {
    if (/["\\nt]/.test(this.text[offset + 1] ?? '')) return 2;
    const isHex =
      isClass(this.text.charCodeAt(offset + 1), hexDigit) &&
      isClass(this.text.charCodeAt(offset + 2), hexDigit);
    if (!isHex) this.fail('unknown escape in string literal', offset);
    return 3;
  }

  private fail(message: string, offset: number): never {
    throw new ParseFailure('parse/token', message, this.source.locationAt(offset));
  }
}

/**
 * A beginning of a file that tells its encoding, if it is none that is read; see `text-bytes.ts` for the bytes of
 * UTF-16.
 */
const encodingProblem = (text: string, offset: number): string | undefined => {
  if (text[offset] === '\ufeff') return 'byte order mark: save the file without it';
  const isWide = offset === 0 && /^(\udcff\udcfe|\udcfe\udcff)/.test(text);
  return isWide ? 'byte order mark of UTF-16: save the file as UTF-8' : undefined;
};
