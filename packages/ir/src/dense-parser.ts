/** Parses elements attributes: `dense<…>` and `sparse<…>`. */
import type { Attribute, DenseElementsAttribute } from './attribute.ts';
import { denseElementsAttribute } from './attribute.ts';
import { printAttribute, printNestedList } from './attribute-printer.ts';
import { decodeElements } from './element-bytes.ts';
import { bitsOfNaN, floatFromBits, floatWidth, roundToFloat } from './float-format.ts';
import { fitInteger, isIntegerOrIndex } from './integer-format.ts';
import { unescapeString } from './string-literal.ts';
import type { TokenParser } from './token-parser.ts';
import type { ComplexType, TensorType, Type, VectorType } from './type.ts';
import { elementCount, i64, tensorType } from './type.ts';
import { printType } from './type-printer.ts';
import { parseType } from './type-parser.ts';

type ElementsType = TensorType | VectorType;
type Element = number | bigint | string;
/** The bit pattern of each element that cannot represent it. */
type Bits = readonly (bigint | undefined)[];

/** The literal between `<` and `>`, before its type is known. */
interface TensorLiteral {
  /** Where the literal starts. */
  readonly offset: number;
  /** Number literals with their signs, `true`, `false`, and strings with their quotes. */
  readonly words: readonly string[];
  /** The lengths of the nested lists. */
  readonly shape: readonly number[];
  /** Whether the words are pairs: the parts of complex numbers. */
  readonly isComplex: boolean;
}

/** Parses what follows `dense`. */
export const parseDense = (parser: TokenParser, given: Type | undefined): DenseElementsAttribute => {
  parser.expect('<', "expected '<' after 'dense'");
  const literal = parseTensorLiteral(parser);
  parser.expect('>', "expected '>'");
  return denseOf(parser, literal, parseElementsType(parser, given));
};

/** Parses what follows `sparse`: indices and values, kept as text. */
export const parseSparse = (parser: TokenParser, given: Type | undefined): Attribute => {
  const { start: offset } = parser.lexer;
  parser.expect('<', "expected '<' after 'sparse'");
  if (parser.accept('>')) {
    const type = parseElementsType(parser, given);
    return Object.freeze({ kind: 'opaque', text: `sparse<> : ${printType(type)}`, type });
  }
  const indices = parseTensorLiteral(parser);
  parser.expect(',', "expected ','");
  const values = parseTensorLiteral(parser);
  parser.expect('>', "expected '>'");
  const type = parseElementsType(parser, given);
  const count = indices.shape.length === 2 ? indices.shape[0]! : 1;
  const indicesType = tensorType(indices.shape.length === 0 ? [1, type.shape.length] : indices.shape, i64);
  const valuesType = tensorType([values.shape.length === 0 ? count : values.shape[0]!], type.elementType);
  const problem = sparseProblem(indices, indicesType.shape, values.shape.length, valuesType.shape[0]!, type);
  if (problem !== undefined) parser.fail(problem, { offset, code: 'parse/number' });
  const inner = (literal: TensorLiteral, elementsType: ElementsType) =>
    printAttribute(denseOf(parser, literal, elementsType), { elideType: true }).slice('dense<'.length, -1);
  const text = `sparse<${inner(indices, indicesType)}, ${inner(values, valuesType)}> : ${printType(type)}`;
  return Object.freeze({ kind: 'opaque', text, type });
};

/** What is wrong with the shapes and indices of a sparse literal. */
const sparseProblem = (
  { words }: TensorLiteral,
  shape: readonly number[],
  valuesRank: number,
  valueCount: number,
  type: ElementsType,
): string | undefined => {
  if (valuesRank > 1) return 'expected 1-d tensor for sparse element values';
  const rank = type.shape.length;
  const fits = shape.length === 2 ? shape[1] === rank : shape.length === 1 && rank === 1;
  if (!fits || shape[0] !== valueCount)
    return (
      `expected shape (${shapeText(type.shape)}); inferred shape of indices literal ` +
      `(${shapeText(shape)}); inferred shape of values literal ([${valueCount}])`
    );
  for (let i = 0; i < valueCount; i++) {
    // A single number stands for all.
    const index = type.shape.map((_, at) => (words.length === 1 ? words[0]! : words[i * rank + at]!));
    if (index.every((word, at) => word === 'false' || (/^\w+$/.test(word) && Number(word) < type.shape[at]!)))
      continue;
    return (
      `sparse index #${i} is not contained within the value shape, with index=[${index.join(', ')}], ` +
      `and type='${printType(type)}'`
    );
  }
  return undefined;
};

