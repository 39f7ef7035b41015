/** Extraction, insertion and replication of vector elements and sub-vectors. */
import type { Attribute, Folder, Type, Value, VectorType } from '@sconv/ir';
import {
  allTypesMatch,
  anyType,
  defineOp,
  DYNAMIC,
  i64ArrayAttribute,
  index,
  integerOf,
  one,
  optional,
  typeEquals,
  typesMatchWith,
  variadic,
} from '@sconv/ir';
import { denseConstant, elementOf, numberAt, uniformConstant } from './arith-fold.ts';
import { elementTypeErrors, elementTypeOf, scalar, signlessIntegerOrIndex } from './constraints.ts';
import { dynamicIndexList, numbersOf } from './mixed-indices.ts';
import { atElement, atPosition } from './speculatable-models.ts';
import { typeText } from './type-text.ts';
import { integersAttribute } from './vector-attributes.ts';
import { foldExtract, integersOf } from './vector-extract-fold.ts';
import { fixedVector, reshaped, trailing, vectorOfAnyRank } from './vector-types.ts';

const directives = { DynamicIndexList: dynamicIndexList };

/** Folds an operation to its operand if the types are equal. */
export const foldToOperand: Folder = ({ operands: [operand], results: [result] }) =>
  operand !== undefined && result !== undefined && typeEquals(operand.type, result.type)
    ? [operand]
    : undefined;

/** Folds an operation whose result is a splat of its operand, if that is constant. */
export const foldUniform: Folder = ({ results: [result] }, [element]) => {
  const value = elementOf(element);
  const folded =
    value === undefined || result === undefined ? undefined : uniformConstant(value, result.type);
  return folded === undefined ? undefined : [folded];
};

const sizeText = (type: VectorType, i: number): string =>
  type.scalable[i] === true ? `[${type.shape[i]}]` : `${type.shape[i]}`;

/** Whether dimension `i` of `source` broadcasts to dimension `at` of `result`: a unit dimension to any size. */
const stretches = (source: VectorType, i: number, result: VectorType, at: number): boolean => {
  const [from, to] = [source.shape[i], result.shape[at]];
  const [fromScales, toScales] = [source.scalable[i] === true, result.scalable[at] === true];
  if (from !== 1 && from !== to) return false;
  if (from === 1 && fromScales && to !== 1) return false;
  return fromScales === toScales || (from === 1 && !fromScales);
};

/** `vector.broadcast %x : f32 to vector<4xf32>`. */
export const broadcast = defineOp({
  name: 'vector.broadcast',
  summary: 'a value repeated along leading dimensions and those of size 1',
  operands: { source: one(anyType) },
  results: { vector: one(vectorOfAnyRank) },
  traits: ['pure'],
  assembly: { format: '$source attr-dict `:` type($source) `to` type($vector)' },
  *verify({ operands: { source }, results: { vector } }) {
    const [from, to] = [source.type, vector.type];
    const errors = [...elementTypeErrors('source operand and result', [from, to])];
    yield* errors;
    if (errors.length > 0) return;
    if (from.kind !== 'vector') {
      if (!scalar.test(from)) yield 'source type is not a vector';
      return;
    }
    const lead = to.shape.length - from.shape.length;
    const wrong = from.shape.findIndex((_, i) => !stretches(from, i, to, lead + i));
    if (lead < 0) yield 'source rank higher than destination rank';
    else if (wrong >= 0)
      yield `dimension mismatch (${sizeText(from, wrong)} vs. ${sizeText(to, lead + wrong)})`;
  },
  fold: (operation, constants, definitionOf) =>
    foldToOperand(operation, constants, definitionOf) ?? foldUniform(operation, constants, definitionOf),
});

/** `vector.splat %x : vector<4xf32>`. */
export const splat = defineOp({
  name: 'vector.splat',
  summary: 'a vector of one scalar',
  operands: { input: one(scalar) },
  results: { aggregate: one(vectorOfAnyRank) },
  traits: ['pure'],
  typeRelations: [
    typesMatchWith('operand type matches element type of result', 'aggregate', 'input', elementTypeOf),
  ],
  assembly: { format: '$input attr-dict `:` type($aggregate)' },
  fold: foldUniform,
});

