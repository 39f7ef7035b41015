/** Parses attributes. */
import { isAffineError, parseMapPrefix, parseSetPrefix } from '@sconv/affine';
import type { Attribute, Attributes, FloatAttribute, SymbolRefAttribute } from './attribute.ts';
import {
  affineMapAttribute,
  arrayAttribute,
  booleanAttribute,
  denseArrayAttribute,
  dictionaryAttribute,
  floatAttribute,
  integerAttribute,
  integerSetAttribute,
  noAttributes,
  stridedLayoutAttribute,
  stringAttribute,
  symbolRefAttribute,
  typeAttribute,
  unitAttribute,
} from './attribute.ts';
import { printAttribute } from './attribute-printer.ts';
import { parseDense, parseSparse } from './dense-parser.ts';
import { checkDialect, parseDialectSymbol } from './dialect-symbol-parser.ts';
import { bitsOfNaN, floatFromBits, floatWidth, roundToFloat } from './float-format.ts';
import { fitInteger, isIntegerOrIndex } from './integer-format.ts';
import { parseLocationInstance } from './location-parser.ts';
import type { TokenParser } from './token-parser.ts';
import type { FloatType, Type } from './type.ts';
import { DYNAMIC } from './dynamic.ts';
import { f64, i64, isShaped, typeEquals } from './type.ts';
import { parseType, startsType } from './type-parser.ts';
import { printType } from './type-printer.ts';

const keywordAttributes: ReadonlySet<string> = new Set([
  'affine_map',
  'affine_set',
  'array',
  'dense',
  'dense_resource',
  'distinct',
  'false',
  'loc',
  'sparse',
  'strided',
  'true',
  'unit',
]);

/** Whether the current token starts an attribute. */
export const startsAttribute = (parser: TokenParser): boolean => {
  switch (parser.lexer.kind) {
    case 'symbol':
    case '-':
    case 'float':
    case 'hash':
    case 'integer':
    case '{':
    case '[':
    case 'string':
      return true;
    case 'identifier':
      return keywordAttributes.has(parser.lexer.spelling) || startsType(parser);
    default:
      return startsType(parser);
  }
};

/** Any attribute; with `type`, a literal has that type, and none may follow it. */
export const parseAttribute = (parser: TokenParser, type?: Type): Attribute => {
  switch (parser.lexer.kind) {
    case 'integer':
      return parseNumber(parser, false, type);
    case 'float':
      return parseFloat(parser, false, type);
    case '-':
      parser.lexer.next();
      return parseNumber(parser, true, type);
    case 'string':
      return parseString(parser, type);
    case 'symbol':
      return parseSymbolRef(parser);
    case 'hash':
      return parseDialectAttribute(parser, type);
    case '[': {
      parser.enter();
      const elements = parser.list('square', () => parseAttribute(parser));
      parser.leave();
      return arrayAttribute(elements);
    }
    case '{': {
      parser.enter();
      const entries = parseAttributeDictionary(parser);
      parser.leave();
      return dictionaryAttribute(entries);
    }
    case 'identifier':
      return parseKeywordAttribute(parser, type) ?? typeAttribute(parseType(parser));
    default:
      if (!startsType(parser)) parser.failMissing('expected attribute value');
      return typeAttribute(parseType(parser));
  }
};

/** `{name = value, …}` or nothing. */
export const parseOptionalAttributeDictionary = (parser: TokenParser): Attributes =>
  parser.lexer.kind === '{' ? parseAttributeDictionary(parser) : noAttributes;

/** `{name = value, unit, …}`. */
export const parseAttributeDictionary = (parser: TokenParser): Attributes => {
  const entries = new Map<string, Attribute>();
  parser.list(
    'brace',
    () => {
      const { lexer } = parser;
      const offset = lexer.start;
      if (lexer.kind !== 'string' && lexer.kind !== 'identifier')
        parser.failMissing('expected attribute name');
      const name = lexer.kind === 'string' ? parser.takeString() : parser.take();
      if (name === '') parser.fail('expected valid attribute name', { offset });
      if (entries.has(name))
        parser.fail(`duplicate key '${name}' in dictionary attribute`, {
          offset,
          code: 'parse/redefinition',
        });
      entries.set(name, parser.accept('=') ? parseAttribute(parser) : unitAttribute);
    },
    ' in attribute dictionary',
  );
  return attributesFrom(entries);
};

