/** Encodes elements as hexadecimal little-endian bytes, the form of long `dense` attributes. */
import { floatFromBits, floatToBits, floatWidth } from './float-format.ts';
import { asStored, integerWidth, isIntegerOrIndex } from './integer-format.ts';
import type { TensorType, Type, VectorType } from './type.ts';
import { elementCount } from './type.ts';

/** The storage width of an element: whole bytes, but one bit for `i1`. */
const storedWidth = (type: Type): number => {
  const width =
    type.kind === 'float' ? floatWidth(type.name) : isIntegerOrIndex(type) ? integerWidth(type) : 0;
  return width === 1 ? 1 : Math.ceil(width / 8) * 8;
};

/**
 * Decodes hexadecimal digits to elements (parts, for complex ones), or to a single one for a splat; undefined if
 * their number does not fit the type.
 */
export const decodeElements = (
  digits: string,
  type: TensorType | VectorType,
): (number | bigint)[] | undefined => {
  const isComplex = type.elementType.kind === 'complex';
  const scalar = type.elementType.kind === 'complex' ? type.elementType.elementType : type.elementType;
  const width = storedWidth(scalar);
  const count = elementCount(type.shape) * (isComplex ? 2 : 1);
  if (width === 0 || digits.length % 2 !== 0) return undefined;
  if (width === 1) return decodeBits(digits, count);
  const digitsEach = width / 4;
  const found = digits.length / digitsEach;
  if (found !== count && found !== (isComplex ? 2 : 1)) return undefined;
  return Array.from({ length: found }, (_, i) => {
    const bits = littleEndian(digits.slice(i * digitsEach, (i + 1) * digitsEach));
    if (scalar.kind === 'float') return floatFromBits(bits, scalar.name);
    return isIntegerOrIndex(scalar) ? asStored(scalar, bits) : bits;
  });
};

/** `i1` is packed, first element in the lowest bit; a byte of equal bits is a splat. */
const decodeBits = (digits: string, count: number): bigint[] | undefined => {
  if (digits === '00' || digits.toUpperCase() === 'FF') return [digits === '00' ? 0n : 1n];
  if (digits.length / 2 !== Math.ceil(count / 8)) return undefined;
  return Array.from({ length: count }, (_, i) => {
    const byte = Number.parseInt(digits.slice((i >> 3) * 2, (i >> 3) * 2 + 2), 16);
    return BigInt((byte >> (i & 7)) & 1);
  });
};

const littleEndian = (digits: string): bigint =>
  BigInt(`0x${(digits.match(/../g) ?? []).reverse().join('')}`);

/** Encodes numeric elements, one per element of the type. */
export const encodeElements = (values: readonly (number | bigint | string)[], elementType: Type): string => {
  const width = storedWidth(elementType);
  if (width === 1) return encodeBits(values);
  let digits = '';
  for (const value of values) {
    const bits = elementType.kind === 'float' ? floatToBits(Number(value), elementType.name) : BigInt(value);
    const bigEndian = BigInt.asUintN(width, bits)
      .toString(16)
      .toUpperCase()
      .padStart(width / 4, '0');
    for (let i = bigEndian.length - 2; i >= 0; i -= 2) digits += bigEndian.slice(i, i + 2);
  }
  return digits;
};

const encodeBits = (values: readonly (number | bigint | string)[]): string => {
  let digits = '';
  for (let i = 0; i < values.length; i += 8) {
    const byte = values.slice(i, i + 8).reduce<number>((sum, value, k) => sum | (Number(value) << k), 0);
    digits += byte.toString(16).toUpperCase().padStart(2, '0');
  }
  return digits;
};
