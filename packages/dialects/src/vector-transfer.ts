/** Transfers between vectors and tensors or buffers, along a permutation map, with padding out of bounds. */
import type { AffineMap } from '@sconv/affine';
import { constant, dim, makeMap, printMap } from '@sconv/affine';
import type {
  Attribute,
  Attributes,
  MemRefType,
  OpAsmParser,
  OpAsmPrinter,
  Operation,
  TensorType,
  Type,
  UnresolvedOperand,
  Value,
  VectorType,
} from '@sconv/ir';
import {
  affineMapAttribute,
  affineMapAttributeKind,
  anyType,
  arrayAttribute,
  booleanAttribute,
  defineOp,
  denseArrayAttribute,
  i32,
  implement,
  index,
  indexType,
  memoryEffects,
  one,
  optional,
  typeEquals,
  variadic,
} from '@sconv/ir';
import { anyShaped, elementTypeOf, rankedTensor } from './constraints.ts';
import { asPromised } from './speculatable-models.ts';
import { typeText } from './type-text.ts';
import { booleansAttribute } from './vector-attributes.ts';
import { maskedAs } from './vector-masks.ts';
import { foldRead, foldWrite } from './vector-transfer-fold.ts';
import { isMinorIdentity } from './vector-transfer-parts.ts';
import { bitsOf, mask as maskType, transferMaskType, vectorOfAnyRank } from './vector-types.ts';

/** The minor identity: the map of a transfer without `permutation_map`. */
export const minorIdentity = (dims: number, results: number): AffineMap =>
  makeMap(
    dims,
    0,
    Array.from({ length: results }, (_, i) => dim(dims - results + i)),
  );

/** Whether a map is a minor identity with some results replaced by 0. */
export const isMinorWithBroadcasts = ({ numDims, results }: AffineMap): boolean =>
  numDims >= results.length &&
  results.every(
    (result, i) =>
      (result.kind === 'dim' && result.position === numDims - results.length + i) ||
      (result.kind === 'constant' && result.value === 0),
  );

/**
 * The permutation of a map's results that makes it a minor identity with broadcasts; results that are 0 fill the
 * gaps. Undefined if there is none. As upstream's `isPermutationOfMinorIdentityWithBroadcasting`.
 */
export const minorPermutation = ({ numDims, results }: AffineMap): readonly number[] | undefined => {
  const shift = results.length - numDims;
  const places = results.map((result) => {
    if (result.kind === 'constant' && result.value === 0) return 'any';
    return result.kind === 'dim' && result.position + shift >= 0 ? result.position + shift : undefined;
  });
  if (places.includes(undefined)) return undefined;
  const free = results.map((_, i) => i).filter((place) => !places.includes(place));
  let next = 0;
  return places.map((place) => (typeof place === 'number' ? place : free[next++]!));
};

const rankOf = (type: Type): number => (type.kind === 'vector' ? type.shape.length : 0);

/** The default map of a transfer. */
const defaultPermutationMap = (
  shaped: Pick<TensorType | MemRefType, 'shape' | 'elementType'>,
  vector: VectorType,
): AffineMap =>
  shaped.shape.length === 0 && vector.shape.length === 1 && vector.shape[0] === 1
    ? makeMap(0, 0, [constant(0)])
    : minorIdentity(shaped.shape.length, vector.shape.length - rankOf(shaped.elementType));

// --- Text ---

interface ParsedTypes {
  readonly shaped: TensorType | MemRefType;
  readonly vector: VectorType;
  readonly attributes: Attributes;
  /** The mask, resolved. */
  readonly mask: readonly Value[];
}