/** The entries as a frozen record. */
export const attributesFrom = (entries: Iterable<readonly [string, Attribute]>): Attributes =>
  Object.freeze(Object.fromEntries(entries));

const parseKeywordAttribute = (parser: TokenParser, type: Type | undefined): Attribute | undefined => {
  const word = parser.lexer.spelling;
  if (!keywordAttributes.has(word)) return undefined;
  const begin = parser.lexer.start;
  parser.lexer.next();
  parser.enter();
  const attribute = parseAfterKeyword(parser, word, begin, type);
  parser.leave();
  return attribute;
};

/** Parses what follows the keyword `word` at offset `begin`. */
const parseAfterKeyword = (
  parser: TokenParser,
  word: string,
  begin: number,
  type: Type | undefined,
): Attribute => {
  switch (word) {
    case 'true':
      return booleanAttribute(true);
    case 'false':
      return booleanAttribute(false);
    case 'unit':
      return unitAttribute;
    case 'affine_map':
      return affineMapAttribute(
        parseAffine(parser, word, (text, offset) => {
          const { map, end } = parseMapPrefix(text, offset);
          return { value: map, end };
        }),
      );
    case 'affine_set':
      return integerSetAttribute(
        parseAffine(parser, word, (text, offset) => {
          const { set, end } = parseSetPrefix(text, offset);
          return { value: set, end };
        }),
      );
    case 'array':
      return parseDenseArray(parser);
    case 'dense':
      return parseDense(parser, type);
    case 'sparse':
      return parseSparse(parser, type);
    case 'dense_resource':
      return parseDenseResource(parser, type);
    case 'distinct':
      return parseDistinct(parser);
    case 'strided':
      return parseStrided(parser, begin);
    default: {
      parser.expect('(', "expected '(' in location attribute");
      const location = parseLocationInstance(parser);
      parser.expect(')', "expected ')' in location");
      return Object.freeze({ kind: 'location', location });
    }
  }
};

/** Lets the affine package parse the text between `<` and `>`. */
const parseAffine = <T>(
  parser: TokenParser,
  word: string,
  parse: (text: string, offset: number) => { readonly value: T; readonly end: number },
): T => {
  if (parser.lexer.kind !== '<') parser.failMissing(`expected '<' in ${word.replace('_', ' ')}`);
  const value = embeddedAffine(parser, parser.lexer.end, parse);
  parser.expect('>', `expected '>' in ${word.replace('_', ' ')}`);
  return value;
};

/** Runs `parse` at `offset` and continues after it. Converts errors of the affine package to ours. */
export const embeddedAffine = <T>(
  parser: TokenParser,
  offset: number,
  parse: (text: string, offset: number) => { readonly value: T; readonly end: number },
): T => {
  try {
    const { value, end } = parse(parser.source.text, offset);
    parser.lexer.resetTo(end);
    return value;
  } catch (error) {
    if (!isAffineError(error)) throw error;
    return parser.fail(error.message, { offset: error.offset ?? offset, code: error.code });
  }
};