/** `vector.from_elements %a, %b : vector<2xf32>`. */
export const fromElements = defineOp({
  name: 'vector.from_elements',
  summary: 'a vector of given elements, in row-major order',
  operands: { elements: variadic(anyType) },
  results: { result: one(vectorOfAnyRank) },
  traits: ['pure'],
  typeRelations: [
    typesMatchWith('operand types match result element type', 'result', 'elements', elementTypeOf),
  ],
  assembly: { format: '$elements attr-dict `:` type($result)' },
  *verify({ operands: { elements }, results: { result } }) {
    if (elements.length !== result.type.shape.reduce((product, size) => product * size, 1))
      yield 'failed to verify that operand types match result element type';
  },
});

/** Errors of an element position in a vector of rank 0 or 1. */
function* positionErrors(type: VectorType, position: Value | undefined): Generator<string> {
  const { length: rank } = type.shape;
  if (rank === 0) {
    if (position !== undefined) yield 'expected position to be empty with 0-D vector';
  } else if (rank !== 1) yield 'unexpected >1 vector rank';
  else if (position === undefined) yield 'expected position for 1-D vector';
}

/** `vector.extractelement %v[%i : index] : vector<4xf32>`. */
export const extractelement = defineOp({
  name: 'vector.extractelement',
  interfaces: [atElement(0, 1)],
  summary: 'an element of a vector of at most one dimension',
  operands: { vector: one(vectorOfAnyRank), position: optional(signlessIntegerOrIndex) },
  results: { result: one(anyType) },
  traits: ['pure'],
  typeRelations: [
    typesMatchWith('result type matches element type of vector operand', 'vector', 'result', elementTypeOf),
  ],
  assembly: {
    format: '$vector `[` ($position^ `:` type($position))? `]` attr-dict `:` type($vector)',
  },
  verify: ({ operands: { vector, position } }) => positionErrors(vector.type, position),
  fold: ({ operands: [vector, position], results: [result] }, constants, definitionOf) => {
    const source = vector === undefined ? undefined : definitionOf(vector);
    const [input] = source?.operands ?? [];
    if (vector === undefined || position === undefined || result === undefined) return undefined;
    if (
      (source?.name === 'vector.splat' || source?.name === 'vector.broadcast') &&
      input?.type.kind !== 'vector'
    )
      return input === undefined ? undefined : [input];
    const at = integerOf(constants[1]);
    const [elements] = constants;
    if (at === undefined || elements?.kind !== 'dense-elements') return undefined;
    const isOutside = at < 0 || at >= (vector.type as VectorType).shape[0]!;
    const folded = isOutside ? undefined : numberAt(elements, at, result.type);
    return folded && [folded];
  },
});

/** `vector.insertelement %x, %v[%i : index] : vector<4xf32>`. */
export const insertelement = defineOp({
  name: 'vector.insertelement',
  interfaces: [atElement(1, 2)],
  summary: 'a vector of at most one dimension with an element replaced',
  operands: {
    source: one(anyType),
    dest: one(vectorOfAnyRank),
    position: optional(signlessIntegerOrIndex),
  },
  results: { result: one(vectorOfAnyRank) },
  traits: ['pure'],
  typeRelations: [
    typesMatchWith('source operand type matches element type of result', 'result', 'source', elementTypeOf),
    allTypesMatch('dest', 'result'),
  ],
  assembly: {
    format: '$source `,` $dest `[` ($position^ `:` type($position))? `]` attr-dict `:` type($result)',
  },
  verify: ({ operands: { dest, position } }) => positionErrors(dest.type, position),
});

const positionLists = {
  attributes: { staticPosition: i64ArrayAttribute },
  traits: ['pure'],
} as const;