/** The types in either order, and the elided attributes. */
const parseTypes = (
  parser: OpAsmParser,
  written: Attributes,
  mask: UnresolvedOperand | undefined,
  isRead: boolean,
): ParsedTypes => {
  parser.expect(':');
  const location = parser.here();
  const types = parser.commaSeparated(() => parser.type());
  const [first, second] = isRead ? types : [types[1], types[0]];
  if (types.length !== 2 || first === undefined || second === undefined)
    return parser.fail('requires two types', location);
  if (!isRead && second.kind !== 'vector') parser.fail('requires vector type', location);
  if (first.kind !== 'memref' && first.kind !== 'tensor')
    return parser.fail('requires memref or ranked tensor type', location);
  if (second.kind !== 'vector') return parser.fail('requires vector type', location);
  const given = written['permutation_map'];
  if (given === undefined && second.shape.length - rankOf(first.elementType) > first.shape.length)
    parser.fail('expected a custom permutation_map when rank(source) != rank(destination)', location);
  const map = given?.kind === 'affine-map' ? given.map : defaultPermutationMap(first, second);
  const attributes: Record<string, Attribute> = { ...written };
  attributes['permutation_map'] ??= affineMapAttribute(map);
  attributes['in_bounds'] ??= arrayAttribute(map.results.map(() => booleanAttribute(false)));
  return {
    shaped: first,
    vector: second,
    attributes,
    mask: mask === undefined ? [] : [parser.resolve(mask, parsedMaskType(parser, first, second, map, mask))],
  };
};

const parsedMaskType = (
  parser: OpAsmParser,
  shaped: TensorType | MemRefType,
  vector: VectorType,
  map: AffineMap,
  mask: UnresolvedOperand,
): VectorType => {
  if (shaped.elementType.kind === 'vector')
    parser.fail('does not support masks with vector element type', mask.location);
  if (vector.shape.length !== map.results.length)
    parser.fail(
      'expected the same rank for the vector and the results of the permutation map',
      mask.location,
    );
  return transferMaskType(vector, map);
};

const parseMask = (parser: OpAsmParser): UnresolvedOperand | undefined =>
  parser.accept(',') ? parser.operand() : undefined;

const segmentSizes = (...sizes: readonly number[]): Attributes => ({
  operandSegmentSizes: denseArrayAttribute(sizes, i32),
});

const printAttributes = (printer: OpAsmPrinter, operation: Operation): void => {
  const { permutation_map: map, in_bounds: inBounds } = operation.attributes;
  const elided = ['operandSegmentSizes'];
  if (map?.kind === 'affine-map' && isMinorIdentity(map.map)) elided.push('permutation_map');
  const isOutside = (flag: Attribute): boolean => flag.kind === 'integer' && flag.value === 0n;
  if (inBounds?.kind === 'array' && inBounds.elements.every(isOutside)) elided.push('in_bounds');
  printer.optionalAttrDict(operation, elided);
};

const printIndices = (printer: OpAsmPrinter, indices: readonly Value[]): void => {
  printer.text('[');
  printer.operands(indices);
  printer.text(']');
};

// --- Verification ---

const widthOf = (type: Type): number => (bitsOf(elementTypeOf(type)) ?? 0) * minorSize(type);
const minorSize = (type: Type): number => (type.kind === 'vector' ? (type.shape.at(-1) ?? 1) : 1);

interface Transfer {
  readonly shaped: TensorType | MemRefType;
  readonly vector: VectorType;
  readonly mask: VectorType | undefined;
  readonly map: AffineMap;
  readonly inBounds: readonly boolean[];
}

/** The first error of a transfer in either direction. */
const transferError = ({ shaped, vector, mask, map, inBounds }: Transfer): string | undefined => {
  const { elementType } = shaped;
  const ofVectors = elementType.kind === 'vector';
  if (widthOf(vector) % widthOf(elementType) !== 0)
    return (
      'requires the bitwidth of the minor 1-D vector to be an integral multiple of the bitwidth of the ' +
      (ofVectors ? 'minor 1-D vector of the source' : 'source element type')
    );
  if (rankOf(elementType) > vector.shape.length)
    return 'requires source vector element and vector result ranks to match.';
  if (map.results.length !== vector.shape.length - rankOf(elementType))
    return 'requires a permutation_map with result dims of the same rank as the vector type';
  if (ofVectors && mask !== undefined) return 'does not support masks with vector element type';
  if (map.numSymbols !== 0) return 'requires permutation_map without symbols';
  if (map.numDims !== shaped.shape.length)
    return 'requires a permutation_map with input dims of the same rank as the source type';
  return maskError(vector, mask, map) ?? boundsError(map, inBounds);
};