/** An integer or float literal whose sign has been consumed. */
const parseNumber = (parser: TokenParser, isNegative: boolean, given: Type | undefined): Attribute => {
  const { lexer } = parser;
  if (lexer.kind === 'float') return parseFloat(parser, isNegative, given);
  if (lexer.kind !== 'integer') parser.fail('expected constant integer or floating point value');
  const offset = lexer.start;
  const isHexadecimal = lexer.spelling.startsWith('0x');
  const magnitude = parser.takeInteger();
  const type = given ?? (parser.accept(':') ? parseType(parser) : i64);
  if (type.kind === 'float') {
    if (!isHexadecimal)
      parser.fail('unexpected decimal integer literal for a floating point value', {
        offset,
        notes: [
          {
            message: 'add a trailing dot to make the literal a float',
            location: parser.source.locationAt(offset),
          },
        ],
      });
    return floatFromPattern(parser, magnitude, isNegative, type, offset);
  }
  if (!isIntegerOrIndex(type))
    parser.fail('integer literal not valid for specified type', { offset, code: 'parse/number' });
  if (isNegative && type.kind === 'integer' && type.signedness === 'unsigned')
    parser.fail('negative integer literal not valid for unsigned integer type', {
      offset,
      code: 'parse/number',
    });
  const value = fitInteger(type, magnitude, isNegative);
  if (value === undefined)
    parser.fail('integer constant out of range for attribute', { offset, code: 'parse/number' });
  return integerAttribute(value, type);
};

const floatFromPattern = (
  parser: TokenParser,
  bits: bigint,
  isNegative: boolean,
  type: FloatType,
  offset: number,
): FloatAttribute => {
  if (isNegative)
    parser.fail('hexadecimal float literal should not have a leading minus', {
      offset,
      code: 'parse/number',
    });
  if (bits >> BigInt(floatWidth(type.name)) !== 0n)
    parser.fail('hexadecimal float constant out of range for type', { offset, code: 'parse/number' });
  return floatAttribute(floatFromBits(bits, type.name), type, bitsOfNaN(bits, type.name));
};

const parseFloat = (parser: TokenParser, isNegative: boolean, given: Type | undefined): FloatAttribute => {
  const offset = parser.lexer.start;
  const magnitude = Number(parser.take());
  const type = given ?? (parser.accept(':') ? parseType(parser) : f64);
  if (type.kind !== 'float')
    parser.fail('floating point value not valid for specified type', { offset, code: 'parse/number' });
  return Object.freeze({
    kind: 'float',
    value: roundToFloat(isNegative ? -magnitude : magnitude, type.name),
    type,
  });
};

const parseString = (parser: TokenParser, given: Type | undefined): Attribute => {
  const value = parser.takeString();
  const type = given ?? (parser.accept(':') ? parseType(parser) : undefined);
  return type === undefined || type.kind === 'none'
    ? stringAttribute(value)
    : Object.freeze({ kind: 'string', value, type });
};

/** `@root::@nested…` */
const parseSymbolRef = (parser: TokenParser): SymbolRefAttribute => {
  const root = parser.takeSymbol();
  const nested: string[] = [];
  while (parser.accept('::')) {
    if (parser.lexer.kind !== 'symbol') parser.failMissing('expected nested symbol reference identifier');
    nested.push(parser.takeSymbol());
  }
  return symbolRefAttribute(root, nested);
};

const parseDialectAttribute = (parser: TokenParser, given: Type | undefined): Attribute => {
  const symbol = parseDialectSymbol(parser);
  if (symbol.kind === 'alias') {
    const alias = parser.attributeAliases.get(symbol.name);
    if (alias === undefined)
      parser.fail(`undefined symbol alias id '${symbol.name}'`, {
        offset: parser.lexer.previousEnd,
        code: 'parse/undefined-alias',
      });
    parser.countAlias(`#${symbol.name}`);
    return alias;
  }
  const type = parser.accept(':') ? parseType(parser) : given;
  checkDialect(parser, symbol, `#"${symbol.dialect}"<"${symbol.body}"> : 'none' attribute`);
  return Object.freeze({
    kind: 'dialect',
    dialect: symbol.dialect,
    body: parser.registry.dialects.get(symbol.dialect)?.attributeBody?.(symbol.body) ?? symbol.body,
    ...(type === undefined ? {} : { type }),
  });
};

