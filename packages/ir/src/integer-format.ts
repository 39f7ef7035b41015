/**
 * Integer constants of a type: which literals fit, and how the value is held.
 */
import type { Attribute } from './attribute.ts';
import type { IndexType, IntegerType, Type } from './type.ts';
import { DYNAMIC } from './type.ts';

/**
 * `value` as a number, or undefined if numbers are too coarse there: sizes, offsets, strides and positions are numbers,
 * integer constants are bigints. `DYNAMIC` passes.
 */
export const exactNumber = (value: number | bigint | boolean): number | undefined => {
  const number = Number(value);
  return Number.isSafeInteger(number) || number === DYNAMIC ? number : undefined;
};

/** The integer that an attribute holds, where a number holds it exactly. */
export const integerOf = (attribute: Attribute | undefined): number | undefined =>
  attribute?.kind === 'integer' ? exactNumber(attribute.value) : undefined;

/** What a diagnostic says of an integer that `exactNumber` refuses. */
export const inexactNumberMessage = (value: number | bigint | string): string =>
  `${value} is outside the integers that a number holds exactly (2^53)`;

/** Bits of an index constant. */
const indexWidth = 64;

export const isIntegerOrIndex = (type: Type): type is IntegerType | IndexType =>
  type.kind === 'integer' || type.kind === 'index';

/** Bits of a constant of the type. */
export const integerWidth = (type: IntegerType | IndexType): number =>
  type.kind === 'index' ? indexWidth : type.width;

/**
 * The value of `type` that a literal of this magnitude and sign writes, or undefined if it is out of range. Signless
 * types take literals up to their unsigned maximum (`255 : i8`) and hold them as signed.
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
  // As upstream, `-0` is refused.
  if (isNegative) return magnitude > half || magnitude === 0n ? undefined : asStored(type, -magnitude);
  const isTooLargeIfSigned = magnitude >= half && (type.kind === 'index' || type.signedness === 'signed');
  return isTooLargeIfSigned ? undefined : asStored(type, magnitude);
};

/** The value that the low bits of `bits` stand for: signed unless the type is unsigned or `i1`. */
export const asStored = (type: IntegerType | IndexType, bits: bigint): bigint => {
  const width = integerWidth(type);
  const isUnsigned = type.kind === 'integer' && (type.signedness === 'unsigned' || width === 1);
  return isUnsigned ? BigInt.asUintN(width, bits) : BigInt.asIntN(width, bits);
};
