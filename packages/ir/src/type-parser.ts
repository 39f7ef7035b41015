/** Parses types. */
import { isIdentity } from '@sconv/affine';
import type { Attribute } from './attribute.ts';
import { parseAttribute } from './attribute-parser.ts';
import { checkDialect, parseDialectSymbol } from './dialect-symbol-parser.ts';
import { floatTypeNames } from './float-format.ts';
import { inexactNumberMessage } from './integer-format.ts';
import type { TokenParser } from './token-parser.ts';
import type { ComplexType, FunctionType, MemRefType, Type } from './type.ts';
import { DYNAMIC } from './dynamic.ts';
import {
  bf16,
  dialectType,
  f16,
  f32,
  f64,
  functionType,
  i1,
  i32,
  i64,
  indexType,
  integerType,
  memrefType,
  noneType,
  tensorType,
  vectorType,
} from './type.ts';

const widestInteger = 2 ** 24 - 1;

/** The most common types as shared objects, for fast comparison. */
const simpleTypes: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['index', indexType],
  ['none', noneType],
  ...[...floatTypeNames].map((name) => [name, Object.freeze({ kind: 'float', name } as const)] as const),
  ['f16', f16],
  ['bf16', bf16],
  ['f32', f32],
  ['f64', f64],
  ['i1', i1],
  ['i32', i32],
  ['i64', i64],
]);

const compositeTypes: ReadonlySet<string> = new Set(['tensor', 'memref', 'vector', 'tuple', 'complex']);

/** Whether the current token starts a type. */
export const startsType = (parser: TokenParser): boolean => {
  const { kind } = parser.lexer;
  if (kind === '(' || kind === 'exclamation') return true;
  if (kind !== 'identifier') return false;
  const word = parser.lexer.spelling;
  return simpleTypes.has(word) || compositeTypes.has(word) || integerName.test(word);
};

const integerName = /^(?:[su]?i)(\d+)$/;

/** Any type. */
export const parseType = (parser: TokenParser): Type =>
  parser.lexer.kind === '(' ? parseFunctionType(parser) : parseNonFunctionType(parser);

/** `(types) -> types`. */
export const parseFunctionType = (parser: TokenParser): FunctionType => {
  parser.enter();
  const inputs = parser.list('paren', () => parseType(parser));
  parser.expect('->', "expected '->' in function type");
  const results = parseResultTypes(parser);
  parser.leave();
  return functionType(inputs, results);
};

/** A single non-function type, or parenthesized types. */
export const parseResultTypes = (parser: TokenParser): readonly Type[] =>
  parser.lexer.kind === '(' ? parser.list('paren', () => parseType(parser)) : [parseNonFunctionType(parser)];

const parseNonFunctionType = (parser: TokenParser): Type => {
  const { lexer } = parser;
  if (lexer.kind === 'exclamation') return parseDialectType(parser);
  if (lexer.kind !== 'identifier') parser.failMissing('expected non-function type');
  const word = lexer.spelling;
  const simple = simpleTypes.get(word) ?? parseIntegerType(parser, word);
  if (simple !== undefined) {
    lexer.next();
    return simple;
  }
  if (!compositeTypes.has(word)) parser.failMissing('expected non-function type');
  const begin = lexer.start;
  lexer.next();
  parser.enter();
  parser.expect('<', `expected '<' in ${word} type`);
  const type = parseComposite(parser, word, begin);
  parser.expect('>', `expected '>' in ${word} type`);
  parser.leave();
  return type;
};

const parseIntegerType = (parser: TokenParser, word: string): Type | undefined => {
  const match = integerName.exec(word);
  if (match === null) return undefined;
  const width = Number(match[1]);
  if (width > widestInteger)
    parser.fail(`integer bitwidth is limited to ${widestInteger} bits`, { code: 'parse/type' });
  return integerType(width, word.startsWith('s') ? 'signed' : word.startsWith('u') ? 'unsigned' : 'signless');
};

