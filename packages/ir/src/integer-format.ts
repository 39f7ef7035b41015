/** Integer constants of a type: valid literals, and how values are stored. */
import type { Attribute } from './attribute.ts';
import type { IndexType, IntegerType, Type } from './type.ts';
import { DYNAMIC } from './dynamic.ts';

/**
 * `value` as a number, or undefined if inexact: sizes, offsets, strides and positions are numbers, integer constants
 * are bigints. `DYNAMIC` passes.
 */
export const exactNumber = (value: number | bigint | boolean): number | undefined => {
  const number = Number(value);
  return Number.isSafeInteger(number) || number === DYNAMIC ? number : undefined;
};

/** The integer of an attribute, if exact as a number: a constant of `DYNAMIC`'s value is not, and stays a value. */
export const integerOf = (attribute: Attribute | undefined): number | undefined => {
  const number = attribute?.kind === 'integer' ? Number(attribute.value) : undefined;
  return Number.isSafeInteger(number) ? number : undefined;
};

/** The message for an integer that `exactNumber` rejects. */
export const inexactNumberMessage = (value: number | bigint | string): string =>
  `${value} is outside the integers that a number holds exactly (2^53)`;

/** The bit width of index constants. */
const indexWidth = 64;

export const isIntegerOrIndex = (type: Type): type is IntegerType | IndexType =>
  type.kind === 'integer' || type.kind === 'index';

/** The bit width of a constant of the type. */
export const integerWidth = (type: IntegerType | IndexType): number =>
  type.kind === 'index' ? indexWidth : type.width;

/**
 * The value of `type` for a literal with this magnitude and sign, or undefined if out of range. Signless types accept
 * literals up to their unsigned maximum (`255 : i8`) and store them as signed.
 */
export const fitInteger = (
  type: IntegerType | IndexType,
  magnitude: bigint,
  isNegative: boolean,
): bigint | undefined => {
  const width = BigInt(integerWidth(type));
  if (magnitude >> width !== 0n) return undefined;
  if (width === 0n) return isNegative ? undefined : 0n;
  const half = 1n << (width - 1n);
  // As in upstream, `-0` is rejected.
  if (isNegative) return magnitude > half || magnitude === 0n ? undefined : asStored(type, -magnitude);
  const isTooLargeIfSigned = magnitude >= half && isSignedType(type);
  return isTooLargeIfSigned ? undefined : asStored(type, magnitude);
};

const isSignedType = (type: IntegerType | IndexType): boolean =>
  type.kind === 'index' || type.signedness === 'signed';

/** The value of the low bits of `bits`: signed unless the type is unsigned or `i1`. */
export const asStored = (type: IntegerType | IndexType, bits: bigint): bigint => {
  const width = integerWidth(type);
  const isUnsigned = type.kind === 'integer' && (type.signedness === 'unsigned' || width === 1);
  return isUnsigned ? BigInt.asUintN(width, bits) : BigInt.asIntN(width, bits);
};
