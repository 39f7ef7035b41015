/**
 * Functions of f32, in f32: within 1.6 units in the last place. Arguments are reduced to a small range, where a
 * polynomial suffices: the one whose largest error is least, fitted at Chebyshev's points, weighted anew until the
 * errors are equal (Lawson), and rounded to f32. No product is fused with a sum, so that all backends give the same
 * bits.
 */
import type { SingleKit } from './math-kit.ts';
import { pairwisePolynomial } from './math-kit.ts';

/** Code of a function of one number. */
export type SingleFunction = <E>(k: SingleKit<E>, x: E) => E;

/** ln 2: nine bits, so that a multiple of it is exact, and the rest. */
const ln2 = [0.693359375, -2.1219444005469057e-4] as const;

/** exp(r) is 1 + r + r² times the polynomial of these, up to half of ln 2. */
const exponential = [0.49999994, 0.16666512, 0.041668404, 0.008368899, 0.0013814222];

/** What an integer is added to for its bits to be the lower ones of the sum. */
const asInteger = 1.5 * 2 ** 23;

/** 2 to the power of a whole number from -126 to 127, given as bits. */
const powerOfTwo = <E>(k: SingleKit<E>, whole: E): E =>
  k.fromBits(k.shiftLeft(k.addBits(whole, k.bitsOf(127n)), 23));

/** From here on, and from there down, the result is infinite, or nothing. */
const [most, least] = [89, -104];

const exp: SingleFunction = (k, given) => {
  // NaN is in no bound.
  const x = k.keep(k.greater(k.lesser(given, k.of(most)), k.of(least)));
  const shifted = k.keep(k.add(k.mul(x, k.of(Math.LOG2E)), k.of(asInteger)));
  const multiple = k.keep(k.sub(shifted, k.of(asInteger)));
  const r = k.keep(k.sub(k.sub(x, k.mul(multiple, k.of(ln2[0]))), k.mul(multiple, k.of(ln2[1]))));
  const tail = k.mul(k.mul(r, r), pairwisePolynomial(k, r, exponential));
  const ofRest = k.add(k.of(1), k.add(r, tail));
  // 2 to the power of n as the product of two powers: what has few digits is rounded once.
  const n = k.keep(k.subBits(k.toBits(shifted), k.bitsOf(0x4b400000n)));
  const half = k.keep(k.shiftRight(n, 1));
  return k.mul(k.mul(ofRest, powerOfTwo(k, half)), powerOfTwo(k, k.subBits(n, half)));
};

/** 2 to the power of r is 1 + r times the polynomial of these, up to a half. */
const power = [0.6931472, 0.24022648, 0.055503324, 0.009618437, 0.0013398874, 0.00015353362];

/** 2 to the power of a number from -125 to 125. */
const powerWithin: SingleFunction = (k, x) => {
  const shifted = k.keep(k.add(x, k.of(asInteger)));
  const r = k.keep(k.sub(x, k.sub(shifted, k.of(asInteger))));
  const ofRest = k.add(k.of(1), k.mul(r, pairwisePolynomial(k, r, power)));
  // Adds to the exponent: of the bits of the sum above only those of the whole number stay.
  return k.fromBits(k.addBits(k.toBits(ofRest), k.shiftLeft(k.toBits(shifted), 23)));
};

/** A function with f(-x) = -f(x): what it is of numbers without a sign, near 0 and farther away. */
const odd =
  (end: number, border: number, near: SingleFunction, far: SingleFunction): SingleFunction =>
  (k, given) => {
    const signs = k.andBits(k.toBits(given), k.bitsOf(-(2n ** 31n)));
    const x = k.keep(k.lesser(k.abs(given), k.of(end)));
    // NaN is not above the border, and stays what it is near 0.
    const magnitude = k.choose(k.lt(k.of(border), x), k.keep(far(k, x)), k.keep(near(k, x)));
    return k.fromBits(k.orBits(k.toBits(magnitude), signs));
  };

/** erf(x) is x + x times the polynomial of these in x², up to 1. */
const erfNear = [
  0.12837917, -0.37612626, 0.112835854, -0.026853813, 0.005188329, -0.00080102036, 0.00007853892,
];

/** The binary logarithm of 1 - erf(x) is x times the polynomial of these, from 1 to 4. */
const erfFar = [-1.6280526, -0.91731095, -0.15165049, 0.032891203, -0.004597784, 0.00030389288];

/** From 4 on, it is 1. */
const erf = odd(
  4,
  1,
  (k, x) => k.add(x, k.mul(x, pairwisePolynomial(k, k.keep(k.mul(x, x)), erfNear))),
  (k, x) => k.sub(k.of(1), powerWithin(k, k.keep(k.mul(x, pairwisePolynomial(k, x, erfFar))))),
);

/** tanh(x) is x + x³ times the polynomial of these in x², up to 0.625. */
const tanhNear = [-0.3333328, 0.13331442, -0.053739715, 0.02063909, -0.0057049902];

/** From 10 on, it is 1. */
const tanh = odd(
  10,
  0.625,
  (k, x) => {
    const square = k.keep(k.mul(x, x));
    return k.add(x, k.mul(k.mul(x, square), pairwisePolynomial(k, square, tanhNear)));
  },
  (k, x) => {
    const ofTwice = powerWithin(k, k.keep(k.mul(x, k.of(2 * Math.LOG2E))));
    return k.sub(k.of(1), k.div(k.of(2), k.add(ofTwice, k.of(1))));
  },
);

/** By the name of the operation of `math`; of others, the function of f64 is rounded. */
export const singleFunctions: Readonly<Record<string, SingleFunction>> = {
  'math.exp': exp,
  'math.erf': erf,
  'math.tanh': tanh,
};