const maskError = (vector: VectorType, mask: VectorType | undefined, map: AffineMap): string | undefined => {
  if (mask === undefined) return undefined;
  const inferred = transferMaskType(vector, map);
  return typeEquals(mask, inferred)
    ? undefined
    : `inferred mask type ('${typeText(inferred)}') and mask operand type ('${typeText(mask)}') don't match`;
};

const boundsError = (map: AffineMap, inBounds: readonly boolean[]): string | undefined => {
  if (map.results.length !== inBounds.length)
    return (
      'expects the in_bounds attr of same rank as permutation_map results: ' +
      `affine_map<${printMap(map)}> vs inBounds of size: ${inBounds.length}`
    );
  return map.results.some((result, i) => result.kind === 'constant' && inBounds[i] === false)
    ? 'requires broadcast dimensions to be in-bounds'
    : undefined;
};

const permutationError = (map: AffineMap): string | undefined => {
  const seen = new Set<number>();
  for (const result of map.results) {
    if (result.kind === 'constant' && result.value === 0) continue;
    if (result.kind !== 'dim')
      return 'requires a projected permutation_map (at most one dim or the zero constant can appear in each result)';
    if (seen.has(result.position))
      return 'requires a permutation_map that is a permutation (found one dim used more than once)';
    seen.add(result.position);
  }
  return undefined;
};

const paddingError = (element: Type, padding: Type): string | undefined => {
  if (typeEquals(element, padding)) return undefined;
  if (element.kind === 'vector') return 'requires source element type and padding type to match.';
  return bitsOf(padding) === undefined
    ? 'requires valid padding vector elemental type'
    : 'requires formal padding and source of the same elemental type';
};

// --- Operations ---

/** Effects on buffers only. */
const accesses = (kind: 'read' | 'write', operand: number) =>
  implement(memoryEffects, ({ operands }) => {
    const value = operands[operand];
    return value?.type.kind === 'memref' ? [{ kind, value }] : [];
  });

const transferMask = ({ name, operands, results, attributes }: Operation): VectorType | undefined => {
  const { permutation_map: map } = attributes;
  const vector = name === 'vector.transfer_read' ? results[0] : operands[0];
  return vector?.type.kind === 'vector' && map?.kind === 'affine-map'
    ? transferMaskType(vector.type, map.map)
    : undefined;
};

