/**
 * The inputs and outputs of an execution.
 *
 * A scalar is a number, or a bigint for integers of more than 32 bits (see `element.ts`). A tensor is immutable. A
 * memref is a view of an allocation, which several views may share.
 */
import { describeValue } from '@sconv/diagnostics';
import type { Type } from '@sconv/ir';
import { f32, f64, i32, i64, integerType } from '@sconv/ir';
import type { ElementArray, Scalar } from './element.ts';
import { rowMajorStrides } from './strided.ts';
import type { VersionedElements } from './versioned-elements.ts';
import { currentElements, versioned } from './versioned-elements.ts';

/** An immutable tensor or vector: `shape`, and row-major elements, read through `elementsOf`. */
export interface TensorValue {
  readonly kind: 'tensor';
  readonly shape: readonly number[];
  readonly elementType: Type;
  /** Internal: several tensors share an array that only the newest one owns. */
  readonly elements: VersionedElements;
}

/** The memory under memrefs. */
export interface Allocation {
  readonly data: ElementArray;
  freed: boolean;
}

/** A view of an allocation; offset and strides count elements. */
export interface MemRefValue {
  readonly kind: 'memref';
  readonly elementType: Type;
  readonly allocation: Allocation;
  readonly offset: number;
  readonly sizes: readonly number[];
  readonly strides: readonly number[];
}

/** A value with elements. */
export type ShapedValue = TensorValue | MemRefValue;
/** Any argument or result of a function. */
export type RuntimeValue = Scalar | ShapedValue;

/** The sizes of a tensor or memref. */
export const shapeOf = (value: ShapedValue): readonly number[] =>
  value.kind === 'tensor' ? value.shape : value.sizes;

/** Throws a TypeError for a shape that is no list, or elements that are no typed array. */
const expectElements = (shape: unknown, data: unknown): void => {
  if (!Array.isArray(shape)) throw new TypeError(`expected a shape, a list, not ${describeValue(shape)}`);
  if (ArrayBuffer.isView(data) && !(data instanceof DataView)) return;
  throw new TypeError(`expected elements, a typed array, not ${describeValue(data)}`);
};

const inferElementType = (data: ElementArray): Type => {
  expectElements([], data);
  if (data instanceof Float32Array) return f32;
  if (data instanceof Float64Array) return f64;
  if (data instanceof Int32Array) return i32;
  if (data instanceof BigInt64Array) return i64;
  return integerType(data.BYTES_PER_ELEMENT * 8);
};

/** Structured operations hold element positions in 32-bit integers. */
const maxLength = 2 ** 31;

const checkLength = (shape: readonly number[], data: ElementArray, needed: number): void => {
  if (data.length > maxLength) throw new RangeError(`${data.length} elements are more than ${maxLength}`);
  if (data.length < needed) {
    throw new RangeError(`${shape.join('x')} needs ${needed} elements, but there are ${data.length}`);
  }
};

/**
 * A tensor of `shape` over the row-major elements `data`, which is not copied and must not be written while the tensor
 * is in use. `elementType` defaults to the natural one of the array: f32, f64, i8, i16, i32, i64. Throws a RangeError
 * if the number of elements does not match the shape.
 */
export const tensor = (
  shape: readonly number[],
  data: ElementArray,
  elementType: Type = inferElementType(data),
): TensorValue => {
  expectElements(shape, data);
  const count = shape.reduce((product, size) => product * size, 1);
  checkLength(shape, data, count);
  const elements = data.length === count ? data : data.subarray(0, count);
  return { kind: 'tensor', shape: [...shape], elementType, elements: versioned(elements, true) };
};

/**
 * A memref of `shape` over `data`, which executions read and write. `strides` and `offset` count elements; without them
 * it is row-major and contiguous. Throws a RangeError if the view exceeds the array.
 */
export const memref = (
  shape: readonly number[],
  data: ElementArray,
  options: {
    readonly elementType?: Type;
    readonly offset?: number;
    readonly strides?: readonly number[];
  } = {},
): MemRefValue => {
  expectElements(shape, data);
  const { elementType = inferElementType(data), offset = 0, strides = rowMajorStrides(shape) } = options;
  const value: MemRefValue = {
    kind: 'memref',
    elementType,
    allocation: { data, freed: false },
    offset,
    sizes: [...shape],
    strides: [...strides],
  };
  const [first, last] = extentOf(value);
  if (first < 0) throw new RangeError(`the view of ${shape.join('x')} begins at element ${first}`);
  checkLength(shape, data, last + 1);
  return value;
};

/** The least and greatest position that a view reaches in its allocation; `[0, -1]` if it is empty. */
export const extentOf = (view: Pick<MemRefValue, 'offset' | 'sizes' | 'strides'>): [number, number] => {
  let [first, last] = [view.offset, view.offset];
  for (const [i, size] of view.sizes.entries()) {
    if (size === 0) return [0, -1];
    const reach = (size - 1) * view.strides[i]!;
    first += Math.min(0, reach);
    last += Math.max(0, reach);
  }
  return [first, last];
};

/** A tensor's elements in row-major order; read-only. */
export const elementsOf = (value: TensorValue): ElementArray => {
  const data = currentElements(value.elements);
  // The caller may now hold the array, so later executions must not write it.
  value.elements.shared = true;
  return data;
};
