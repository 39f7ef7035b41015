/** Float arithmetic: each operation in double, then rounded to its type (see `rounderOf`). */

import { erf } from './erf.ts';

type FloatOperation = (a: number, b: number, c: number) => number;

const copySign = (magnitude: number, sign: number): number =>
  sign < 0 || Object.is(sign, -0) ? -Math.abs(magnitude) : Math.abs(magnitude);

/** Ties to even. */
const roundEven = (value: number): number => {
  const floor = Math.floor(value);
  const isTie = value - floor === 0.5;
  return isTie ? copySign(floor % 2 === 0 ? floor : floor + 1, value) : Math.round(value);
};

/** C's `pow`, which gives 1 for the base 1, and for -1 to an infinite power; JavaScript gives NaN. */
const power = (base: number, exponent: number): number =>
  base === 1 || (base === -1 && Math.abs(exponent) === Infinity) ? 1 : base ** exponent;

/** The power of a float by an integer; exact parity for any exponent. */
export const integerPower = (base: number, exponent: bigint): number => {
  const magnitude = power(Math.abs(base), Number(exponent));
  return exponent % 2n === 0n ? magnitude : copySign(magnitude, base);
};

/** Operations whose operands and result have one float type, before rounding. */
export const floatOperations: Readonly<Record<string, FloatOperation>> = {
  'arith.addf': (a, b) => a + b,
  'arith.subf': (a, b) => a - b,
  'arith.mulf': (a, b) => a * b,
  'arith.divf': (a, b) => a / b,
  'arith.remf': (a, b) => a % b,
  'arith.negf': (a) => -a,
  // `maximumf` propagates NaN, `maxnumf` ignores it.
  'arith.maximumf': (a, b) => Math.max(a, b),
  'arith.minimumf': (a, b) => Math.min(a, b),
  'arith.maxnumf': (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b)),
  'arith.minnumf': (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b)),
  'math.absf': Math.abs,
  'math.acos': Math.acos,
  'math.acosh': Math.acosh,
  'math.asin': Math.asin,
  'math.asinh': Math.asinh,
  'math.atan': Math.atan,
  'math.atan2': Math.atan2,
  'math.atanh': Math.atanh,
  'math.cbrt': Math.cbrt,
  'math.ceil': Math.ceil,
  'math.copysign': copySign,
  'math.cos': Math.cos,
  'math.cosh': Math.cosh,
  'math.erf': erf,
  'math.exp': Math.exp,
  'math.exp2': (a) => 2 ** a,
  'math.expm1': Math.expm1,
  'math.floor': Math.floor,
  // In f64; the product is rounded before the sum.
  'math.fma': (a, b, c) => a * b + c,
  'vector.fma': (a, b, c) => a * b + c,
  'math.log': Math.log,
  'math.log10': Math.log10,
  'math.log1p': Math.log1p,
  'math.log2': Math.log2,
  'math.powf': power,
  // Ties away from zero.
  'math.round': (a) => copySign(Math.round(Math.abs(a)), a),
  'math.roundeven': roundEven,
  'math.rsqrt': (a) => 1 / Math.sqrt(a),
  'math.sin': Math.sin,
  'math.sinh': Math.sinh,
  'math.sqrt': Math.sqrt,
  'math.tan': Math.tan,
  'math.tanh': Math.tanh,
  'math.trunc': Math.trunc,
};

/** The operations, of types up to f32, whose result in double is not precise enough to be rounded again. */
export const narrowFloatOperations: Readonly<Record<string, FloatOperation>> = {
  // The product is exact in double.
  'math.fma': (a, b, c) => sumToOdd(a * b, c),
  'vector.fma': (a, b, c) => sumToOdd(a * b, c),
};

const double = new Float64Array(1);
const doubleBits = new BigInt64Array(double.buffer);

/** A sum in double, to an odd last bit where it is inexact: rounded to a narrower type, it is rounded once. */
const sumToOdd = (a: number, b: number): number => {
  const sum = a + b;
  const added = sum - a;
  const error = a - (sum - added) + (b - added);
  // NaN for an infinite sum.
  if (!(Math.abs(error) > 0)) return sum;
  double[0] = sum;
  doubleBits[0] = (doubleBits[0]! - (error > 0 === sum > 0 ? 0n : 1n)) | 1n;
  return double[0];
};

/** The comparisons of `arith.cmpf`, in predicate order. */
export const floatComparisons: readonly ((a: number, b: number) => boolean)[] = [
  () => false,
  (a, b) => a === b,
  (a, b) => a > b,
  (a, b) => a >= b,
  (a, b) => a < b,
  (a, b) => a <= b,
  (a, b) => a < b || a > b,
  (a, b) => !Number.isNaN(a) && !Number.isNaN(b),
  (a, b) => !(a < b || a > b),
  (a, b) => !(a <= b),
  (a, b) => !(a < b),
  (a, b) => !(a >= b),
  (a, b) => !(a > b),
  (a, b) => a !== b,
  (a, b) => Number.isNaN(a) || Number.isNaN(b),
  () => true,
];