/** Errors of positions in a vector, which upstream calls `name`. */
function* outsideErrors(type: VectorType, positions: readonly number[], name: string): Generator<string> {
  const outside = positions.findIndex(
    (position, i) => position !== DYNAMIC && (position < 0 || position >= (type.shape[i] ?? 0)),
  );
  if (outside >= 0)
    yield (
      `expected position attribute #${outside + 1} to be a non-negative integer smaller than the ` +
      `corresponding ${name} dimension`
    );
}

function* markerErrors(positions: readonly number[], dynamic: readonly Value[]): Generator<string> {
  if (positions.filter((position) => position === DYNAMIC).length !== dynamic.length)
    yield (
      'mismatch between dynamic and static positions (kDynamic marker but no corresponding dynamic ' +
      'position) -- this can only happen due to an incorrect fold/rewrite'
    );
}

/** Whether one type is the element type of the other, a one-element vector. */
const isOneElement = (a: Type, b: Type): boolean =>
  a.kind === 'vector' && a.shape.length === 1 && a.shape[0] === 1 && typeEquals(a.elementType, b);

/** `vector.extract %v[0, %i] : vector<8xf32> from vector<2x4x8xf32>`. */
export const extract = defineOp({
  ...positionLists,
  name: 'vector.extract',
  interfaces: [atPosition(1)],
  summary: 'an element of a vector, or all of a position in its leading dimensions',
  operands: { vector: one(vectorOfAnyRank), dynamicPosition: variadic(index) },
  results: { result: one(anyType) },
  assembly: {
    format:
      '$vector `` custom<DynamicIndexList>($dynamicPosition, $static_position) attr-dict `:` ' +
      'type($result) `from` type($vector)',
    directives,
  },
  inferResultTypes: ([vector], { static_position: position }) =>
    vector?.type.kind === 'vector' && position?.kind === 'dense-array'
      ? [trailing(vector.type, position.values.length)]
      : undefined,
  *verify({
    operands: { vector, dynamicPosition },
    results: { result },
    attributes: { staticPosition: position },
  }) {
    const errors = [
      ...elementTypeErrors('operand and result', [vector.type, result.type]),
      ...markerErrors(position, dynamicPosition),
    ];
    const inferred = trailing(vector.type, position.length);
    const fits =
      typeEquals(inferred, result.type) ||
      isOneElement(inferred, result.type) ||
      isOneElement(result.type, inferred);
    if (errors.length > 0) yield* errors.slice(0, 1);
    else if (!fits)
      yield (
        `inferred type(s) '${typeText(inferred)}' are incompatible with return type(s) of operation ` +
        `'${typeText(result.type)}'`
      );
    else if (position.length > vector.type.shape.length)
      yield 'expected position attribute of rank no greater than vector rank';
    else yield* outsideErrors(vector.type, position, 'vector');
  },
  fold: foldExtract,
});

/** `vector.insert %row, %v[0, %i] : vector<8xf32> into vector<2x4x8xf32>`. */
export const insert = defineOp({
  ...positionLists,
  name: 'vector.insert',
  interfaces: [atPosition(2)],
  summary: 'a vector with all of a position in its leading dimensions replaced',
  operands: { source: one(anyType), dest: one(vectorOfAnyRank), dynamicPosition: variadic(index) },
  results: { result: one(vectorOfAnyRank) },
  typeRelations: [allTypesMatch('dest', 'result')],
  assembly: {
    format:
      '$source `,` $dest custom<DynamicIndexList>($dynamicPosition, $static_position) attr-dict `:` ' +
      'type($source) `into` type($dest)',
    directives,
  },
  *verify({ operands: { source, dest, dynamicPosition }, attributes: { staticPosition: position } }) {
    const errors = [
      ...elementTypeErrors('source operand and result', [source.type, dest.type]),
      ...markerErrors(position, dynamicPosition),
    ];
    const { length: rank } = dest.type.shape;
    if (errors.length > 0) yield* errors.slice(0, 1);
    else if (position.length > rank)
      yield 'expected position attribute of rank no greater than dest vector rank';
    else if (source.type.kind !== 'vector' && position.length !== rank)
      yield 'expected position attribute rank to match the dest vector rank';
    else if (source.type.kind === 'vector' && source.type.shape.length + position.length !== rank)
      yield 'expected position attribute rank + source rank to match dest vector rank';
    else yield* outsideErrors(dest.type, position, 'dest vector');
  },
  fold: (operation, constants, definitionOf) =>
    numbersOf(operation.attributes['static_position']).length === 0
      ? foldToOperand(operation, constants, definitionOf)
      : undefined,
});