/** `vector.transfer_read %m[%i], %pad {in_bounds = [true]} : memref<?xf32>, vector<4xf32>`. */
export const transferRead = defineOp({
  name: 'vector.transfer_read',
  summary: 'a vector of elements of a tensor or buffer',
  operands: {
    source: one(anyShaped),
    indices: variadic(index),
    padding: one(anyType),
    mask: optional(maskType),
  },
  results: { vector: one(vectorOfAnyRank) },
  attributes: { permutationMap: affineMapAttributeKind, inBounds: booleansAttribute },
  interfaces: [accesses('read', 0), maskedAs(transferMask, true), asPromised],
  assembly: {
    parse: (parser) => {
      const source = parser.operand();
      const indices = parser.list('square', () => parser.operand());
      parser.expect(',');
      const padding = parser.operand();
      const mask = parseMask(parser);
      const types = parseTypes(parser, parser.optionalAttrDict(), mask, true);
      return {
        operands: [
          parser.resolve(source, types.shaped),
          ...indices.map((operand) => parser.resolve(operand, indexType)),
          parser.resolve(padding, types.shaped.elementType),
          ...types.mask,
        ],
        attributes: { ...types.attributes, ...segmentSizes(1, indices.length, 1, types.mask.length) },
        resultTypes: [types.vector],
      };
    },
    print: (printer, operation) => {
      const { source, indices, padding, mask } = transferRead.operands(operation);
      printer.text(' ');
      printer.operand(source);
      printIndices(printer, indices);
      printer.text(', ');
      printer.operands(mask === undefined ? [padding] : [padding, mask]);
      printAttributes(printer, operation);
      printer.text(' : ');
      printer.types([source.type, ...operation.results.map(({ type }) => type)]);
    },
  },
  *verify({
    operands: { source, indices, padding, mask },
    results: { vector },
    attributes: { permutationMap: map, inBounds },
  }) {
    const shaped = source.type;
    if (shaped.kind !== 'memref' && shaped.kind !== 'tensor') {
      yield 'requires source to be a memref or ranked tensor type';
      return;
    }
    const error =
      (indices.length === shaped.shape.length ? undefined : `requires ${shaped.shape.length} indices`) ??
      transferError({ shaped, vector: vector.type, mask: mask?.type, map, inBounds }) ??
      paddingError(shaped.elementType, padding.type) ??
      permutationError(map);
    if (error !== undefined) yield error;
  },
  fold: foldRead,
});

/** `vector.transfer_write %v, %t[%i] {in_bounds = [true]} : vector<4xf32>, tensor<?xf32>`. */
export const transferWrite = defineOp({
  name: 'vector.transfer_write',
  summary: 'a vector written into a tensor or buffer, as far as it is in it',
  operands: {
    vector: one(vectorOfAnyRank),
    source: one(anyShaped),
    indices: variadic(index),
    mask: optional(maskType),
  },
  results: { result: optional(rankedTensor) },
  attributes: { permutationMap: affineMapAttributeKind, inBounds: booleansAttribute },
  interfaces: [accesses('write', 1), maskedAs(transferMask), asPromised],
  destinations: 'source',
  assembly: {
    parse: (parser) => {
      const vector = parser.operand();
      parser.expect(',');
      const source = parser.operand();
      const indices = parser.list('square', () => parser.operand());
      const mask = parseMask(parser);
      const types = parseTypes(parser, parser.optionalAttrDict(), mask, false);
      return {
        operands: [
          parser.resolve(vector, types.vector),
          parser.resolve(source, types.shaped),
          ...indices.map((operand) => parser.resolve(operand, indexType)),
          ...types.mask,
        ],
        attributes: { ...types.attributes, ...segmentSizes(1, 1, indices.length, types.mask.length) },
        resultTypes: types.shaped.kind === 'tensor' ? [types.shaped] : [],
      };
    },
    print: (printer, operation) => {
      const { vector, source, indices, mask } = transferWrite.operands(operation);
      printer.text(' ');
      printer.operands([vector, source]);
      printIndices(printer, indices);
      if (mask !== undefined) {
        printer.text(', ');
        printer.operand(mask);
      }
      printAttributes(printer, operation);
      printer.text(' : ');
      printer.types([vector.type, source.type]);
    },
  },
  *verify({ operands: { vector, source, indices, mask }, attributes: { permutationMap: map, inBounds } }) {
    const shaped = source.type;
    if (shaped.kind !== 'memref' && shaped.kind !== 'tensor') {
      yield 'requires source to be a memref or ranked tensor type';
      return;
    }
    const error =
      (indices.length === shaped.shape.length ? undefined : `requires ${shaped.shape.length} indices`) ??
      (map.results.some(({ kind }) => kind === 'constant')
        ? 'should not have broadcast dimensions'
        : undefined) ??
      transferError({ shaped, vector: vector.type, mask: mask?.type, map, inBounds }) ??
      permutationError(map);
    if (error !== undefined) yield error;
  },
  fold: foldWrite,
});
