/** The inner loop of elimination: `(a * b - c * d) / divisor`, which is known to be an integer. */
import type { Int } from './int.ts';
import { normalInt, spendFor } from './int.ts';

const largest = Number.MAX_SAFE_INTEGER;

/** `(a * b - c * d) / divisor` for a positive divisor of the difference, exact for operands of any size. */
export function cross(a: Int, b: Int, c: Int, d: Int, divisor: Int): Int {
  if (
    typeof a === 'number' &&
    typeof b === 'number' &&
    typeof c === 'number' &&
    typeof d === 'number' &&
    typeof divisor === 'number'
  ) {
    const first = a * b;
    const second = c * d;
    const difference = first - second;
    if (
      first <= largest &&
      first >= -largest &&
      second <= largest &&
      second >= -largest &&
      difference <= largest &&
      difference >= -largest
    )
      return difference / divisor + 0;
    // Below, the errors of a few units of the remainder would matter.
    if (divisor >= 64) {
      const wide = crossWide(a, b, c, d, divisor);
      if (wide <= largest && wide >= -largest) return wide;
    }
  }
  const difference = BigInt(a) * BigInt(b) - BigInt(c) * BigInt(d);
  spendFor(difference);
  return normalInt(difference / BigInt(divisor));
}

/**
 * The same in pairs of doubles, several times as fast as in BigInts: products of numbers below 2^53 and their errors
 * are exact (T. J. Dekker, A floating-point technique for extending the available precision, 1971), the first
 * quotient is right up to a few units, and the remainder of the division corrects it. Exact if the result is below
 * 2^53.
 */
function crossWide(a: number, b: number, c: number, d: number, divisor: number): number {
  const first = a * b;
  const second = c * d;
  const sum = first - second;
  const shifted = sum - first;
  const sumError = first - (sum - shifted) - (second + shifted);
  const tail = sumError + (productError(a, b, first) - productError(c, d, second));
  const quotient = Math.round((sum + tail) / divisor);
  const back = quotient * divisor;
  const remainder = sum - back + (tail - productError(quotient, divisor, back));
  return quotient + Math.round(remainder / divisor) + 0;
}

/** `a * b - product`, where `product` is the rounded one. */
function productError(a: number, b: number, product: number): number {
  const splitA = a * 134217729;
  const highA = splitA - (splitA - a);
  const lowA = a - highA;
  const splitB = b * 134217729;
  const highB = splitB - (splitB - b);
  const lowB = b - highB;
  return lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB);
}
