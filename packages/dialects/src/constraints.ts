/** Type constraints shared by several dialects, with upstream's wording, and small type queries. */
import type {
  MemRefType,
  TensorType,
  Type,
  UnrankedMemRefType,
  UnrankedTensorType,
  VectorType,
} from '@sconv/ir';
import { DYNAMIC, isStaticShape, typeConstraint, typeEquals } from '@sconv/ir';

/** The element type of a shaped type; a scalar's is itself. */
export const elementTypeOf = (type: Type): Type =>
  type.kind === 'tensor' ||
  type.kind === 'memref' ||
  type.kind === 'vector' ||
  type.kind === 'unranked-tensor' ||
  type.kind === 'unranked-memref'
    ? type.elementType
    : type;

/** The sizes of a ranked shaped type, in elements; undefined for other types. */
export const shapeOf = (type: Type): readonly number[] | undefined =>
  type.kind === 'tensor' || type.kind === 'memref' || type.kind === 'vector' ? type.shape : undefined;

/** Whether shapes of equal rank agree in all sizes that both know. */
export const compatibleShapes = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((size, i) => size === b[i] || size === DYNAMIC || b[i] === DYNAMIC);

/** Upstream's error for element types that must match. */
export function* elementTypeErrors(names: string, types: readonly Type[]): Generator<string> {
  const [first, ...others] = types.map(elementTypeOf);
  if (others.some((type) => !typeEquals(type, first!)))
    yield `failed to verify that ${names} have same element type`;
}

/** `type` with another element type and the same shape. */
export const withElementType = (type: Type, elementType: Type): Type => {
  switch (type.kind) {
    case 'tensor':
    case 'memref':
    case 'vector':
    case 'unranked-tensor':
    case 'unranked-memref':
      return Object.freeze({ ...type, elementType });
    default:
      return elementType;
  }
};

export const isSignlessInteger = (type: Type): boolean =>
  type.kind === 'integer' && type.signedness === 'signless';

/** A constraint on a value, or on the elements of a vector or tensor. */
const like =
  (test: (type: Type) => boolean) =>
  (type: Type): boolean =>
    test(type) ||
    ((type.kind === 'vector' || type.kind === 'tensor' || type.kind === 'unranked-tensor') &&
      test(type.elementType));

const isSignlessIntegerOrIndex = (type: Type): boolean => isSignlessInteger(type) || type.kind === 'index';
const isFloat = (type: Type): boolean => type.kind === 'float';
const isBool = (type: Type): boolean =>
  isSignlessInteger(type) && type.kind === 'integer' && type.width === 1;

export const floatLike = typeConstraint('floating-point-like', like(isFloat));
export const signlessIntegerLike = typeConstraint('signless-integer-like', like(isSignlessIntegerOrIndex));
export const fixedWidthIntegerLike = typeConstraint(
  'signless-fixed-width-integer-like',
  like(isSignlessInteger),
);
export const boolLike = typeConstraint('bool-like', like(isBool));
export const indexCastable = typeConstraint(
  'signless-integer-like or memref of signless-integer',
  (type) =>
    like(isSignlessIntegerOrIndex)(type) ||
    (type.kind === 'memref' && isSignlessIntegerOrIndex(type.elementType)),
);
export const bitcastable = typeConstraint(
  'signless-integer-or-float-like or memref of signless-integer or float',
  (type) => {
    const test = (element: Type): boolean => isSignlessInteger(element) || isFloat(element);
    return like(test)(type) || (type.kind === 'memref' && test(type.elementType));
  },
);

export const signlessIntegerOrIndex = typeConstraint('signless integer or index', isSignlessIntegerOrIndex);
export const signlessIntegerOrFloat = typeConstraint(
  'signless integer or floating-point',
  (type) => isSignlessInteger(type) || isFloat(type),
);
export const scalar = typeConstraint(
  'integer/index/float type',
  (type) => type.kind === 'integer' || type.kind === 'index' || type.kind === 'float',
);
export const anyInteger = typeConstraint('integer', (type) => type.kind === 'integer');
export const functionValue = typeConstraint('function type', (type) => type.kind === 'function');

export const rankedTensor = typeConstraint(
  'ranked tensor of any type values',
  (type) => type.kind === 'tensor',
);
/** Ranked or unranked. */
export const tensor = typeConstraint(
  'tensor of any type values',
  (type) => type.kind === 'tensor' || type.kind === 'unranked-tensor',
);
export const staticTensor = typeConstraint(
  'statically shaped tensor of any type values',
  (type): type is TensorType => type.kind === 'tensor' && isStaticShape(type),
);
export const tensorWithDims = typeConstraint(
  'non-0-ranked or unranked tensor',
  (type): type is TensorType | UnrankedTensorType =>
    type.kind === 'unranked-tensor' || (type.kind === 'tensor' && type.shape.length > 0),
);
export const indexTensor = typeConstraint(
  'ranked tensor of signless integer or index values',
  (type): type is TensorType => type.kind === 'tensor' && isSignlessIntegerOrIndex(type.elementType),
);
export const shapeTensor = typeConstraint(
  '1D tensor of signless integer or index values',
  (type): type is TensorType =>
    type.kind === 'tensor' && type.shape.length === 1 && isSignlessIntegerOrIndex(type.elementType),
);

export const memref = typeConstraint('memref of any type values', (type) => type.kind === 'memref');
export const anyMemref = typeConstraint(
  'ranked or unranked memref of any type values',
  (type) => type.kind === 'memref' || type.kind === 'unranked-memref',
);
export const memrefWithDims = typeConstraint(
  'unranked.memref of any type values or non-0-ranked.memref of any type values',
  (type): type is MemRefType | UnrankedMemRefType =>
    type.kind === 'unranked-memref' || (type.kind === 'memref' && type.shape.length > 0),
);
export const staticMemref = typeConstraint(
  'statically shaped memref of any type values',
  (type): type is MemRefType => type.kind === 'memref' && isStaticShape(type),
);
export const shapeMemref = typeConstraint(
  '1D memref of signless integer or index values',
  (type): type is MemRefType =>
    type.kind === 'memref' && type.shape.length === 1 && isSignlessIntegerOrIndex(type.elementType),
);
export const byteMemref = typeConstraint(
  '1D memref of 8-bit signless integer values',
  (type): type is MemRefType =>
    type.kind === 'memref' &&
    type.shape.length === 1 &&
    isSignlessInteger(type.elementType) &&
    type.elementType.kind === 'integer' &&
    type.elementType.width === 8,
);

export const anyShaped = typeConstraint('shaped of any type values', (type) => elementTypeOf(type) !== type);
export const tensorOrMemref = typeConstraint(
  'memref of any type values or ranked tensor of any type values',
  (type) => type.kind === 'memref' || type.kind === 'tensor',
);
/** A vector of rank at least one. */
export const anyVector = typeConstraint(
  'vector of any type values',
  (type): type is VectorType => type.kind === 'vector' && type.shape.length > 0,
);

export const isPowerOfTwo = (value: bigint): boolean => value > 0n && (value & (value - 1n)) === 0n;
