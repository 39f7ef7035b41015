/** Functions of the math dialect that JavaScript lacks, or defines differently. */
import type { FloatOp } from './scalar-op.ts';

/** The magnitude of one number with the sign of another. */
export const copySign = (magnitude: number, sign: number): number =>
  sign < 0 || Object.is(sign, -0) ? -Math.abs(magnitude) : Math.abs(magnitude);

/** Rounds to the nearest integer, ties away from zero; keeps the sign of zero. */
export const roundAway = (x: number): number => copySign(Math.round(Math.abs(x)), x);

/** Rounds to the nearest integer, ties to even; keeps the sign of zero. */
export const roundEven = (x: number): number => {
  const magnitude = Math.abs(x);
  const below = Math.floor(magnitude);
  return copySign(magnitude - below === 0.5 ? below + (below % 2) : Math.round(magnitude), x);
};

/** C's `pow`, which gives 1 for the base 1, and for -1 to an infinite power; JavaScript gives NaN. */
export const power = (base: number, exponent: number): number =>
  base === 1 || (base === -1 && Math.abs(exponent) === Infinity) ? 1 : base ** exponent;

/** The power of a float by an integer; exact parity for any exponent. */
export const integerPower = (base: number, exponent: bigint): number => {
  const magnitude = power(Math.abs(base), Number(exponent));
  return exponent % 2n === 0n ? magnitude : copySign(magnitude, base);
};

/**
 * A power, wrapped to `width` bits: that of a negative exponent is the quotient 1 / a ** -b, rounded to zero, as
 * upstream's `convert-math-to-funcs` computes it. Zero has none.
 */
export const wrappedPower = (a: bigint, b: bigint, width: number): bigint | undefined => {
  if (b < 0n) {
    if (a === 0n) return undefined;
    return a === 1n ? 1n : a === -1n ? (b % 2n === 0n ? 1n : -1n) : 0n;
  }
  let [result, base] = [1n, a];
  for (let rest = b; rest > 0n; rest >>= 1n) {
    if (rest % 2n === 1n) result = BigInt.asIntN(width, result * base);
    base = BigInt.asIntN(width, base * base);
  }
  return result;
};

/** `a * b + c`, rounded once up to f32: there the product is exact in double. In f64 it is rounded before the sum. */
export const fusedMultiplyAdd: FloatOp = {
  kind: 'floats',
  compute: (a, b, c) => a * b + c,
  computeNarrow: (a, b, c) => sumToOdd(a * b, c),
};

/** A sum in double, to an odd last bit where it is inexact: rounded to a narrower type, it is rounded once. */
const sumToOdd = (a: number, b: number): number => {
  const sum = a + b;
  const added = sum - a;
  const error = a - (sum - added) + (b - added);
  // NaN for an infinite sum.
  if (!(Math.abs(error) > 0)) return sum;
  const double = Float64Array.of(sum);
  const bits = new BigInt64Array(double.buffer);
  bits[0] = (bits[0]! - (error > 0 === sum > 0 ? 0n : 1n)) | 1n;
  return double[0]!;
};
