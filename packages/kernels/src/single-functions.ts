/**
 * Functions of f32, in f32: within one and a half units in the last place. Arguments are reduced to a small range, where
 * a polynomial suffices: Taylor's of exp, and for erf that of `math-functions.ts`. No product is fused with a sum, so
 * that all backends give the same bits.
 */
import { erfFar, erfNear } from './math-functions.ts';
import type { SingleKit } from './math-kit.ts';
import { polynomial } from './math-kit.ts';

/** Code of a function of one number. */
export type SingleFunction = <E>(k: SingleKit<E>, x: E) => E;

/** ln 2: nine bits, so that a multiple of it is exact, and the rest. */
const ln2 = [0.693359375, -2.1219444005469057e-4] as const;

/** 1/2!, 1/3! … 1/7!: exp(r) is 1 + r + r² times the polynomial of these. */
const exponential = [1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720, 1 / 5040];

/** What an integer is added to for its bits to be the lower ones of the sum. */
const asInteger = 1.5 * 2 ** 23;

/** From here on, and from there down, the result is infinite, or nothing. */
const [most, least] = [89, -104];

const exp: SingleFunction = (k, given) => {
  // NaN is in no bound.
  const x = k.keep(k.greater(k.lesser(given, k.of(most)), k.of(least)));
  const shifted = k.keep(k.add(k.mul(x, k.of(Math.LOG2E)), k.of(asInteger)));
  const n = k.keep(k.sub(shifted, k.of(asInteger)));
  const r = k.keep(k.sub(k.sub(x, k.mul(n, k.of(ln2[0]))), k.mul(n, k.of(ln2[1]))));
  const tail = k.mul(k.mul(r, r), polynomial(k, r, exponential));
  const power = k.keep(k.add(k.of(1), k.add(r, tail)));
  // 2 to the power of n as the product of two powers: what has few digits is rounded once.
  const whole = k.keep(k.subBits(k.toBits(shifted), k.bitsOf(0x4b400000n)));
  const half = k.keep(k.shiftRight(whole, 1));
  const powerOfTwo = (exponent: typeof given) =>
    k.fromBits(k.shiftLeft(k.addBits(exponent, k.bitsOf(127n)), 23));
  return k.mul(k.mul(power, powerOfTwo(half)), powerOfTwo(k.subBits(whole, half)));
};

/** Terms of the polynomials of erf that a f32 shows. */
const erfTerms = 11;

const erf: SingleFunction = (k, given) => {
  const signs = k.andBits(k.toBits(given), k.bitsOf(-(2n ** 31n)));
  // From 4 on, it is 1.
  const x = k.keep(k.lesser(k.abs(given), k.of(4)));
  const square = k.keep(k.mul(x, x));
  const near = k.add(x, k.mul(x, polynomial(k, square, erfNear.slice(0, erfTerms))));
  const t = k.keep(k.div(k.sub(x, k.of(2)), k.add(x, k.of(2))));
  const rest = k.mul(exp(k, k.keep(k.neg(square))), polynomial(k, t, erfFar.slice(0, erfTerms)));
  const isNear = k.lt(x, k.of(1));
  const magnitude = k.choose(isNear, k.keep(near), k.keep(k.sub(k.of(1), rest)));
  return k.fromBits(k.orBits(k.toBits(magnitude), signs));
};

/** By the name of the operation of `math`; of others, the function of f64 is rounded. */
export const singleFunctions: Readonly<Record<string, SingleFunction>> = {
  'math.exp': exp,
  'math.erf': erf,
};
