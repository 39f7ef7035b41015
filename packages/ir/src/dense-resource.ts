/** Attributes whose elements are the bytes of a resource. */
import { describeValue, expectText } from '@sconv/diagnostics';
import type { DenseResourceAttribute } from './attribute.ts';
import { floatWidth } from './float-format.ts';
import { integerWidth, isIntegerOrIndex } from './integer-format.ts';
import type { Type } from './type.ts';
import { elementCount, isShaped, isStaticShape } from './type.ts';
import { printType } from './type-printer.ts';

/**
 * The bytes of an element in memory; undefined for a type whose elements have no size of their own.
 *
 * @deviation from `dense<"0x…">`, which packs booleans: here one takes a byte, as in upstream's arrays of `bool`.
 */
export const bytesOfElement = (type: Type): number | undefined => {
  if (type.kind === 'float') return Math.ceil(floatWidth(type.name) / 8);
  if (isIntegerOrIndex(type)) return Math.ceil(integerWidth(type) / 8);
  const part = type.kind === 'complex' ? bytesOfElement(type.elementType) : undefined;
  return part === undefined ? undefined : 2 * part;
};

/** The bytes of the elements of a shaped type; undefined if it has dynamic sizes, or elements without a size. */
export const bytesOfElements = (type: Type): number | undefined => {
  if (!isShaped(type) || !isStaticShape(type)) return undefined;
  const each = bytesOfElement(type.elementType);
  return each === undefined ? undefined : each * elementCount(type.shape);
};

/**
 * Why the elements of an attribute cannot be read: its text lacks the bytes, or has more or fewer than its type takes,
 * which only its readers refuse, as upstream. Undefined if they can.
 */
export const resourceProblem = ({
  type,
  resource: { key, bytes },
}: DenseResourceAttribute): string | undefined => {
  if (bytes === undefined) return `the bytes of the resource '${key}' are missing`;
  const expected = bytesOfElements(type);
  if (expected === undefined) return `the elements of ${printType(type)} have no size in bytes`;
  return bytes.length === expected
    ? undefined
    : `the resource '${key}' has ${bytes.length} bytes, but ${printType(type)} takes ${expected}`;
};

/**
 * `dense_resource<key> : type`, with the elements of a shaped type as bytes: in row-major order, least significant byte
 * first, a boolean as one byte. The array is kept, not copied, and must not be written; attributes that are made from
 * the same array are equal. Characters that a key cannot have become `_`. Throws a `RangeError` unless the bytes are as
 * many as the type takes, and a `TypeError` for anything but bytes.
 */
export const denseResource = (type: Type, bytes: Uint8Array, key = 'resource'): DenseResourceAttribute => {
  if (!isBytes(bytes)) throw new TypeError(`expected bytes, not ${describeValue(bytes)}`);
  expectText('the key of a resource', key);
  const alignment = isShaped(type) ? 2 ** Math.ceil(Math.log2(bytesOfElement(type.elementType) ?? 1)) : 0;
  const resource = Object.freeze({ key: bareKey(key), bytes, alignment });
  const attribute = Object.freeze({ kind: 'dense-resource', type, resource } as const);
  const problem = resourceProblem(attribute);
  if (problem !== undefined) throw new RangeError(problem);
  return attribute;
};

/** Also of another realm. */
const isBytes = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) &&
  (value as { readonly [Symbol.toStringTag]?: string })[Symbol.toStringTag] === 'Uint8Array';

const bareKey = (key: string): string => key.replace(/[^\w$.]/g, '_').replace(/^(?![A-Za-z_])/, '_');