/** `: type`, unless given. */
const parseElementsType = (parser: TokenParser, given: Type | undefined): ElementsType => {
  if (given === undefined) parser.expect(':', "expected ':'");
  const offset = parser.lexer.start;
  const type = given ?? parseType(parser);
  if (type.kind !== 'tensor' && type.kind !== 'vector')
    parser.fail('elements literal must be a shaped type', { offset, code: 'parse/type' });
  if (!type.shape.every((size) => size >= 0))
    parser.fail('elements literal type must have static shape', { offset, code: 'parse/type' });
  return type;
};

const parseTensorLiteral = (parser: TokenParser): TensorLiteral => {
  const offset = parser.lexer.start;
  const words: string[] = [];
  if (parser.lexer.kind === '>') return { offset, words, shape: [0], isComplex: false };
  let isComplex = false;
  const parseElement = (): void => {
    if (parser.accept('(')) {
      isComplex = true;
      words.push(parseWord(parser));
      parser.expect(',', "expected ',' between complex elements");
      words.push(parseWord(parser));
      parser.expect(')', "expected ')' after complex elements");
    } else {
      words.push(parseWord(parser));
    }
  };
  const parseNested = (): readonly number[] => {
    if (parser.lexer.kind !== '[') {
      parseElement();
      return [];
    }
    parser.enter();
    const shapes = parser.list('square', parseNested);
    parser.leave();
    const [first] = shapes;
    if (first === undefined) return [0];
    if (shapes.some((shape) => shape.length !== first.length || shape.some((size, i) => size !== first[i])))
      parser.fail('tensor literal is invalid; ranks are not consistent between elements', {
        code: 'parse/number',
      });
    return [shapes.length, ...first];
  };
  const shape = parseNested();
  return { offset, words, shape, isComplex };
};

const parseWord = (parser: TokenParser): string => {
  const { lexer } = parser;
  if (parser.isKeyword('true') || parser.isKeyword('false')) return parser.take();
  if (lexer.kind === 'integer' || lexer.kind === 'float' || lexer.kind === 'string') return parser.take();
  if (lexer.kind !== '-') parser.fail('expected element literal of primitive type', { code: 'parse/number' });
  lexer.next();
  if (!(['integer', 'float'] as readonly string[]).includes(lexer.kind))
    parser.fail('expected integer or floating point literal', { code: 'parse/number' });
  return `-${parser.take()}`;
};

const denseOf = (parser: TokenParser, literal: TensorLiteral, type: ElementsType): DenseElementsAttribute => {
  const fail = (message: string): never =>
    parser.fail(message, { offset: literal.offset, code: 'parse/number' });
  const { elementType, shape } = type;
  const isBlob =
    literal.shape.length === 0 &&
    literal.words[0]?.startsWith('"') === true &&
    elementType.kind !== 'dialect';
  if (isBlob) {
    if (!/^"0x[0-9A-Fa-f]*"$/.test(literal.words[0]!))
      return fail('expected string containing hex digits starting with `0x`');
    const decoded = decodeElements(literal.words[0]!.slice(3, -1), type);
    return decoded === undefined
      ? fail(`elements hex data size is invalid for provided type: ${printType(type)}`)
      : elements(decoded.values, decoded.bits, type);
  }
  const isSplat = literal.shape.length === 0;
  if (!isSplat && !sameShape(literal.shape, shape))
    fail(
      `inferred shape of elements literal (${shapeText(literal.shape)}) does not match type (${shapeText(shape)})`,
    );
  if (literal.isComplex !== (elementType.kind === 'complex') && literal.words.length > 0)
    fail(literal.isComplex ? 'expected element type to be complex' : 'expected complex elements');
  const scalar = elementType.kind === 'complex' ? elementType.elementType : elementType;
  const values = literal.words.map((word) => elementOf(word, scalar, fail));
  const bits = literal.words.map((word) =>
    scalar.kind === 'float' && word.startsWith('0x') ? bitsOfNaN(BigInt(word), scalar.name) : undefined,
  );
  return elements(values, bits, type);
};

