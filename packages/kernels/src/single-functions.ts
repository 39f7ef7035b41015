/**
 * Functions of f32, in f32: within one and a half units in the last place. Arguments are reduced to a small range,
 * where a polynomial suffices: the one whose largest error is least, fitted at Chebyshev's points, weighted anew until
 * the errors are equal (Lawson), and rounded to f32. No product is fused with a sum, so that all backends give the same
 * bits.
 */
import type { SingleKit } from './math-kit.ts';
import { polynomial } from './math-kit.ts';

/** Code of a function of one number. */
export type SingleFunction = <E>(k: SingleKit<E>, x: E) => E;

/** ln 2: nine bits, so that a multiple of it is exact, and the rest. */
const ln2 = [0.693359375, -2.1219444005469057e-4] as const;

/** exp(r) is 1 + r + r² times the polynomial of these, up to half of ln 2. */
const exponential = [0.49999994, 0.16666512, 0.041668404, 0.008368899, 0.0013814222];

/** What an integer is added to for its bits to be the lower ones of the sum. */
const asInteger = 1.5 * 2 ** 23;

/** x as a power, exp(r), and the bits of a whole number n: exp(x) is that power times 2 to the power of n. */
const parts = <E>(k: SingleKit<E>, x: E): { readonly power: E; readonly whole: E } => {
  const shifted = k.keep(k.add(k.mul(x, k.of(Math.LOG2E)), k.of(asInteger)));
  const n = k.keep(k.sub(shifted, k.of(asInteger)));
  const r = k.keep(k.sub(k.sub(x, k.mul(n, k.of(ln2[0]))), k.mul(n, k.of(ln2[1]))));
  const tail = k.mul(k.mul(r, r), polynomial(k, r, exponential));
  return {
    power: k.add(k.of(1), k.add(r, tail)),
    whole: k.subBits(k.toBits(shifted), k.bitsOf(0x4b400000n)),
  };
};

/** 2 to the power of a whole number from -126 to 127, given as bits. */
const powerOfTwo = <E>(k: SingleKit<E>, whole: E): E =>
  k.fromBits(k.shiftLeft(k.addBits(whole, k.bitsOf(127n)), 23));

/** From here on, and from there down, the result is infinite, or nothing. */
const [most, least] = [89, -104];

const exp: SingleFunction = (k, given) => {
  // NaN is in no bound.
  const x = k.keep(k.greater(k.lesser(given, k.of(most)), k.of(least)));
  const { power, whole } = parts(k, x);
  // 2 to the power of n as the product of two powers: what has few digits is rounded once.
  const n = k.keep(whole);
  const half = k.keep(k.shiftRight(n, 1));
  return k.mul(k.mul(power, powerOfTwo(k, half)), powerOfTwo(k, k.subBits(n, half)));
};

/** exp(x) of a number from -80 to 80, and of NaN. */
const expWithin: SingleFunction = (k, x) => {
  const { power, whole } = parts(k, x);
  return k.mul(power, powerOfTwo(k, whole));
};

/** A function with f(-x) = -f(x): what it is of numbers without a sign, near 0 and farther away. */
const odd =
  (end: number, border: number, near: SingleFunction, far: SingleFunction): SingleFunction =>
  (k, given) => {
    const signs = k.andBits(k.toBits(given), k.bitsOf(-(2n ** 31n)));
    const x = k.keep(k.lesser(k.abs(given), k.of(end)));
    const magnitude = k.choose(k.lt(x, k.of(border)), k.keep(near(k, x)), k.keep(far(k, x)));
    return k.fromBits(k.orBits(k.toBits(magnitude), signs));
  };

/** erf(x) is x + x times the polynomial of these in x², up to 1. */
const erfNear = [
  0.12837917, -0.37612626, 0.112835854, -0.026853813, 0.0051883293, -0.00080102053, 0.000078538964,
];

/** log(1 - erf(x)) is x times the polynomial of these, from 1 to 4. */
const erfFar = [-1.1286972, -0.6349583, -0.1065491, 0.024025504, -0.003764658, 0.0003523316, -0.000014133782];

/** From 4 on, it is 1. */
const erf = odd(
  4,
  1,
  (k, x) => k.add(x, k.mul(x, polynomial(k, k.keep(k.mul(x, x)), erfNear))),
  (k, x) => k.sub(k.of(1), expWithin(k, k.keep(k.mul(x, polynomial(k, x, erfFar))))),
);

/** tanh(x) is x + x³ times the polynomial of these in x², up to 0.625. */
const tanhNear = [-0.3333328, 0.13331442, -0.053739715, 0.02063909, -0.0057049902];

/** From 10 on, it is 1. */
const tanh = odd(
  10,
  0.625,
  (k, x) => {
    const square = k.keep(k.mul(x, x));
    return k.add(x, k.mul(k.mul(x, square), polynomial(k, square, tanhNear)));
  },
  (k, x) => {
    const power = expWithin(k, k.keep(k.add(x, x)));
    return k.sub(k.of(1), k.div(k.of(2), k.add(power, k.of(1))));
  },
);

/** By the name of the operation of `math`; of others, the function of f64 is rounded. */
export const singleFunctions: Readonly<Record<string, SingleFunction>> = {
  'math.exp': exp,
  'math.erf': erf,
  'math.tanh': tanh,
};
