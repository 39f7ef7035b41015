/**
 * Integer arithmetic at a given width, on bigints as the ops declare it; `integerOperationOnNumbers` is a fast path for
 * common ones on numbers.
 */
import type { IntegerInstruction, IntegerOp } from '@sconv/dialects';
import type { Operation, Type } from '@sconv/ir';
import { printType } from '@sconv/ir';
import type { Scalar } from './element.ts';
import { trap } from './trap.ts';

/** Bits of an integer; 64 for `index`. Undefined for other types. */
export const widthOf = (type: Type): number | undefined =>
  type.kind === 'index' ? 64 : type.kind === 'integer' ? type.width : undefined;

/** The signed value of an integer: -1 for a true `i1`. */
export const signedValue = (value: Scalar, width: number): bigint => BigInt.asIntN(width, BigInt(value));

/** The unsigned value of an integer. */
export const unsignedValue = (value: Scalar, width: number): bigint => BigInt.asUintN(width, BigInt(value));

/**
 * A double that rounds to any narrower float type as the integer itself would: excess bits are rounded to odd, so that
 * no false ties arise.
 */
export const roundableNumber = (value: bigint): number => {
  const magnitude = value < 0n ? -value : value;
  const surplus = magnitude.toString(2).length - 53;
  if (surplus <= 0) return Number(value);
  const kept = magnitude >> BigInt(surplus);
  const isExact = kept << BigInt(surplus) === magnitude;
  const odd = Number(isExact ? kept : kept | 1n) * 2 ** surplus;
  return value < 0n ? -odd : odd;
};

/** Wraps an integer to the width of `type` and converts it to that type's representation. */
export const holdInteger = (operation: Operation, type: Type): ((value: bigint) => Scalar) => {
  if (type.kind === 'index') return (value) => safeIndex(operation, Number(BigInt.asIntN(64, value)));
  const width = widthOf(type) ?? 64;
  if (width === 1) return (value) => Number(BigInt.asUintN(1, value));
  if (width <= 32) return (value) => Number(BigInt.asIntN(width, value));
  return (value) => BigInt.asIntN(width, value);
};

/** `value`, if a number represents it exactly: an index beyond 2^53 is an error, never silently rounded. */
export const safeIndex = (operation: Operation, value: number): number => {
  if (!Number.isSafeInteger(value))
    trap(operation, 'interpreter/overflow', `gives an index beyond 2^53: ${value}`);
  // Avoids negative zero, which prints and compares differently.
  return value + 0;
};

const trapDivisionByZero = (operation: Operation, a: Scalar): never =>
  trap(operation, 'interpreter/division-by-zero', `divides ${a} by zero`);

const trapOverflow = (operation: Operation, a: Scalar, b: Scalar, type: Type): never =>
  trap(operation, 'interpreter/overflow', `divides ${a} by ${b}, which ${printType(type)} does not hold`);

/** A unary or binary operation on values of `type`; undefined if that is no type of integers. */
export const integerOperation = (
  operation: Operation,
  { compute, traps }: IntegerOp,
  type: Type,
): ((a: Scalar, b: Scalar) => Scalar) | undefined => {
  const width = widthOf(type);
  if (width === undefined) return undefined;
  const hold = holdInteger(operation, type);
  return (a, b) => {
    const value = compute(signedValue(a, width), signedValue(b, width), width);
    if (value !== undefined) return hold(value);
    // A poison.
    if (traps === undefined) return hold(0n);
    if (BigInt(b) === 0n) return trapDivisionByZero(operation, a);
    // A power of zero.
    if (BigInt(a) === 0n) return trapDivisionByZero(operation, 1);
    return trapOverflow(operation, a, b, type);
  };
};

type NumberOperation = (a: number, b: number) => number;

type NumberOperations = Readonly<Partial<Record<IntegerInstruction, NumberOperation>>>;

/** Exact before wrapping on `index` and integers of 8 to 32 bits. */
const numberOperations: NumberOperations = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  maxS: (a, b) => Math.max(a, b),
  minS: (a, b) => Math.min(a, b),
};

const numberDivisions: NumberOperations = {
  divS: (a, b) => Math.trunc(a / b),
  remS: (a, b) => a % b,
  floorDivS: (a, b) => Math.floor(a / b),
  ceilDivS: (a, b) => Math.ceil(a / b),
};

/** Below this magnitude, rounding a quotient to double never crosses an integer. */
const exactQuotients = 2 ** 52;

/** The fast path for values held as numbers; undefined if there is none. */
export const integerOperationOnNumbers = (
  operation: Operation,
  { instruction }: IntegerOp,
  type: Type,
): NumberOperation | undefined => {
  const width = widthOf(type);
  if (instruction === undefined || width === undefined || width === 1) return undefined;
  const shift = 32 - width;
  const wrap =
    type.kind === 'index'
      ? (value: number): number => safeIndex(operation, value)
      : (value: number): number => (value << shift) >> shift;
  const exact = numberOperations[instruction];
  if (exact !== undefined) return (a, b) => wrap(exact(a, b));
  if (instruction === 'mul') {
    return type.kind === 'index' ? (a, b) => wrap(a * b) : (a, b) => wrap(Math.imul(a, b));
  }
  const divide = numberDivisions[instruction];
  if (divide === undefined) return undefined;
  return (a, b) => {
    if (b === 0) trapDivisionByZero(operation, a);
    if (Math.abs(a) > exactQuotients)
      trap(operation, 'interpreter/overflow', `divides an index beyond 2^52: ${a}`);
    const value = divide(a, b);
    const held = wrap(value);
    if (held !== value) trapOverflow(operation, a, b, type);
    return held;
  };
};

/** In the order of the attribute's values. */
const predicates = ['eq', 'ne', 'slt', 'sle', 'sgt', 'sge', 'ult', 'ule', 'ugt', 'uge'] as const;

/** The comparison of an `arith.cmpi` or `index` comparison on values of `type`; undefined for an unknown predicate. */
export const integerComparison = (
  predicate: number,
  type: Type,
): ((a: Scalar, b: Scalar) => number) | undefined => {
  const isBoolean = widthOf(type) === 1;
  // A true `i1` is held as 1, its unsigned value; its signed value is -1.
  const less = (a: Scalar, b: Scalar): boolean => (isBoolean ? a > b : a < b);
  const below = (a: Scalar, b: Scalar): boolean => (a < 0 === b < 0 ? a < b : a >= 0);
  switch (predicates[predicate]) {
    case 'eq':
      return (a, b) => Number(a === b);
    case 'ne':
      return (a, b) => Number(a !== b);
    case 'slt':
      return (a, b) => Number(less(a, b));
    case 'sle':
      return (a, b) => Number(!less(b, a));
    case 'sgt':
      return (a, b) => Number(less(b, a));
    case 'sge':
      return (a, b) => Number(!less(a, b));
    case 'ult':
      return (a, b) => Number(below(a, b));
    case 'ule':
      return (a, b) => Number(!below(b, a));
    case 'ugt':
      return (a, b) => Number(below(b, a));
    case 'uge':
      return (a, b) => Number(!below(a, b));
    default:
      return undefined;
  }
};
