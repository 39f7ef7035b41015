/** Contractions, outer products and reductions. */
import type { AffineMap } from '@sconv/affine';
import { usedDims } from '@sconv/affine';
import type { Attribute, OpAsmParser, Operation, Type, VectorType } from '@sconv/ir';
import {
  affineMapAttributeKind,
  allTypesMatch,
  anyType,
  arrayAttribute,
  arrayOf,
  boolAttribute,
  defineOp,
  i1,
  i32Attribute,
  i64Attribute,
  implement,
  one,
  optional,
  stringAttribute,
  typeEquals,
  typesMatchWith,
  vectorType,
  withDefault,
} from '@sconv/ir';
import { fastmath } from './arith-attributes.ts';
import { anyVector, elementTypeErrors, elementTypeOf } from './constraints.ts';
import { typeText } from './type-text.ts';
import type { VectorIteratorType } from './vector-attributes.ts';
import {
  combines,
  hasSignedness,
  integersAttribute,
  iteratorTypeOf,
  kindAttribute,
  vectorIteratorTypes,
} from './vector-attributes.ts';
import { fusedMultiplyAdd } from './math-functions.ts';
import { scalarOp } from './scalar-op.ts';
import { maskedAs, maskLike } from './vector-masks.ts';
import { floatVector, numbers1d, reshaped, vectorOfAnyRank } from './vector-types.ts';

/** `kind`, `add` by default. */
const kindOrAdd = withDefault(kindAttribute, 'add');

/** `vector.fma %a, %b, %c : vector<4xf32>`. */
export const fma = defineOp({
  name: 'vector.fma',
  summary: 'a product of elements and the sum with a third, rounded once',
  operands: { lhs: one(floatVector), rhs: one(floatVector), acc: one(floatVector) },
  results: { result: one(floatVector) },
  traits: ['pure', 'elementwise'],
  interfaces: [implement(scalarOp, fusedMultiplyAdd)],
  typeRelations: [allTypesMatch('lhs', 'rhs', 'acc', 'result')],
  assembly: { format: '$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)' },
});

// --- Contractions ---

const contractAttributes = ['indexing_maps', 'iterator_types', 'kind'];

/** `["parallel"]` as iterator types. */
const readIterators = (parser: OpAsmParser, attribute: Attribute | undefined): Attribute => {
  if (attribute?.kind !== 'array') return parser.fail('expected "iterator_types" array attribute');
  return arrayAttribute(
    attribute.elements.map((element) => {
      if (element.kind !== 'string') return element;
      return iteratorTypeOf(element.value) ?? parser.fail(`unexpected iterator_type (${element.value})`);
    }),
  );
};

const iteratorWord = (attribute: Attribute): Attribute =>
  attribute.kind === 'dialect'
    ? stringAttribute(attribute.body.slice('iterator_type<'.length, -1))
    : attribute;

const resultOf = (map: AffineMap | undefined, position: number): number =>
  map?.results.findIndex((result) => result.kind === 'dim' && result.position === position) ?? -1;

/** The iteration dimensions with one iterator type that both factors share, by their positions in each. */
const sharedDimensions = (
  maps: readonly AffineMap[],
  iterators: readonly VectorIteratorType[],
  type: VectorIteratorType,
): readonly (readonly [number, number])[] =>
  iterators.flatMap((iterator, position) => {
    const places = (type === 'reduction' ? maps.slice(0, 2) : maps).map((map) => resultOf(map, position));
    const [lhs, rhs] = places;
    return iterator === type && lhs !== undefined && rhs !== undefined && !places.includes(-1)
      ? [[lhs, rhs] as const]
      : [];
  });

interface Contraction {
  readonly factors: readonly [VectorType, VectorType];
  readonly acc: Type;
  readonly result: Type;
  readonly maps: readonly AffineMap[];
  readonly iterators: readonly VectorIteratorType[];
}

