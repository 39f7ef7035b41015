/**
 * Integer arithmetic at a given width. Every operation is defined on bigints; `integerOperationOnNumbers` is a fast
 * path for common ones on numbers.
 */
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

/** Given signed or unsigned operand values, as the operation requires. */
type BigOperation = (a: bigint, b: bigint, width: number) => bigint;

const signedOperation =
  (apply: BigOperation): BigOperation =>
  (a, b, width) =>
    apply(BigInt.asIntN(width, a), BigInt.asIntN(width, b), width);

const unsignedOperation =
  (apply: BigOperation): BigOperation =>
  (a, b, width) =>
    apply(BigInt.asUintN(width, a), BigInt.asUintN(width, b), width);

/** Rounds towards negative infinity; bigint division truncates. */
const floorDivide = (a: bigint, b: bigint): bigint => {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
};

/**
 * A power, wrapped: that of a negative exponent is the quotient 1 / a ** -b, rounded to zero, as upstream's
 * `convert-math-to-funcs` computes it. A zero has none.
 */
const wrappedPower = (a: bigint, b: bigint, width: number): bigint => {
  if (b < 0n) return a === 1n ? 1n : a === -1n ? (b % 2n === 0n ? 1n : -1n) : 0n;
  let [result, base] = [1n, a];
  for (let rest = b; rest > 0n; rest >>= 1n) {
    if (rest % 2n === 1n) result = BigInt.asIntN(width, result * base);
    base = BigInt.asIntN(width, base * base);
  }
  return result;
};

/** Results before wrapping; a shift by the width or more, which is poison, gives 0. */
const bigOperations: Readonly<Record<string, BigOperation>> = {
  'arith.addi': (a, b) => a + b,
  'arith.subi': (a, b) => a - b,
  'arith.muli': (a, b) => a * b,
  'arith.divsi': signedOperation((a, b) => a / b),
  'arith.divui': unsignedOperation((a, b) => a / b),
  'arith.remsi': signedOperation((a, b) => a % b),
  'arith.remui': unsignedOperation((a, b) => a % b),
  'arith.floordivsi': signedOperation(floorDivide),
  'arith.ceildivsi': signedOperation((a, b) => -floorDivide(-a, b)),
  'arith.ceildivui': unsignedOperation((a, b) => (a + b - 1n) / b),
  'arith.andi': (a, b) => a & b,
  'arith.ori': (a, b) => a | b,
  'arith.xori': (a, b) => a ^ b,
  'arith.shli': unsignedOperation((a, b, width) => (b < BigInt(width) ? a << b : 0n)),
  'arith.shrui': unsignedOperation((a, b) => a >> b),
  'arith.shrsi': (a, b, width) => {
    const amount = BigInt.asUintN(width, b);
    return amount < BigInt(width) ? BigInt.asIntN(width, a) >> amount : 0n;
  },
  'arith.maxsi': signedOperation((a, b) => (a > b ? a : b)),
  'arith.minsi': signedOperation((a, b) => (a < b ? a : b)),
  'arith.maxui': unsignedOperation((a, b) => (a > b ? a : b)),
  'arith.minui': unsignedOperation((a, b) => (a < b ? a : b)),
  'math.ipowi': signedOperation(wrappedPower),
};

/** The operations that `integerOperation` supports. */
export const integerOperationNames: readonly string[] = Object.keys(bigOperations);

const divisions: ReadonlySet<string> = new Set([
  'arith.divsi',
  'arith.divui',
  'arith.remsi',
  'arith.remui',
  'arith.floordivsi',
  'arith.ceildivsi',
  'arith.ceildivui',
]);

/** Divisions that may overflow: the least integer by -1. */
const signedQuotients: ReadonlySet<string> = new Set(['arith.divsi', 'arith.floordivsi', 'arith.ceildivsi']);

const trapDivisionByZero = (operation: Operation, a: Scalar): never =>
  trap(operation, 'interpreter/division-by-zero', `divides ${a} by zero`);

const trapOverflow = (operation: Operation, a: Scalar, b: Scalar, type: Type): never =>
  trap(operation, 'interpreter/overflow', `divides ${a} by ${b}, which ${printType(type)} does not hold`);

/** The binary integer operation on values of `type`; undefined if it is not one. */
export const integerOperation = (
  operation: Operation,
  type: Type,
): ((a: Scalar, b: Scalar) => Scalar) | undefined => {
  const apply = bigOperations[operation.name];
  const width = widthOf(type);
  if (apply === undefined || width === undefined) return undefined;
  const hold = holdInteger(operation, type);
  const divides = divisions.has(operation.name);
  const isPower = operation.name === 'math.ipowi';
  const isSignedQuotient = signedQuotients.has(operation.name);
  return (a, b) => {
    if (divides && BigInt(b) === 0n) trapDivisionByZero(operation, a);
    if (isPower && BigInt(a) === 0n && signedValue(b, width) < 0n) trapDivisionByZero(operation, 1);
    const value = apply(BigInt(a), BigInt(b), width);
    if (isSignedQuotient && signedValue(value, width) !== value) trapOverflow(operation, a, b, type);
    return hold(value);
  };
};

type NumberOperation = (a: number, b: number) => number;

/** Exact before wrapping on `index` and integers of 8 to 32 bits. */
const numberOperations: Readonly<Record<string, NumberOperation>> = {
  'arith.addi': (a, b) => a + b,
  'arith.subi': (a, b) => a - b,
  'arith.maxsi': (a, b) => Math.max(a, b),
  'arith.minsi': (a, b) => Math.min(a, b),
};

const numberDivisions: Readonly<Record<string, NumberOperation>> = {
  'arith.divsi': (a, b) => Math.trunc(a / b),
  'arith.remsi': (a, b) => a % b,
  'arith.floordivsi': (a, b) => Math.floor(a / b),
  'arith.ceildivsi': (a, b) => Math.ceil(a / b),
};

/** Below this magnitude, rounding a quotient to double never crosses an integer. */
const exactQuotients = 2 ** 52;

/** The fast path for values held as numbers; undefined if there is none. */
export const integerOperationOnNumbers = (operation: Operation, type: Type): NumberOperation | undefined => {
  const { name } = operation;
  const width = widthOf(type);
  if (width === undefined || width === 1) return undefined;
  const shift = 32 - width;
  const wrap =
    type.kind === 'index'
      ? (value: number): number => safeIndex(operation, value)
      : (value: number): number => (value << shift) >> shift;
  const exact = numberOperations[name];
  if (exact !== undefined) return (a, b) => wrap(exact(a, b));
  if (name === 'arith.muli') {
    return type.kind === 'index' ? (a, b) => wrap(a * b) : (a, b) => wrap(Math.imul(a, b));
  }
  const divide = numberDivisions[name];
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