/** Parses the text between `<` and `>` after the keyword `word` at offset `begin`. */
const parseComposite = (parser: TokenParser, word: string, begin: number): Type => {
  switch (word) {
    case 'tensor':
      return parseTensor(parser);
    case 'memref':
      return parseMemRef(parser, begin);
    case 'vector':
      return parseVector(parser);
    case 'complex':
      return parseComplex(parser);
    default:
      return parseTuple(parser);
  }
};

const parseDialectType = (parser: TokenParser): Type => {
  const symbol = parseDialectSymbol(parser);
  if (symbol.kind === 'dialect') {
    checkDialect(parser, symbol, `\`!"${symbol.dialect}"<"${symbol.body}">\` type`);
    return dialectType(symbol.dialect, symbol.body);
  }
  const alias = parser.typeAliases.get(symbol.name);
  if (alias === undefined)
    parser.fail(`undefined symbol alias id '${symbol.name}'`, {
      offset: parser.lexer.previousEnd,
      code: 'parse/undefined-alias',
    });
  parser.countAlias(`!${symbol.name}`);
  return alias;
};

/** An element type; fails with `message` if the container does not allow it. */
const parseElementType = (parser: TokenParser, isValid: (type: Type) => boolean, message: string): Type => {
  const offset = parser.lexer.start;
  const type = parseType(parser);
  if (!isValid(type)) parser.fail(message, { offset, code: 'parse/type' });
  return type;
};

const isScalar = (type: Type): boolean =>
  type.kind === 'integer' || type.kind === 'index' || type.kind === 'float';

const isTensorElement = (type: Type): boolean =>
  isScalar(type) || type.kind === 'complex' || type.kind === 'vector' || type.kind === 'dialect';

const isMemRefElement = (type: Type): boolean =>
  isTensorElement(type) || type.kind === 'memref' || type.kind === 'unranked-memref';

const parseTensor = (parser: TokenParser): Type => {
  const shape = parseShape(parser, 'tensor');
  const elementType = parseElementType(parser, isTensorElement, 'invalid tensor element type');
  if (shape === 'unranked') {
    if (parser.lexer.kind === ',')
      parser.fail('cannot apply encoding to unranked tensor', { code: 'parse/type' });
    return Object.freeze({ kind: 'unranked-tensor', elementType });
  }
  const encoding = parser.accept(',') ? parseAttribute(parser) : undefined;
  return tensorType(shape, elementType, encoding);
};

const parseMemRef = (parser: TokenParser, begin: number): Type => {
  const shape = parseShape(parser, 'memref');
  const elementType = parseElementType(parser, isMemRefElement, 'invalid memref element type');
  let layout: Attribute | undefined;
  let memorySpace: Attribute | undefined;
  while (parser.accept(',')) {
    const attribute = parseAttribute(parser);
    const isLayout = attribute.kind === 'affine-map' || attribute.kind === 'strided';
    if (!isLayout) {
      if (memorySpace !== undefined)
        parser.fail('multiple memory spaces specified in memref type', { code: 'parse/type' });
      memorySpace = attribute;
      continue;
    }
    if (shape === 'unranked')
      parser.fail('cannot have affine map for unranked memref type', { code: 'parse/type' });
    if (memorySpace !== undefined)
      parser.fail('expected memory space to be last in memref type', { code: 'parse/type' });
    layout = attribute;
  }
  if (memorySpace?.kind === 'integer' && memorySpace.value === 0n) memorySpace = undefined;
  if (shape === 'unranked')
    return Object.freeze({
      kind: 'unranked-memref',
      elementType,
      ...(memorySpace === undefined ? {} : { memorySpace }),
    });
  if (layout !== undefined) checkLayout(parser, layout, shape, begin);
  return memrefType(shape, elementType, isIdentityLayout(layout) ? undefined : layout, memorySpace);
};

/** Checks that a layout matches the rank of the type at offset `begin`. */
const checkLayout = (
  parser: TokenParser,
  layout: Attribute,
  shape: MemRefType['shape'],
  begin: number,
): void => {
  if (layout.kind === 'affine-map' && layout.map.numDims !== shape.length)
    parser.fail(
      `memref layout mismatch between rank and affine map: ${shape.length} != ${layout.map.numDims}`,
      { offset: begin, code: 'parse/type' },
    );
  if (layout.kind === 'strided' && layout.strides.length !== shape.length)
    parser.fail('expected the number of strides to match the rank', { offset: begin, code: 'parse/type' });
};

