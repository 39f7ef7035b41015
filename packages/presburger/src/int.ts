/**
 * Integers of any size: a number while it is below 2^53 in magnitude, a BigInt beyond. Every function returns this
 * normal form, so `===` compares values, and `<` and `>` compare the two forms with each other.
 */
import { spend } from './budget.ts';

/** An integer: a number if `Number.isSafeInteger`, else a BigInt. */
export type Int = number | bigint;

const largest = Number.MAX_SAFE_INTEGER;
const largestBig = BigInt(largest);

/** The normal form of a BigInt. */
export const normalInt = (value: bigint): Int =>
  value <= largestBig && value >= -largestBig ? Number(value) : value;

/** An operation on BigInts costs about this many times as much as one on numbers. */
const slow = 8;

/** Below this, products cost alike. */
const long = 1n << 512n;

/** Counts the work of a product, or a division, that is as long as this: the square of its length. */
export function spendFor(whole: bigint): void {
  const magnitude = whole < 0n ? -whole : whole;
  if (magnitude < long) spend(slow);
  else {
    // In units of 512 bits: the length of the text is the cheapest measure of a BigInt.
    const length = magnitude.toString(16).length / 128;
    spend(slow * (2 + 2 * length * length));
  }
}

/** Whether the result of an operation on numbers is exact: one beyond 2^53 stays beyond it when rounded. */
const isExact = (value: number): boolean => value <= largest && value >= -largest;

/** `a + b`. */
export function addInt(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (isExact(sum)) return sum;
  }
  spend(slow);
  return normalInt(BigInt(a) + BigInt(b));
}

/** `a - b`. */
export function subInt(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (isExact(difference)) return difference;
  }
  spend(slow);
  return normalInt(BigInt(a) - BigInt(b));
}

/** `a * b`. */
export function mulInt(a: Int, b: Int): Int {
  if (a === 0 || b === 0) return 0;
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (isExact(product)) return product;
  }
  const product = BigInt(a) * BigInt(b);
  spendFor(product);
  return normalInt(product);
}

/** `-a`. */
export const negInt = (a: Int): Int => (a === 0 ? 0 : -a);

/** The magnitude of `a`. */
export const absInt = (a: Int): Int => (a < 0 ? -a : a);

/** The largest integer that is at most `a / b`; `b` is positive. */
export function floorDivInt(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const remainder = a % b;
    const quotient = (a - remainder) / b;
    return (remainder < 0 ? quotient - 1 : quotient) + 0;
  }
  const [dividend, divisor] = [BigInt(a), BigInt(b)];
  spendFor(dividend);
  const quotient = dividend / divisor;
  return normalInt(quotient * divisor > dividend ? quotient - 1n : quotient);
}

/** The smallest integer that is at least `a / b`; `b` is positive. */
export const ceilDivInt = (a: Int, b: Int): Int => negInt(floorDivInt(negInt(a), b));

/** `a - b * floor(a / b)`, in `[0, b)`; `b` is positive. */
export function modInt(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const remainder = a % b;
    return (remainder < 0 ? remainder + b : remainder) + 0;
  }
  const [dividend, divisor] = [BigInt(a), BigInt(b)];
  spendFor(dividend);
  const remainder = dividend % divisor;
  return normalInt(remainder < 0n ? remainder + divisor : remainder);
}

/** `a / b` for a divisor `b` of `a`. */
export function divExactInt(a: Int, b: Int): Int {
  if (b === 1) return a;
  if (typeof a === 'number' && typeof b === 'number') return a / b + 0;
  const dividend = BigInt(a);
  spendFor(dividend);
  return normalInt(dividend / BigInt(b));
}

/** The greatest common divisor of the magnitudes; `gcdInt(0, n)` is `|n|`. */
export function gcdInt(a: Int, b: Int): Int {
  let [x, y] = [absInt(a), absInt(b)];
  while (y !== 0) {
    if (typeof x === 'number' && typeof y === 'number') [x, y] = [y, x % y];
    else [x, y] = [y, modInt(x, y)];
  }
  return x;
}
