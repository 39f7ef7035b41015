/**
 * MLIR's builtin types as frozen plain data, compared structurally.
 */
import { expectList } from '@sconv/diagnostics';
import type { Attribute } from './attribute.ts';
import { attributeEquals } from './attribute.ts';
import { DYNAMIC } from './dynamic.ts';
import { exactSizes } from './exact-arithmetic.ts';

/** `index`: an integer of the size of a pointer. */
export interface IndexType {
  readonly kind: 'index';
}
/** `iN`, `siN` or `uiN`. */
export interface IntegerType {
  readonly kind: 'integer';
  /** Bits. */
  readonly width: number;
  readonly signedness: 'signless' | 'signed' | 'unsigned';
}
/** A float type, by its name. */
export interface FloatType {
  readonly kind: 'float';
  /** As printed: `f32`, `bf16`, `f8E4M3FN`, … */
  readonly name: string;
}
/** `none`, the type of nothing. */
export interface NoneType {
  readonly kind: 'none';
}
/** `complex<T>`. */
export interface ComplexType {
  readonly kind: 'complex';
  readonly elementType: Type;
}
/** `tuple<…>`. */
export interface TupleType {
  readonly kind: 'tuple';
  readonly elements: readonly Type[];
}
/** `(inputs) -> (results)`. */
export interface FunctionType {
  readonly kind: 'function';
  readonly inputs: readonly Type[];
  readonly results: readonly Type[];
}
/** A ranked tensor; `shape` counts elements, `DYNAMIC` where unknown. */
export interface TensorType {
  readonly kind: 'tensor';
  readonly shape: readonly number[];
  readonly elementType: Type;
  readonly encoding?: Attribute;
}
/** `tensor<*xT>`. */
export interface UnrankedTensorType {
  readonly kind: 'unranked-tensor';
  readonly elementType: Type;
}
/** A ranked buffer; row-major and contiguous without `layout`. */
export interface MemRefType {
  readonly kind: 'memref';
  readonly shape: readonly number[];
  readonly elementType: Type;
  /** An affine map or a strided layout. */
  readonly layout?: Attribute;
  readonly memorySpace?: Attribute;
}
/** `memref<*xT>`. */
export interface UnrankedMemRefType {
  readonly kind: 'unranked-memref';
  readonly elementType: Type;
  readonly memorySpace?: Attribute;
}
/** A vector of static shape, perhaps scalable. */
export interface VectorType {
  readonly kind: 'vector';
  readonly shape: readonly number[];
  /** Which dimensions are multiples of the hardware's vector scale; as long as `shape`. */
  readonly scalable: readonly boolean[];
  readonly elementType: Type;
}
/** A dialect type, kept as text: `!transform.op<"linalg.generic">` has the body `op<"linalg.generic">`. */
export interface DialectType {
  readonly kind: 'dialect';
  readonly dialect: string;
  readonly body: string;
}

/** Any type, discriminated by `kind`; compare types with `typeEquals`. */
export type Type =
  | IndexType
  | IntegerType
  | FloatType
  | NoneType
  | ComplexType
  | TupleType
  | FunctionType
  | TensorType
  | UnrankedTensorType
  | MemRefType
  | UnrankedMemRefType
  | VectorType
  | DialectType;

/** Types with a shape and an element type. */
export type ShapedType = TensorType | MemRefType | VectorType;

/** `index`. */
export const indexType: IndexType = Object.freeze({ kind: 'index' });
/** `none`. */
export const noneType: NoneType = Object.freeze({ kind: 'none' });
/** `f16`, IEEE half precision. */
export const f16: FloatType = Object.freeze({ kind: 'float', name: 'f16' });
/** `bf16`, the upper half of an f32. */
export const bf16: FloatType = Object.freeze({ kind: 'float', name: 'bf16' });
/** `f32`. */
export const f32: FloatType = Object.freeze({ kind: 'float', name: 'f32' });
/** `f64`. */
export const f64: FloatType = Object.freeze({ kind: 'float', name: 'f64' });

/** `iN`, or `siN` and `uiN`; `width` in bits. */
export const integerType = (width: number, signedness: IntegerType['signedness'] = 'signless'): IntegerType =>
  Object.freeze({ kind: 'integer', width, signedness });

/** `i1`, also that of booleans. */
export const i1 = integerType(1);
/** `i32`, signless. */
export const i32 = integerType(32);
/** `i64`, signless. */
export const i64 = integerType(64);

/** `(inputs) -> (results)`. */
export const functionType = (inputs: readonly Type[], results: readonly Type[]): FunctionType => {
  expectList('a list of types of inputs', inputs);
  expectList('a list of types of results', results);
  return Object.freeze({
    kind: 'function',
    inputs: Object.freeze([...inputs]),
    results: Object.freeze([...results]),
  });
};