/** As in upstream, ignores the map's symbols. */
const isIdentityLayout = (layout: Attribute | undefined): boolean =>
  layout?.kind === 'affine-map' && isIdentity(layout.map);

const parseVector = (parser: TokenParser): Type => {
  const shape: number[] = [];
  const scalable: boolean[] = [];
  for (;;) {
    const isScalable = parser.lexer.kind === '[';
    if (!isScalable && parser.lexer.kind !== 'integer') break;
    if (isScalable) parser.lexer.next();
    const size = dimensionAtHand(parser);
    if (size === 0)
      parser.fail('vector types must have positive constant sizes but got 0', { code: 'parse/type' });
    if (isScalable) {
      parser.lexer.next();
      if (parser.lexer.kind !== ']') parser.failMissing("missing ']' closing scalable dimension");
    }
    takeWithTimes(parser);
    shape.push(size);
    scalable.push(isScalable);
  }
  const elementType = parseElementType(
    parser,
    isScalar,
    'vector elements must be int/index/float type but got',
  );
  return vectorType(shape, elementType, scalable);
};

const parseComplex = (parser: TokenParser): ComplexType =>
  Object.freeze({
    kind: 'complex',
    elementType: parseElementType(
      parser,
      (type) => type.kind === 'integer' || type.kind === 'float',
      'invalid element type for complex',
    ),
  });

const parseTuple = (parser: TokenParser): Type => {
  const elements = parser.lexer.kind === '>' ? [] : parser.commaSeparated(() => parseType(parser));
  return Object.freeze({ kind: 'tuple', elements: Object.freeze(elements) });
};

/** The sizes before the element type, each followed by `x`. */
const parseShape = (parser: TokenParser, word: string): readonly number[] | 'unranked' => {
  if (parser.lexer.kind === '*') {
    takeWithTimes(parser);
    return 'unranked';
  }
  const shape = parseDimensionList(parser);
  if (parser.lexer.kind === '>') parser.failMissing(`expected non-function type in ${word} type`);
  return shape;
};

/** `4x?x8x`: sizes that are each followed by an `x`. */
const parseDimensionList = (parser: TokenParser): readonly number[] => {
  const shape: number[] = [];
  while (parser.lexer.kind === 'integer' || parser.lexer.kind === '?') {
    shape.push(parser.lexer.kind === '?' ? DYNAMIC : dimensionAtHand(parser));
    takeWithTimes(parser);
  }
  return shape;
};

/** The size at the current token. */
const dimensionAtHand = (parser: TokenParser): number => {
  const { kind, spelling } = parser.lexer;
  if (kind !== 'integer') parser.fail('invalid dimension', { code: 'parse/number' });
  const size = isHexadecimal(parser) ? 0 : Number(spelling);
  if (!Number.isSafeInteger(size)) parser.fail(inexactNumberMessage(spelling), { code: 'parse/number' });
  return size;
};

/** `0x4` is the size 0 and an `x` followed by more, not a hexadecimal literal. */
const isHexadecimal = ({ lexer }: TokenParser): boolean =>
  lexer.kind === 'integer' && lexer.spelling.startsWith('0x');

/**
 * Consumes the current token and the following `x`. The `x` usually starts a long identifier, `x8x8xf32`, which is
 * not lexed first: that would be quadratic in the rank.
 */
const takeWithTimes = (parser: TokenParser): void => {
  const { lexer } = parser;
  const end = isHexadecimal(parser) ? lexer.start + 1 : lexer.end;
  if (parser.source.text[end] === 'x') {
    lexer.resetTo(end + 1);
    return;
  }
  lexer.next();
  if (lexer.kind !== 'identifier' || parser.source.text[lexer.start] !== 'x')
    parser.failMissing("expected 'x' in dimension list");
  lexer.resetTo(lexer.start + 1);
};