/** The number of rows that a vector contributes to a shuffle; a rank-0 vector is one row. */
const rows = ({ shape }: VectorType): number => shape[0] ?? 1;

const shuffledType = (first: VectorType, count: number): VectorType =>
  reshaped(first, [count, ...first.shape.slice(1)]);

/** `vector.shuffle %a, %b [0, 5, 1] : vector<4xf32>, vector<2xf32>`. */
export const shuffle = defineOp({
  name: 'vector.shuffle',
  summary: 'rows of two vectors in a given order',
  operands: { v1: one(fixedVector), v2: one(fixedVector) },
  results: { vector: one(vectorOfAnyRank) },
  attributes: { mask: integersAttribute },
  traits: ['pure'],
  assembly: { format: 'operands $mask attr-dict `:` type(operands)' },
  inferResultTypes: ([first], { mask }) =>
    first?.type.kind === 'vector' && mask?.kind === 'array'
      ? [shuffledType(first.type, mask.elements.length)]
      : undefined,
  *verify({ operands: { v1, v2 }, results: { vector }, attributes: { mask } }) {
    const [a, b, to] = [v1.type, v2.type, vector.type];
    const errors = [
      ...elementTypeErrors('first operand v1 and result', [to, a]),
      ...elementTypeErrors('second operand v2 and result', [to, b]),
    ];
    const ranks = [a, b, to].map(({ shape }) => shape.length);
    const areElements = ranks.join() === '0,0,1';
    if (errors.length > 0) yield* errors.slice(0, 1);
    else if (!areElements && ranks.some((rank) => rank !== ranks[0])) yield 'rank mismatch';
    else if (a.shape.some((size, i) => i > 0 && (size !== b.shape[i] || size !== to.shape[i])))
      yield 'dimension mismatch';
    else if (mask.length === 0) yield 'invalid mask length';
    else if (mask.length !== to.shape[0]) yield 'mask length mismatch';
    else {
      const outside = mask.findIndex((row) => row < 0 || row >= rows(a) + rows(b));
      if (outside >= 0) yield `mask index #${outside + 1} out of range`;
    }
  },
  fold: ({ operands: [first, second], results: [result], attributes }, constants) => {
    if (first?.type.kind !== 'vector' || second?.type.kind !== 'vector' || result === undefined)
      return undefined;
    const mask = integersOf(attributes['mask']);
    const { length: rank } = first.type.shape;
    const count = rows(first.type);
    const counts = (start: number, size: number): boolean =>
      mask.length === size && mask.every((row, i) => row === start + i);
    if (rank === 0 || [...first.type.scalable, ...second.type.scalable].includes(true)) return undefined;
    if (counts(0, count)) return [first];
    if (counts(count, rows(second.type))) return [second];
    const [lhs, rhs] = constants.map((each, i) =>
      elementsOf(each, i === 0 ? count : rows(second.type as VectorType)),
    );
    if (lhs === undefined || rhs === undefined || rank !== 1) return undefined;
    const values = mask.map((row) => (row < count ? lhs[row]! : rhs[row - count]!));
    return [denseConstant(values, result.type)];
  },
});

/** The elements of a constant one-dimensional vector, if they are numbers. */
const elementsOf = (constant: Attribute | undefined, count: number) =>
  constant?.kind !== 'dense-elements' || constant.text !== undefined || constant.bits !== undefined
    ? undefined
    : constant.values.length === count
      ? constant.values
      : Array.from({ length: count }, () => constant.values[0]!);
