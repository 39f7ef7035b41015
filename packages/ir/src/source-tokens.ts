/** All tokens of a text, also of one with errors. */
import type { TokenKind } from './lexer.ts';
import { Lexer } from './lexer.ts';
import { ParseFailure } from './parse-failure.ts';
import type { TextRange } from './print-ranges.ts';
import { SourceText } from './source-text.ts';

/** A token or comment; `invalid` is what no token begins with, or an unterminated string. */
export interface SourceToken extends TextRange {
  readonly kind: TokenKind | 'comment';
}

/** Reads what is no token as one that no parser expects. */
export class TolerantLexer extends Lexer {
  /** What is wrong with the current token, if its kind is `invalid`. */
  declare problem: ParseFailure | undefined;

  override next(): void {
    try {
      super.next();
    } catch (failure) {
      if (!(failure instanceof ParseFailure)) throw failure;
      this.problem = failure;
      this.kind = 'invalid';
      this.end = this.isString() ? this.lineEnd() : this.start + 1;
    }
  }

  private isString(): boolean {
    const { text } = this.source;
    return text[this.start] === '"' || (text[this.start] === '@' && text[this.start + 1] === '"');
  }

  private lineEnd(): number {
    const end = this.source.text.indexOf('\n', this.start);
    return end === -1 ? this.source.text.length : end;
  }
}

/** The tokens and comments of a text in order, the last one of kind `end`. */
export const tokenize = (text: string): readonly SourceToken[] => {
  const lexer = new TolerantLexer(new SourceText(text, '-'));
  const tokens: SourceToken[] = [];
  let end = 0;
  for (;;) {
    addComments(text, end, lexer.start, tokens);
    tokens.push({ kind: lexer.kind, start: lexer.start, end: lexer.end });
    if (lexer.kind === 'end') return tokens;
    end = lexer.end;
    lexer.next();
  }
};

/** The comments between two tokens, where there is nothing else but blanks. */
const addComments = (text: string, start: number, end: number, into: SourceToken[]): void => {
  for (let at = text.indexOf('//', start); at !== -1 && at < end; at = text.indexOf('//', at)) {
    const lineEnd = text.indexOf('\n', at);
    const next = lineEnd === -1 ? text.length : lineEnd;
    into.push({ kind: 'comment', start: at, end: text[next - 1] === '\r' ? next - 1 : next });
    at = next;
  }
};
