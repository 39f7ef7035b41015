/** Tokens of isl's syntax of sets and relations, and errors that show where in the text they are. */
import type { PresburgerErrorCode } from '../presburger-error.ts';
import { PresburgerError } from '../presburger-error.ts';

/** A word, number or sign of the text. */
export interface Token {
  readonly kind: 'name' | 'number' | 'sign' | 'end';
  readonly text: string;
  readonly offset: number;
}

/** The longest text that is read, in UTF-16 units. */
export const longestText = 1_000_000;

const tokenPattern = /\s*(?:([A-Za-z_][\w$]*'*)|(\d+)|(->|<=|>=|==|!=|&&|\|\||[{}[\]():;,=<>+*/%!-]))/y;

/** The tokens of a text, the last of which is its end. Errors: a character that begins none; too long a text. */
export function tokensOf(text: string): readonly Token[] {
  if (text.length > longestText)
    throw new PresburgerError('presburger/syntax', `the text is longer than ${longestText} characters`, 0);
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  for (let start = 0; ; start = tokenPattern.lastIndex) {
    const [, name, number, sign] = tokenPattern.exec(text) ?? [];
    const token = name ?? number ?? sign;
    if (token === undefined) {
      const offset = start + text.slice(start).search(/\S|$/);
      if (offset < text.length) throw syntaxError(`'${text[offset] ?? ''}' has no meaning here`, offset);
      return [...tokens, { kind: 'end', text: '', offset }];
    }
    const kind = name !== undefined ? 'name' : number !== undefined ? 'number' : 'sign';
    tokens.push({ kind, text: token, offset: tokenPattern.lastIndex - token.length });
  }
}

/** An error at an offset of the text. */
export const syntaxError = (
  message: string,
  offset: number,
  code: PresburgerErrorCode = 'presburger/syntax',
): PresburgerError => new PresburgerError(code, message, offset);