const mapError = (map: AffineMap, i: number, type: Type, iterators: number): string | undefined => {
  const rank = type.kind === 'vector' ? type.shape.length : 0;
  if (map.numSymbols > 0) return `expected indexing map ${i} to have no symbols`;
  if (map.numDims !== iterators) return `expected indexing map ${i} to have ${iterators} number of inputs`;
  if (map.results.length !== rank) return `expected indexing map ${i} to have ${rank} number of outputs`;
  const dims = map.results.map((result) => (result.kind === 'dim' ? result.position : -1));
  return dims.includes(-1) || new Set(dims).size < dims.length
    ? `expected indexing map ${i} to be a projected permutation of its inputs`
    : undefined;
};

/** The sizes of the iteration dimensions, and which are scalable; undefined for one that no factor has. */
export const contractionSizes = (
  factors: readonly VectorType[],
  maps: readonly AffineMap[],
  rank: number,
): readonly ({ readonly size: number; readonly scalable: boolean } | undefined)[] =>
  Array.from({ length: rank }, (_, position) => {
    for (const [i, { shape, scalable }] of factors.entries()) {
      const at = resultOf(maps[i], position);
      if (at >= 0) return { size: shape[at]!, scalable: scalable[at]! };
    }
    return undefined;
  });

const outputError = (contraction: Contraction): string | undefined => {
  const { factors, acc, result, maps, iterators } = contraction;
  const message = 'invalid accumulator/result vector shape';
  const [lhs, rhs, out] = maps;
  if (lhs === undefined || rhs === undefined || out === undefined) return message;
  const pairs = [
    ...sharedDimensions(maps, iterators, 'reduction'),
    ...sharedDimensions(maps, iterators, 'parallel'),
  ];
  const contracted = sharedDimensions(maps, iterators, 'reduction');
  const isScalar = factors[0].shape.length === contracted.length && factors[1].shape.length === pairs.length;
  if (isScalar) return acc.kind === 'vector' || result.kind === 'vector' ? message : undefined;
  if (acc.kind !== 'vector' || result.kind !== 'vector') return message;
  const used = new Set([...usedDims(lhs), ...usedDims(rhs)]);
  if (iterators.some((_, position) => !used.has(position)))
    return 'expected all dimensions to be either a LHS or a RHS dimension';
  const sizes = contractionSizes(factors, maps, iterators.length);
  const shape = out.results.map((each) => (each.kind === 'dim' ? (sizes[each.position]?.size ?? 0) : 0));
  const scalable = result.scalable.length === shape.length ? result.scalable : undefined;
  const expected = reshaped(result, shape, scalable);
  return typeEquals(result, expected) && typeEquals(acc, expected)
    ? undefined
    : `${message}, expected: '${typeText(expected)}'`;
};

/** The first error of a contraction. */
const contractionError = (contraction: Contraction): string | undefined => {
  const { factors, acc, maps, iterators } = contraction;
  if ([...factors, acc].some((type) => hasSignedness(elementTypeOf(type))))
    return 'only supports signless integer types';
  if (maps.length !== 3) return 'expected an indexing map for each vector operand';
  const types = [...factors, acc];
  const wrongMap = maps
    .map((map, i) => mapError(map, i, types[i]!, iterators.length))
    .find((error) => error !== undefined);
  if (wrongMap !== undefined) return wrongMap;
  const agree = ([a, b]: readonly [number, number]): boolean => factors[0].shape[a] === factors[1].shape[b];
  const contracted = sharedDimensions(maps, iterators, 'reduction');
  if (contracted.length === 0) return 'expected at least one contracting dimension pair';
  if (!contracted.every(agree)) return 'invalid contracting dimension map';
  if (!sharedDimensions(maps, iterators, 'parallel').every(agree)) return 'invalid batch dimension map';
  return outputError(contraction);
};

const vectorMask = (type: Type | undefined): VectorType | undefined =>
  type?.kind === 'vector' ? maskLike(type) : undefined;

/** The type of a mask over the iterations. */
const contractionMaskType = (operation: Operation): VectorType => {
  const { lhs, rhs } = contract.operands(operation);
  const { indexingMaps, iteratorTypes } = contract.attributes(operation);
  const sizes = contractionSizes([lhs.type, rhs.type], indexingMaps, iteratorTypes.length);
  return vectorType(
    sizes.map((each) => each?.size ?? 1),
    i1,
    sizes.map((each) => each?.scalable ?? false),
  );
};

