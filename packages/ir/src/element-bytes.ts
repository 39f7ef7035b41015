/** Encodes elements as hexadecimal little-endian bytes, the form of long `dense` attributes. */
import { bitsOfNaN, floatFromBits, floatToBits, floatWidth } from './float-format.ts';
import { asStored, integerWidth, isIntegerOrIndex } from './integer-format.ts';
import { bytesToHex, hexToBytes } from './hexadecimal.ts';
import type { TensorType, Type, VectorType } from './type.ts';
import { elementCount } from './type.ts';

/** The storage width of an element: whole bytes, but one bit for `i1`. */
const storedWidth = (type: Type): number => {
  const width =
    type.kind === 'float' ? floatWidth(type.name) : isIntegerOrIndex(type) ? integerWidth(type) : 0;
  return width === 1 ? 1 : Math.ceil(width / 8) * 8;
};

/** Elements, and the bit pattern of each one that cannot represent it. */
export interface Decoded {
  readonly values: readonly (number | bigint)[];
  readonly bits: readonly (bigint | undefined)[];
}

/**
 * Decodes hexadecimal digits to elements (parts, for complex ones), or to a single one for a splat; undefined if
 * their number does not fit the type.
 */
export const decodeElements = (digits: string, type: TensorType | VectorType): Decoded | undefined => {
  const isComplex = type.elementType.kind === 'complex';
  const scalar = type.elementType.kind === 'complex' ? type.elementType.elementType : type.elementType;
  const width = storedWidth(scalar);
  const count = elementCount(type.shape) * (isComplex ? 2 : 1);
  if (width === 0 || digits.length % 2 !== 0) return undefined;
  if (width === 1) return decodeBits(digits, count);
  const digitsEach = width / 4;
  const found = digits.length / digitsEach;
  if (found !== count && found !== (isComplex ? 2 : 1)) return undefined;
  const native = nativeFloats(scalar);
  if (native !== undefined) return decodeFloats(digits, native);
  const patterns = Array.from({ length: found }, (_, i) =>
    littleEndian(digits.slice(i * digitsEach, (i + 1) * digitsEach)),
  );
  if (scalar.kind === 'float') {
    const { name } = scalar;
    const values = patterns.map((bits) => floatFromBits(bits, name));
    return {
      values,
      bits: patterns.map((bits, i) => (Number.isNaN(values[i]) ? bitsOfNaN(bits, name) : undefined)),
    };
  }
  return {
    values: patterns.map((bits) => (isIntegerOrIndex(scalar) ? asStored(scalar, bits) : bits)),
    bits: [],
  };
};

/** The floats that arrays of the machine hold. */
const nativeFloats = (type: Type): NativeFloats | undefined =>
  type.kind !== 'float'
    ? undefined
    : type.name === 'f32'
      ? { name: 'f32', array: Float32Array, bits: (view, at) => BigInt(view.getUint32(at, true)) }
      : type.name === 'f64'
        ? { name: 'f64', array: Float64Array, bits: (view, at) => view.getBigUint64(at, true) }
        : undefined;

interface NativeFloats {
  readonly name: 'f32' | 'f64';
  readonly array: typeof Float32Array | typeof Float64Array;
  readonly bits: (view: DataView, at: number) => bigint;
}

/** Without a bigint for each element, of which there may be millions. */
const decodeFloats = (digits: string, { name, array, bits }: NativeFloats): Decoded | undefined => {
  const bytes = hexToBytes(digits);
  if (bytes === undefined) return undefined;
  const view = new DataView(bytes.buffer);
  const elements = new array(bytes.buffer as ArrayBuffer);
  // Appended one by one, they are kept as numbers of 8 bytes, and not as an object each.
  const values: number[] = [];
  for (const element of elements) values.push(element);
  if (!elements.some(Number.isNaN)) return { values, bits: [] };
  const bitsAt = (i: number) => bitsOfNaN(bits(view, i * array.BYTES_PER_ELEMENT), name);
  return { values, bits: values.map((value, i) => (Number.isNaN(value) ? bitsAt(i) : undefined)) };
};

/** `i1` is packed, first element in the lowest bit; a byte of equal bits is a splat. */
const decodeBits = (digits: string, count: number): Decoded | undefined => {
  if (digits === '00' || digits.toUpperCase() === 'FF')
    return { values: [digits === '00' ? 0n : 1n], bits: [] };
  if (digits.length / 2 !== Math.ceil(count / 8)) return undefined;
  const values = Array.from({ length: count }, (_, i) => {
    const byte = Number.parseInt(digits.slice((i >> 3) * 2, (i >> 3) * 2 + 2), 16);
    return BigInt((byte >> (i & 7)) & 1);
  });
  return { values, bits: [] };
};

const littleEndian = (digits: string): bigint =>
  BigInt(`0x${(digits.match(/../g) ?? []).reverse().join('')}`);

/** The length of what `encodeElements` gives for so many elements. */
export const digitCount = (count: number, elementType: Type): number => {
  const width = storedWidth(elementType);
  return width === 1 ? 2 * Math.ceil(count / 8) : (count * width) / 4;
};

/** Encodes numeric elements, one per element of the type. */
export const encodeElements = (
  values: readonly (number | bigint | string)[],
  elementType: Type,
  patterns: readonly (bigint | undefined)[] = [],
): string => {
  const width = storedWidth(elementType);
  if (width === 1) return encodeBits(values);
  const native = nativeFloats(elementType);
  if (native !== undefined && patterns.length === 0 && !values.some(Number.isNaN))
    return bytesToHex(new Uint8Array(native.array.from(values as readonly number[]).buffer));
  let digits = '';
  for (const [i, value] of values.entries()) {
    const bits =
      elementType.kind === 'float'
        ? (patterns[i] ?? floatToBits(Number(value), elementType.name))
        : BigInt(value);
    const bigEndian = BigInt.asUintN(width, bits)
      .toString(16)
      .toUpperCase()
      .padStart(width / 4, '0');
    for (let at = bigEndian.length - 2; at >= 0; at -= 2) digits += bigEndian.slice(at, at + 2);
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