/** A ranked tensor: `tensorType([4, DYNAMIC], f32)` is `tensor<4x?xf32>`. */
export const tensorType = (shape: readonly number[], elementType: Type, encoding?: Attribute): TensorType =>
  Object.freeze(
    encoding === undefined
      ? { kind: 'tensor', shape: exactSizes(shape), elementType }
      : { kind: 'tensor', shape: exactSizes(shape), elementType, encoding },
  );

/** A ranked buffer: `memrefType([4, DYNAMIC], f32)` is `memref<4x?xf32>`; `layout` as by `stridedLayoutAttribute`. */
export const memrefType = (
  shape: readonly number[],
  elementType: Type,
  layout?: Attribute,
  memorySpace?: Attribute,
): MemRefType =>
  Object.freeze({
    kind: 'memref',
    shape: exactSizes(shape),
    elementType,
    ...(layout === undefined ? {} : { layout }),
    ...(memorySpace === undefined ? {} : { memorySpace }),
  });

/** A vector; `scalable` flags dimensions, none by default. */
export const vectorType = (
  shape: readonly number[],
  elementType: Type,
  scalable?: readonly boolean[],
): VectorType =>
  Object.freeze({
    kind: 'vector',
    shape: exactSizes(shape),
    scalable: Object.freeze(scalable === undefined ? shape.map(() => false) : [...scalable]),
    elementType,
  });

/** `!dialect.body`. */
export const dialectType = (dialect: string, body: string): DialectType =>
  Object.freeze({ kind: 'dialect', dialect, body });

/** Whether a type is a ranked tensor, a ranked buffer or a vector. */
export const isShaped = (type: Type): type is ShapedType =>
  type.kind === 'tensor' || type.kind === 'memref' || type.kind === 'vector';

/** Whether no size is `DYNAMIC`. */
export const isStaticShape = (type: ShapedType): boolean => type.shape.every((size) => size !== DYNAMIC);

/** The number of elements of a static shape; 1 for rank 0. */
export const elementCount = (shape: readonly number[]): number =>
  shape.reduce((count, size) => count * size, 1);

const listEquals = <T>(a: readonly T[], b: readonly T[], equal: (x: T, y: T) => boolean): boolean =>
  a.length === b.length && a.every((x, i) => equal(x, b[i] as T));

const optionalEquals = (a: Attribute | undefined, b: Attribute | undefined): boolean =>
  a === undefined || b === undefined ? a === b : attributeEquals(a, b);

const same = <T>(a: T, b: T): boolean => a === b;

/** Structural equality; fast for identical objects. */
export const typeEquals = (a: Type, b: Type): boolean => {
  if (a === b) return true;
  switch (a.kind) {
    case 'index':
    case 'none':
      return a.kind === b.kind;
    case 'integer':
      return b.kind === 'integer' && a.width === b.width && a.signedness === b.signedness;
    case 'float':
      return b.kind === 'float' && a.name === b.name;
    case 'complex':
      return b.kind === 'complex' && typeEquals(a.elementType, b.elementType);
    case 'tuple':
      return b.kind === 'tuple' && listEquals(a.elements, b.elements, typeEquals);
    case 'function':
      return (
        b.kind === 'function' &&
        listEquals(a.inputs, b.inputs, typeEquals) &&
        listEquals(a.results, b.results, typeEquals)
      );
    case 'tensor':
      return (
        b.kind === 'tensor' &&
        listEquals(a.shape, b.shape, same) &&
        typeEquals(a.elementType, b.elementType) &&
        optionalEquals(a.encoding, b.encoding)
      );
    case 'unranked-tensor':
      return b.kind === 'unranked-tensor' && typeEquals(a.elementType, b.elementType);
    case 'memref':
      return (
        b.kind === 'memref' &&
        listEquals(a.shape, b.shape, same) &&
        typeEquals(a.elementType, b.elementType) &&
        optionalEquals(a.layout, b.layout) &&
        optionalEquals(a.memorySpace, b.memorySpace)
      );
    case 'unranked-memref':
      return (
        b.kind === 'unranked-memref' &&
        typeEquals(a.elementType, b.elementType) &&
        optionalEquals(a.memorySpace, b.memorySpace)
      );
    case 'vector':
      return (
        b.kind === 'vector' &&
        listEquals(a.shape, b.shape, same) &&
        listEquals(a.scalable, b.scalable, same) &&
        typeEquals(a.elementType, b.elementType)
      );
    case 'dialect':
      return b.kind === 'dialect' && a.dialect === b.dialect && a.body === b.body;
  }
};
