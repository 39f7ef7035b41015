/** Parses the definitions of aliases around operations: `#name = attribute`, `!name = type`. */
import { parseAttribute } from './attribute-parser.ts';
import type { TokenParser } from './token-parser.ts';
import { parseType } from './type-parser.ts';

/** The current token is `#name`. */
export const parseAttributeAlias = (tokens: TokenParser): void => {
  const name = newName(tokens, tokens.attributeAliases, 'attribute');
  tokens.attributeAliases.set(
    name,
    tokens.aliased(`#${name}`, () => parseAttribute(tokens)),
  );
};

/** The current token is `!name`. */
export const parseTypeAlias = (tokens: TokenParser): void => {
  const name = newName(tokens, tokens.typeAliases, 'type');
  tokens.typeAliases.set(
    name,
    tokens.aliased(`!${name}`, () => parseType(tokens)),
  );
};

/** `#name =` without the sigil. */
const newName = (tokens: TokenParser, known: ReadonlyMap<string, unknown>, kind: string): string => {
  const name = tokens.lexer.spelling.slice(1);
  if (known.has(name))
    tokens.fail(`redefinition of ${kind} alias id '${name}'`, { code: 'parse/redefinition' });
  if (name.includes('.')) tokens.fail(`${kind} names with a '.' are reserved for dialect-defined names`);
  tokens.lexer.next();
  tokens.expect('=', `expected '=' in ${kind} alias definition`);
  return name;
};