/** `dense<>` and lists that contain an empty one have no elements. */
const sameShape = (literal: readonly number[], shape: readonly number[]): boolean =>
  literal.length === 1 && literal[0] === 0
    ? elementCount(shape) === 0
    : literal.length === shape.length && literal.every((size, i) => size === shape[i]);

const shapeText = (shape: readonly number[]): string => `[${shape.join(', ')}]`;

const elementOf = (word: string, type: Type, fail: (message: string) => never): Element => {
  if (type.kind === 'float') return floatElement(word, type.name, fail);
  if (word.startsWith('"')) {
    return type.kind === 'dialect'
      ? unescapeString(word.slice(1, -1))
      : fail('expected element type to be a string type');
  }
  if (!isIntegerOrIndex(type))
    return fail(`expected element type ${printType(type)} to be integer, index or floating point`);
  if (word === 'true' || word === 'false') {
    if (type.kind !== 'integer' || type.width !== 1) fail("expected i1 type for 'true' or 'false' values");
    return word === 'true' ? 1n : 0n;
  }
  if (word.includes('.')) fail('expected integer elements, but parsed floating-point');
  const isNegative = word.startsWith('-');
  if (isNegative && type.kind === 'integer' && type.signedness === 'unsigned')
    fail('expected unsigned integer elements, but parsed negative value');
  const value = fitInteger(type, BigInt(isNegative ? word.slice(1) : word), isNegative);
  return value ?? fail('integer constant out of range for type');
};

const floatElement = (word: string, name: string, fail: (message: string) => never): number => {
  if (word.startsWith('"') || word === 'true' || word === 'false')
    return fail('expected floating-point elements, but parsed something else');
  if (word.includes('.')) return roundToFloat(Number(word), name);
  if (word.startsWith('-0x')) return fail('hexadecimal float literal should not have a leading minus');
  if (!word.startsWith('0x')) return fail('expected floating-point elements, but parsed integer');
  const bits = BigInt(word);
  if (bits >> BigInt(floatWidth(name)) !== 0n) fail('hexadecimal float constant out of range for type');
  return floatFromBits(bits, name);
};

/** A single value if all elements are equal. Complex elements are kept as text. */
const elements = (values: readonly Element[], bits: Bits, type: ElementsType): DenseElementsAttribute => {
  if (type.elementType.kind === 'complex') return complexElements(values, bits, type, type.elementType);
  const isSplat =
    values.length > 0 && values.every((value, i) => Object.is(value, values[0]) && bits[i] === bits[0]);
  return denseElementsAttribute(isSplat ? values.slice(0, 1) : values, type, bits);
};

const complexElements = (
  parts: readonly Element[],
  bits: Bits,
  type: ElementsType,
  { elementType }: ComplexType,
): DenseElementsAttribute => {
  const scalars = parts.map((part, i) =>
    printAttribute(denseElementsAttribute([part], tensorType([], elementType), [bits[i]]), {
      elideType: true,
    }).slice(6, -1),
  );
  const pairs = scalars.flatMap((part, i) => (i % 2 === 0 ? [`(${part},${scalars[i + 1] ?? ''})`] : []));
  const isSplat = pairs.every((pair) => pair === pairs[0]);
  const text = isSplat ? (pairs[0] ?? '') : printNestedList(pairs, type.shape);
  return Object.freeze({ kind: 'dense-elements', type, values: Object.freeze([]), text });
};
