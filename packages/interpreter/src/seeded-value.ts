/** Arguments and results made up for a type: small integers, so that sums are exact, and zeros. */
import type { Type } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import type { Scalar } from './element.ts';
import { elementKind, isNumberType, setElement } from './element.ts';
import type { RuntimeValue } from './value.ts';
import { memref, tensor } from './value.ts';

/** Sizes that a type leaves open. */
export interface SeededOptions {
  /** Extent of each dynamic dimension; default 4. */
  readonly dynamicSize?: number;
}

/**
 * A number, tensor, vector or memref of integers from -4 to 4, drawn by `next` (`randomIntegers`); from 0 to 4 for an
 * index, 0 or 1 for one bit. Undefined for other types.
 */
export const seededValue = (
  type: Type,
  next: () => number,
  { dynamicSize = 4 }: SeededOptions = {},
): RuntimeValue | undefined => filledValue(type, (scalar) => smallInteger(scalar, next), dynamicSize);

/** Zeros, with extent 1 for each dynamic dimension. Undefined for types that are no numbers and contain none. */
export const zeroValue = (type: Type): RuntimeValue | undefined =>
  filledValue(type, (scalar) => (isNumberType(scalar) ? 0 : scalar.kind === 'integer' ? 0n : undefined), 1);

const filledValue = (
  type: Type,
  scalar: (type: Type) => Scalar | undefined,
  dynamicSize: number,
): RuntimeValue | undefined => {
  if (type.kind !== 'tensor' && type.kind !== 'memref' && type.kind !== 'vector') return scalar(type);
  const { elementType } = type;
  const shape = type.shape.map((size) => (size === DYNAMIC ? dynamicSize : size));
  const data = elementKind(elementType)?.allocate(shape.reduce((product, size) => product * size, 1));
  if (data === undefined) return undefined;
  for (const position of data.keys()) {
    const element = scalar(elementType);
    if (element === undefined) return undefined;
    setElement(data, position, element);
  }
  return type.kind === 'memref' ? memref(shape, data, { elementType }) : tensor(shape, data, elementType);
};

const smallInteger = (type: Type, next: () => number): Scalar | undefined => {
  if (type.kind === 'index') return next() % 5;
  if (type.kind === 'integer' && type.width === 1) return next() % 2;
  const value = (next() % 9) - 4;
  if (isNumberType(type)) return value;
  return type.kind === 'integer' ? BigInt(value) : undefined;
};