/** `vector.contract {indexing_maps = […], iterator_types = […], kind = #vector.kind<add>} %a, %b, %c : … into …`. */
export const contract = defineOp({
  name: 'vector.contract',
  summary: 'products of elements, combined along the dimensions that reduce',
  operands: { lhs: one(anyVector), rhs: one(anyVector), acc: one(anyType) },
  results: { result: one(anyType) },
  attributes: {
    indexingMaps: arrayOf(affineMapAttributeKind, 'AffineMap array attribute'),
    iteratorTypes: vectorIteratorTypes,
    kind: kindOrAdd,
  },
  traits: ['pure'],
  interfaces: [maskedAs((operation) => contractionMaskType(operation))],
  assembly: {
    parse: (parser) => {
      const written = parser.attribute();
      if (written.kind !== 'dictionary') return parser.fail('expected dictionary attribute');
      const lhs = parser.operand();
      parser.expect(',');
      const rhs = parser.operand();
      parser.expect(',');
      const acc = parser.operand();
      const more = parser.optionalAttrDict();
      const types = parser.colonTypeList();
      const [lhsType, rhsType] = types;
      if (lhsType === undefined || rhsType === undefined) return parser.fail('expected two types');
      parser.expect('into');
      const result = parser.type();
      const { entries } = written;
      return {
        operands: [parser.resolve(lhs, lhsType), parser.resolve(rhs, rhsType), parser.resolve(acc, result)],
        resultTypes: [result],
        attributes: {
          kind: kindOrAdd.encode('add'),
          ...entries,
          ...more,
          iterator_types: readIterators(parser, entries['iterator_types']),
        },
      };
    },
    print: (printer, operation) => {
      const { lhs, rhs, acc } = contract.operands(operation);
      const {
        indexing_maps: maps,
        iterator_types: iterators,
        kind = kindOrAdd.encode('add'),
      } = operation.attributes;
      printer.attributes({
        ...(maps && { indexing_maps: maps }),
        ...(iterators?.kind === 'array' && {
          iterator_types: arrayAttribute(iterators.elements.map(iteratorWord)),
        }),
        kind,
      });
      printer.text(' ');
      printer.operands([lhs, rhs, acc]);
      printer.optionalAttrDict(operation, contractAttributes);
      printer.text(' : ');
      printer.types([lhs.type, rhs.type]);
      printer.text(' into ');
      printer.types(operation.results.map(({ type }) => type));
    },
  },
  *verify({ operands: { lhs, rhs, acc }, results: { result }, attributes }) {
    const errors = [
      ...elementTypeErrors('lhs and rhs', [lhs.type, rhs.type]),
      ...elementTypeErrors('third operand acc and result', [acc.type, result.type]),
    ];
    const { indexingMaps: maps, iteratorTypes: iterators, kind } = attributes;
    const error =
      errors[0] ??
      contractionError({
        factors: [lhs.type, rhs.type],
        acc: acc.type,
        result: result.type,
        maps,
        iterators,
      }) ??
      (combines(kind, elementTypeOf(result.type)) ? undefined : 'unsupported contraction type');
    if (error !== undefined) yield error;
  },
});

/** The type of the outer product; `rhs` may be a scalar. */
const productType = (lhs: VectorType, rhs: Type): VectorType =>
  rhs.kind === 'vector'
    ? reshaped(
        lhs,
        [...lhs.shape.slice(0, 1), ...rhs.shape.slice(0, 1)],
        [...lhs.scalable.slice(0, 1), ...rhs.scalable.slice(0, 1)],
      )
    : lhs;

const outerProductError = (lhs: VectorType, rhs: Type, result: VectorType): string | undefined => {
  const [rows, columns] = result.shape;
  if (lhs.shape.length !== 1) return 'expected 1-d vector for operand #1';
  if (rhs.kind !== 'vector') {
    if (result.shape.length !== 1) return 'expected 1-d vector result';
    return lhs.shape[0] === rows ? undefined : 'expected #1 operand dim to match result dim #1';
  }
  if (rhs.shape.length !== 1) return 'expected 1-d vector for operand #2';
  if (result.shape.length !== 2) return 'expected 2-d vector result';
  if (lhs.shape[0] !== rows) return 'expected #1 operand dim to match result dim #1';
  if (rhs.shape[0] !== columns) return 'expected #2 operand dim to match result dim #2';
  return lhs.scalable[0] === true && rhs.scalable[0] === false
    ? 'expected either both or only #2 operand dim to be scalable'
    : undefined;
};

