/**
 * `{-# … #-}` at the end of a text: blobs that attributes refer to by key (`dense_resource<key>`), and data of
 * external tools. They are kept and printed, but not interpreted.
 */
import { printKeywordOrString } from './attribute-printer.ts';
import { quoteString } from './string-literal.ts';
import type { TokenParser } from './token-parser.ts';

export type ResourceEntries = ReadonlyMap<string, string | boolean>;

/** Entries by dialect, or by external tool. */
export type ResourceGroups = ReadonlyMap<string, ResourceEntries>;

export interface Resources {
  readonly dialects: ResourceGroups;
  readonly external: ResourceGroups;
}

/** The sections by their names in the text, in printing order. */
const sections = { dialect_resources: 'dialects', external_resources: 'external' } as const;

const isSection = (name: string): name is keyof typeof sections => Object.hasOwn(sections, name);

/** From `{-#` to `#-}`. */
export const parseResources = (parser: TokenParser): Resources => {
  const { lexer } = parser;
  const parsed: { dialects: ResourceGroups; external: ResourceGroups } = {
    dialects: new Map(),
    external: new Map(),
  };
  lexer.next();
  while (lexer.kind !== '#-}') {
    const offset = lexer.start;
    const name = keyOf(parser, 'expected identifier key in file metadata dictionary');
    parser.expect(':', "expected ':'");
    if (!isSection(name)) parser.fail(`unknown key '${name}' in file metadata dictionary`, { offset });
    parsed[sections[name]] = parseEntries(parser, (group, at) => {
      if (name === 'dialect_resources') checkDialect(parser, group, at);
      return parseGroup(parser, name, group);
    });
    if (!parser.accept(',') && (lexer.kind as string) !== '#-}') parser.failMissing("expected ',' or '#-}'");
  }
  lexer.next();
  return parsed;
};

const parseGroup = (parser: TokenParser, section: keyof typeof sections, group: string): ResourceEntries =>
  parseEntries(parser, (key) => {
    const { start: offset } = parser.lexer;
    const value = parseValue(parser);
    const isBlob = /^0x([\da-f]{2})*$/i.test(String(value));
    if (section === 'dialect_resources' && group === 'builtin' && !isBlob)
      parser.fail(`expected hex string blob for key '${key}'`, { offset });
    if (section === 'dialect_resources' && group === 'builtin')
      checkAlignment(parser, key, String(value), offset);
    return value;
  });

/** A blob begins with its alignment, a power of two or 0, in 4 bytes, the lowest first. */
const checkAlignment = (parser: TokenParser, key: string, blob: string, offset: number): void => {
  const message = `expected hex string blob for key '${key}' to encode alignment in first 4 bytes`;
  const bytes = blob.slice(2, 10).match(/../g) ?? [];
  if (bytes.length < 4) parser.fail(message, { offset });
  const alignment = parseInt(bytes.toReversed().join(''), 16);
  if (!Number.isInteger(Math.log2(alignment)) && alignment !== 0)
    parser.fail(`${message}, but got non-power-of-2 value: ${alignment}`, { offset });
};

/** Of the dialects here, only builtin has resources. */
const checkDialect = (parser: TokenParser, name: string, offset: number): void => {
  if (name === 'builtin') return;
  if (parser.registry.dialects.has(name)) parser.fail(`unexpected 'resource' section for dialect '${name}'`);
  if (!parser.allowUnregisteredDialects) parser.fail(`dialect '${name}' is unknown`, { offset });
};

/** `{key: …, …}`. */
const parseEntries = <T>(
  parser: TokenParser,
  value: (key: string, offset: number) => T,
): ReadonlyMap<string, T> =>
  new Map(
    parser.list('brace', () => {
      const { start: offset } = parser.lexer;
      const key = keyOf(parser, "expected identifier key for 'resource' entry");
      parser.expect(':', "expected ':'");
      return [key, value(key, offset)] as const;
    }),
  );

const keyOf = (parser: TokenParser, message: string): string => {
  const { lexer } = parser;
  if (lexer.kind === 'string') return parser.takeString();
  if (lexer.kind !== 'identifier') parser.fail(message);
  const { spelling } = lexer;
  lexer.next();
  return spelling;
};

const parseValue = (parser: TokenParser): string | boolean => {
  if (parser.acceptKeyword('true')) return true;
  if (parser.acceptKeyword('false')) return false;
  return parser.takeString();
};

/** The text after a module; of dialect resources, only those that the text before refers to. */
export const printResources = ({ dialects, external }: Resources, before: string): string => {
  const used = new Map(
    [...dialects].map(([dialect, entries]) => [
      dialect,
      new Map([...entries].filter(([key]) => before.includes(`<${key}>`))),
    ]),
  );
  const groups = { dialect_resources: used, external_resources: external };
  const parts = Object.entries(groups).flatMap(([name, section]) => {
    const filled = [...section].filter(([, entries]) => entries.size > 0);
    return filled.length === 0
      ? []
      : [`  ${name}: ${block(filled, '  ', (entries) => block([...entries], '    ', valueText))}`];
  });
  return parts.length === 0 ? '' : `\n{-#\n${parts.join(',\n')}\n#-}\n`;
};

const block = <T>(
  entries: readonly (readonly [string, T])[],
  indent: string,
  text: (value: T) => string,
): string => {
  const lines = entries.map(([key, value]) => `${indent}  ${printKeywordOrString(key)}: ${text(value)}`);
  return `{\n${lines.join(',\n')}\n${indent}}`;
};

const valueText = (value: string | boolean): string =>
  typeof value === 'string' ? quoteString(value) : String(value);
