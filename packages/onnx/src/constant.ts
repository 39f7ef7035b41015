/** Tensors whose elements are known at import: weights, and what is computed from them and from shapes. */
import type { ElementArray, ElementType } from './element-type.ts';
import { int64, numberAt, setNumber } from './element-type.ts';

/** A tensor with its elements. */
export interface Constant {
  readonly type: ElementType;
  readonly shape: readonly number[];
  /** Row-major, little-endian, at any offset of a buffer; one element of a splat. */
  readonly bytes: Uint8Array;
  /** Whether all elements are the one in `bytes`. */
  readonly isSplat: boolean;
}

/** The number of elements of a shape. */
export const countOf = (shape: readonly number[]): number =>
  shape.reduce((product, size) => product * size, 1);

/** The elements of a constant, one of a splat; a copy only where they are not aligned. */
export const elementsOf = ({ type, bytes }: Constant): ElementArray => {
  const { buffer, byteOffset, byteLength } = bytes;
  if (byteOffset % type.size !== 0) return type.view(new Uint8Array(bytes).buffer);
  return type.view(buffer as ArrayBuffer, byteOffset, byteLength / type.size);
};

/** A constant of these elements. */
export const constantOf = (
  type: ElementType,
  shape: readonly number[],
  { buffer, byteOffset, byteLength }: ElementArray,
): Constant => ({
  type,
  shape,
  bytes: new Uint8Array(buffer, byteOffset, byteLength),
  isSplat: byteLength === type.size,
});

/** New elements of a type, all zero. */
export const allocate = (type: ElementType, count: number): ElementArray =>
  type.view(new ArrayBuffer(count * type.size));

/** A constant of these numbers, rounded to the type. */
export const constantOfNumbers = (
  type: ElementType,
  shape: readonly number[],
  numbers: ArrayLike<number>,
): Constant => {
  const elements = allocate(type, numbers.length);
  for (let i = 0; i < numbers.length; i++) setNumber(type, elements, i, numbers[i]!);
  return constantOf(type, shape, elements);
};

/** A constant all of whose elements are this one. */
export const splatOf = (type: ElementType, shape: readonly number[], value: number): Constant =>
  constantOfNumbers(type, shape, [value]);

/** A shape, an axis list and the like as a constant. */
export const constantOfSizes = (sizes: readonly number[]): Constant =>
  constantOfNumbers(int64, [sizes.length], sizes);

/** The elements as numbers, all of a splat, too; for small constants. */
export const numbersOf = (constant: Constant): readonly number[] => {
  const elements = elementsOf(constant);
  return Array.from({ length: countOf(constant.shape) }, (_, i) =>
    numberAt(constant.type, elements, constant.isSplat ? 0 : i),
  );
};

/** The only value of all elements; undefined if they differ or there are none. */
export const splatValue = (constant: Constant | undefined): number | undefined =>
  constant?.isSplat === true ? numberAt(constant.type, elementsOf(constant), 0) : undefined;

/** The same elements in another shape of as many elements. */
export const reshaped = (constant: Constant, shape: readonly number[]): Constant => ({ ...constant, shape });

/** The strides of a shape in elements. */
export const stridesOf = (shape: readonly number[]): readonly number[] => {
  const strides = shape.map(() => 1);
  for (let i = shape.length - 2; i >= 0; i--) strides[i] = strides[i + 1]! * shape[i + 1]!;
  return strides;
};

/** A copy of those elements that lie at `offset` plus these strides times an index in `shape`. */
export const strided = (
  constant: Constant,
  shape: readonly number[],
  strides: readonly number[],
  offset = 0,
): Constant => {
  if (constant.isSplat) return { ...constant, shape };
  const source = elementsOf(constant);
  const target = allocate(constant.type, countOf(shape));
  const index = shape.map(() => 0);
  let position = offset;
  for (let i = 0; i < target.length; i++) {
    target[i] = source[position]!;
    for (let d = shape.length - 1; d >= 0; d--) {
      position += strides[d]!;
      if (++index[d]! < shape[d]!) break;
      position -= strides[d]! * shape[d]!;
      index[d] = 0;
    }
  }
  return constantOf(constant.type, shape, target);
};