/** `vector.outerproduct %a, %b, %c {kind = #vector.kind<add>} : vector<4xf32>, vector<8xf32>`. */
export const outerproduct = defineOp({
  name: 'vector.outerproduct',
  summary: 'the products of all elements of two vectors, or of a vector and a scalar, combined with a third',
  operands: { lhs: one(anyVector), rhs: one(anyType), acc: optional(anyVector) },
  results: { result: one(anyVector) },
  attributes: { kind: kindOrAdd },
  traits: ['pure'],
  interfaces: [maskedAs(({ results: [result] }) => vectorMask(result?.type))],
  assembly: {
    parse: (parser) => {
      const operands = parser.operandList();
      const attributes = parser.optionalAttrDict();
      const types = parser.colonTypeList();
      const [lhs, rhs, acc] = operands;
      const [lhsType, rhsType] = types;
      if (lhs === undefined || rhs === undefined)
        return parser.fail('expected at least 2 operands', parser.location);
      if (lhsType?.kind !== 'vector')
        return parser.fail('expected vector type for operand #1', parser.location);
      if (rhsType === undefined) return parser.fail('expected 2 types', parser.location);
      const result = productType(lhsType, rhsType);
      return {
        operands: [
          parser.resolve(lhs, lhsType),
          parser.resolve(rhs, rhsType),
          ...(acc === undefined ? [] : [parser.resolve(acc, result)]),
        ],
        attributes: { kind: kindOrAdd.encode('add'), ...attributes },
        resultTypes: [result],
      };
    },
    print: (printer, operation) => {
      const { lhs, rhs, acc } = outerproduct.operands(operation);
      printer.text(' ');
      printer.operands(acc === undefined ? [lhs, rhs] : [lhs, rhs, acc]);
      if (acc !== undefined) printer.attributes({ kind: kindOrAdd.encode('add'), ...operation.attributes });
      printer.text(' : ');
      printer.types([lhs.type, rhs.type]);
    },
  },
  *verify({ operands: { lhs, rhs, acc }, results: { result }, attributes: { kind } }) {
    const errors = [
      ...elementTypeErrors('lhs operand and result', [lhs.type, result.type]),
      ...elementTypeErrors('rhs operand and result', [rhs.type, result.type]),
    ];
    const error = errors[0] ?? outerProductError(lhs.type, rhs.type, result.type);
    if (error !== undefined) yield error;
    else if (acc !== undefined && !typeEquals(acc.type, result.type))
      yield 'expected operand #3 of same type as result type';
    else if (!combines(kind, result.type.elementType)) yield 'unsupported outerproduct type';
  },
});

/** `vector.matrix_multiply %a, %b {lhs_columns = 2 : i32, …} : (vector<4xf32>, vector<6xf32>) -> vector<6xf32>`. */
export const matrixMultiply = defineOp({
  name: 'vector.matrix_multiply',
  summary: 'the product of two matrices that are flattened by columns',
  operands: { lhs: one(numbers1d), rhs: one(numbers1d) },
  results: { res: one(numbers1d) },
  attributes: { lhsRows: i32Attribute, lhsColumns: i32Attribute, rhsColumns: i32Attribute },
  traits: ['pure'],
  assembly: {
    format: '$lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($res)',
  },
  *verify({ operands: { lhs, rhs }, results: { res } }) {
    yield* elementTypeErrors('lhs operand and result', [lhs.type, res.type]);
    yield* elementTypeErrors('rhs operand and result', [rhs.type, res.type]);
  },
});

// --- Reductions ---

