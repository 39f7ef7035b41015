/**
 * `{-# … #-}` at the end of a text: blobs that attributes refer to by key, `dense_resource<key>`, which become bytes
 * of those attributes; and data of other dialects and of external tools, kept and printed as text.
 */
import { printKeywordOrString } from './attribute-printer.ts';
import { bytesToHex, hexToBytes } from './hexadecimal.ts';
import type { Resource } from './resource.ts';
import { quoteString } from './string-literal.ts';
import type { TokenParser } from './token-parser.ts';

export type ResourceEntries = ReadonlyMap<string, string | boolean>;

/** Entries by dialect, or by external tool. */
export type ResourceGroups = ReadonlyMap<string, ResourceEntries>;

export interface Resources {
  readonly dialects: ResourceGroups;
  readonly external: ResourceGroups;
}

/** A text without any. */
export const noResources: Resources = { dialects: new Map(), external: new Map() };

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

const parseGroup = (parser: TokenParser, section: keyof typeof sections, group: string): ResourceEntries => {
  if (section === 'external_resources' || group !== 'builtin')
    return parseEntries(parser, () => parseValue(parser));
  parseEntries(parser, (key) => {
    parseBlob(parser, key);
  });
  return new Map();
};

/** A blob begins with its alignment, a power of two or 0, in 4 bytes, the lowest first. */
const alignmentBytes = 4;

/** Gives the bytes of a blob to the attributes with this key. */
const parseBlob = (parser: TokenParser, key: string): void => {
  const { lexer } = parser;
  const { text } = parser.source;
  const offset = lexer.start;
  const fail = (rest: string): never =>
    parser.fail(`expected hex string blob for key '${key}'${rest}`, { offset });
  const start = offset + '"0x'.length;
  const end = lexer.end - '"'.length;
  const middle = Math.min(start + 2 * alignmentBytes, end);
  const isBlob = lexer.kind === 'string' && text.startsWith('"0x', offset);
  const header = isBlob ? hexToBytes(text, start, middle) : undefined;
  const bytes = isBlob ? hexToBytes(text, middle, end) : undefined;
  if (header === undefined || bytes === undefined) return fail('');
  if (header.length < alignmentBytes) return fail(' to encode alignment in first 4 bytes');
  const alignment = new DataView(header.buffer).getUint32(0, true);
  if (!Number.isInteger(Math.log2(alignment)) && alignment !== 0)
    fail(` to encode alignment in first 4 bytes, but got non-power-of-2 value: ${alignment}`);
  parser.resources.define(key, bytes, alignment);
  lexer.next();
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

/**
 * The text after a module: blobs in hexadecimal, and of the resources of other dialects those that the text before
 * refers to.
 */
export const printResources = (
  { dialects, external }: Resources,
  blobs: ReadonlyMap<string, Resource>,
  before: string,
): string => {
  const texts = [...blobs].flatMap(([key, { bytes, alignment }]) =>
    bytes === undefined ? [] : [line(key, blobText(bytes, alignment))],
  );
  const used = [...dialects].map(([dialect, entries]): Group => [
    dialect,
    [...entries].filter(([key]) => before.includes(`<${key}>`)).map(valueLine),
  ]);
  const all = [...external].map(([tool, entries]): Group => [tool, [...entries].map(valueLine)]);
  const parts = [
    ...printSection('dialect_resources', [['builtin', texts], ...used]),
    ...printSection('external_resources', all),
  ];
  return parts.length === 0 ? '' : `\n{-#\n${parts.join(',\n')}\n#-}\n`;
};

/** How many characters the blob of so many bytes has. */
export const blobLength = (bytes: number): number => '"0x"'.length + 2 * (alignmentBytes + bytes);

const blobText = (bytes: Uint8Array, alignment: number): string => {
  const header = new Uint8Array(alignmentBytes);
  new DataView(header.buffer).setUint32(0, alignment, true);
  return `"0x${bytesToHex(header)}${bytesToHex(bytes)}"`;
};

/** A dialect or tool, and its lines. */
type Group = readonly [string, readonly string[]];

/** A section as the only element of a list; none if there is nothing in it. */
const printSection = (name: keyof typeof sections, groups: readonly Group[]): readonly string[] => {
  const texts = groups
    .filter(([, lines]) => lines.length > 0)
    .map(([group, lines]) => line(group, block(lines, '    ')));
  return texts.length === 0 ? [] : [`  ${line(name, block(texts, '  '))}`];
};

const block = (lines: readonly string[], indent: string): string =>
  `{\n${lines.map((each) => `${indent}  ${each}`).join(',\n')}\n${indent}}`;

const line = (key: string, value: string): string => `${printKeywordOrString(key)}: ${value}`;

const valueLine = ([key, value]: readonly [string, string | boolean]): string =>
  line(key, typeof value === 'string' ? quoteString(value) : String(value));