/** `array<i64: 1, 2>`. */
const parseDenseArray = (parser: TokenParser): Attribute => {
  parser.expect('<', "expected '<' after 'array'");
  const offset = parser.lexer.start;
  const type = parseType(parser);
  if (type.kind !== 'integer' && type.kind !== 'float')
    parser.fail(`expected integer or float type, got: '${printType(type)}'`, { offset, code: 'parse/type' });
  if (type.kind === 'integer' && type.width !== 1 && type.width % 8 !== 0)
    parser.fail('element type bitwidth must be a multiple of 8', { offset, code: 'parse/type' });
  const values = parser.accept(':') ? parser.commaSeparated(() => parseDenseArrayElement(parser, type)) : [];
  parser.expect('>', "expected '>' to close an array attribute");
  return denseArrayAttribute(values, type);
};

/** One element of an array of `type`. */
const parseDenseArrayElement = (parser: TokenParser, type: Type): number | bigint => {
  const offset = parser.lexer.start;
  const attribute = parseAttribute(parser, type);
  if (attribute.kind === 'float') return attribute.value;
  if (attribute.kind !== 'integer')
    parser.fail('expected an element of the array', { offset, code: 'parse/number' });
  // `true` and `false` have type i1, whatever type is expected.
  if (!typeEquals(attribute.type, type))
    parser.fail("expected i1 type for 'true' or 'false' values", { offset, code: 'parse/number' });
  return attribute.value;
};

/** `dense_resource<key> : type`, whose bytes follow the module. */
const parseDenseResource = (parser: TokenParser, given: Type | undefined): Attribute => {
  parser.expect('<', "expected '<' after 'dense_resource'");
  if (parser.lexer.kind !== 'identifier') parser.failMissing("expected identifier key for 'resource' entry");
  const key = parser.take();
  parser.expect('>', "expected '>'");
  if (given === undefined) parser.expect(':', "expected ':'");
  const offset = parser.lexer.start;
  const type = given ?? parseType(parser);
  if (!isShaped(type) && type.kind !== 'unranked-tensor' && type.kind !== 'unranked-memref')
    parser.fail('`dense_resource` expected a shaped type', { offset, code: 'parse/type' });
  return Object.freeze({ kind: 'dense-resource', type, resource: parser.resources.get(key) });
};

const parseDistinct = (parser: TokenParser): Attribute => {
  parser.expect('[', "expected '[' after 'distinct'");
  const id = parser.smallInteger('expected distinct ID');
  parser.expect(']', "expected ']' to close distinct ID");
  parser.expect('<', "expected '<' after distinct ID");
  const inner = parser.lexer.kind === '>' ? '' : printAttribute(parseAttribute(parser));
  parser.expect('>', "expected '>' to close distinct attribute");
  // As upstream prints it, which gives this one no alias either.
  return opaque(`distinct[${id}]<${inner === 'unit' ? '' : inner}>`);
};

const opaque = (text: string): Attribute => Object.freeze({ kind: 'opaque', text });

/** `: type`. */
export const parseColonType = (parser: TokenParser): Type => {
  parser.expect(':', "expected ':'");
  return parseType(parser);
};

/** `strided<[strides], offset: n>`, whose keyword has been consumed. */
const parseStrided = (parser: TokenParser, begin: number): Attribute => {
  parser.expect('<', "expected '<' after 'strided'");
  const strides = parser.list('square', () => parseStride(parser));
  let offset = 0;
  if (parser.accept(',')) {
    if (!parser.acceptKeyword('offset')) parser.failMissing("expected 'offset' after comma");
    parser.expect(':', "expected ':' after 'offset'");
    offset = parseStride(parser);
  }
  parser.expect('>', "expected '>'");
  if (strides.includes(0)) parser.fail('strides must not be zero', { offset: begin, code: 'parse/type' });
  return stridedLayoutAttribute(offset, strides);
};

const parseStride = (parser: TokenParser): number => {
  if (parser.accept('?')) return DYNAMIC;
  const isNegative = parser.accept('-');
  const value = parser.exactInteger("expected a 64-bit signed integer or '?'");
  return isNegative ? -value : value;
};