/** `vector.reduction <add>, %v, %acc : vector<4xf32> into f32`. */
export const reduction = defineOp({
  name: 'vector.reduction',
  summary: 'all elements of a vector of at most one dimension combined',
  operands: { vector: one(vectorOfAnyRank), acc: optional(anyType) },
  results: { dest: one(anyType) },
  attributes: { kind: kindAttribute, fastmath },
  traits: ['pure'],
  typeRelations: [typesMatchWith('dest and acc have the same type', 'dest', 'acc', (type) => type)],
  interfaces: [maskedAs(({ operands: [vector] }) => vectorMask(vector?.type))],
  assembly: {
    format:
      '$kind `,` $vector (`,` $acc^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($vector) `into` type($dest)',
  },
  *verify({ operands: { vector }, results: { dest }, attributes: { kind } }) {
    const errors = [...elementTypeErrors('source operand and result', [vector.type, dest.type])];
    const { length: rank } = vector.type.shape;
    if (errors.length > 0) yield* errors;
    else if (rank > 1) yield `unsupported reduction rank: ${rank}`;
    else if (!combines(kind, dest.type))
      yield `unsupported reduction type '${typeText(dest.type)}' for kind '${kind}'`;
  },
});

/** A vector type without these dimensions: a scalar if none remain. */
const reducedType = (source: VectorType, dims: readonly number[]): Type => {
  const kept = source.shape.map((_, i) => i).filter((i) => !dims.includes(i));
  if (kept.length === 0) return source.elementType;
  return reshaped(
    source,
    kept.map((i) => source.shape[i]!),
    kept.map((i) => source.scalable[i]!),
  );
};

/** `vector.multi_reduction <add>, %v, %acc [1] : vector<4x8xf32> to vector<4xf32>`. */
export const multiReduction = defineOp({
  name: 'vector.multi_reduction',
  summary: 'elements combined along some dimensions',
  operands: { source: one(anyVector), acc: one(anyType) },
  results: { dest: one(anyType) },
  attributes: { kind: kindAttribute, reductionDims: integersAttribute },
  traits: ['pure'],
  typeRelations: [allTypesMatch('dest', 'acc')],
  interfaces: [maskedAs(({ operands: [source] }) => vectorMask(source?.type))],
  assembly: {
    format: '$kind `,` $source `,` $acc attr-dict $reduction_dims `:` type($source) `to` type($dest)',
  },
  *verify({ operands: { source }, results: { dest }, attributes: { kind, reductionDims: dims } }) {
    const errors = [...elementTypeErrors('source operand and result', [source.type, dest.type])];
    if (errors.length > 0) yield* errors;
    else if (!typeEquals(reducedType(source.type, dims), dest.type))
      yield `destination type '${typeText(dest.type)}' is incompatible with source type '${typeText(source.type)}'`;
    else if (!combines(kind, elementTypeOf(dest.type)))
      yield `unsupported reduction type '${typeText(elementTypeOf(dest.type))}' for kind '${kind}'`;
  },
});

/** `vector.scan <add>, %v, %init {inclusive = true, reduction_dim = 0 : i64} : vector<4x8xf32>, vector<8xf32>`. */
export const scan = defineOp({
  name: 'vector.scan',
  summary: 'elements combined with those before them along a dimension',
  operands: { source: one(anyVector), initial_value: one(vectorOfAnyRank) },
  results: { dest: one(anyVector), accumulated_value: one(vectorOfAnyRank) },
  attributes: { kind: kindAttribute, reductionDim: i64Attribute, inclusive: boolAttribute },
  traits: ['pure'],
  typeRelations: [allTypesMatch('source', 'dest'), allTypesMatch('initial_value', 'accumulated_value')],
  assembly: {
    format: '$kind `,` $source `,` $initial_value attr-dict `:` type($source) `,` type($initial_value)',
  },
  *verify({ operands: { source, initial_value: initial }, attributes: { kind, reductionDim } }) {
    const { shape, elementType } = source.type;
    const rest = shape.filter((_, i) => i !== reductionDim);
    if (reductionDim >= shape.length)
      yield `reduction dimension ${reductionDim} has to be less than ${shape.length}`;
    else if (initial.type.shape.length !== rest.length)
      yield `initial value rank ${initial.type.shape.length} has to be equal to ${rest.length}`;
    else if (initial.type.shape.join() !== rest.join()) yield 'incompatible input/initial value shapes';
    else if (!combines(kind, elementType))
      yield `unsupported reduction type '${typeText(elementType)}' for kind '${kind}'`;
  },
  resultName: () => ['dest', 'accumulated_value'],
});
