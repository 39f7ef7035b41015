/** Parses aliases, and dialect types and attributes, whose bodies are kept as balanced text. */
import type { TokenParser } from './token-parser.ts';
import { maxNesting } from './token-parser.ts';

/** `dialect.body` after the sigil, or an alias name. */
export type DialectSymbol =
  | { readonly kind: 'alias'; readonly name: string; readonly offset: number }
  | { readonly kind: 'dialect'; readonly dialect: string; readonly body: string; readonly offset: number };

/** Parses the current token, `#name` or `!name`, and a directly following `<…>`. */
export const parseDialectSymbol = (parser: TokenParser): DialectSymbol => {
  const { lexer } = parser;
  const offset = lexer.start;
  const identifier = lexer.spelling.slice(1);
  const end = lexer.end;
  lexer.next();
  const hasBody = lexer.kind === '<' && lexer.start === end;
  const dot = identifier.indexOf('.');
  if (dot === -1 && !hasBody) return { kind: 'alias', name: identifier, offset };
  const body = hasBody ? skipBalanced(parser, end) : '';
  if (dot !== -1) {
    const name = identifier.slice(dot + 1);
    return dialectSymbol(parser, identifier.slice(0, dot), name + body, offset);
  }
  // The verbose form, `!dialect<body>`.
  return dialectSymbol(parser, identifier, body.slice(1, -1), offset);
};

/** Known dialects normalize spacing when printing; the text of unknown ones is kept verbatim. */
const dialectSymbol = (
  parser: TokenParser,
  dialect: string,
  body: string,
  offset: number,
): DialectSymbol => ({
  kind: 'dialect',
  dialect,
  body: parser.registry.dialects.has(dialect) ? withUsualBlanks(body) : body,
  offset,
});

/** Drops comments; one space after a comma, none inside brackets, single spaces elsewhere; strings verbatim. */
const withUsualBlanks = (body: string): string => {
  if (!/[\s,]/.test(body)) return body;
  return body
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((part, i) => (i % 2 === 1 ? part : usualBlanks(part)))
    .join('');
};

const usualBlanks = (text: string): string =>
  text
    .replace(/\/\/[^\n]*/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/([<([{]) /g, '$1')
    .replace(/ ([>)\]},])/g, '$1')
    .replace(/,(?=[^ ])/g, ', ');

/** Fails for an unknown dialect, unless these are allowed. */
export const checkDialect = (
  parser: TokenParser,
  symbol: DialectSymbol & { kind: 'dialect' },
  what: string,
): void => {
  if (parser.allowUnregisteredDialects || parser.registry.dialects.has(symbol.dialect)) return;
  parser.fail(
    `${what} created with unregistered dialect. If this is intended, please call allowUnregisteredDialects() on the ` +
      'MLIRContext, or use -allow-unregistered-dialect with the MLIR opt tool used',
    { offset: symbol.offset, code: 'parse/unregistered-dialect' },
  );
};

const closers: Readonly<Record<string, string>> = { '<': '>', '(': ')', '[': ']', '{': '}' };

/** Skips to after the bracket that matches the one at `offset`, and returns the text in between, brackets included. */
const skipBalanced = (parser: TokenParser, offset: number): string => {
  const { text } = parser.source;
  const open: string[] = [];
  let at = offset;
  do {
    const character = text[at];
    if (character === undefined || character === '\0')
      parser.fail('unexpected nul or EOF in pretty dialect name', { offset: at });
    const closer = closers[character];
    if (closer !== undefined) {
      open.push(closer);
      if (open.length > maxNesting)
        parser.fail(`nesting is deeper than ${maxNesting} levels`, { offset: at, code: 'parse/too-deep' });
    } else if (character === '-' && text[at + 1] === '>') {
      at += 1;
    } else if (character === open.at(-1)) {
      open.pop();
    } else if (character === '>' || character === ')' || character === ']' || character === '}') {
      parser.fail(`unbalanced '${character}' character in pretty dialect name`, { offset: at });
    } else if (character === '"') {
      // The lexer finds the end of the literal.
      parser.lexer.resetTo(at);
      at = parser.lexer.end - 1;
    }
    at += 1;
  } while (open.length > 0);
  parser.lexer.resetTo(at);
  return text.slice(offset, at);
};
