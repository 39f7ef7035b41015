/**
 * Exponentials, logarithms and what is made of them, in f64. Arguments are reduced to a small range, where a polynomial
 * suffices: Taylor's of exp, log and atanh, and for erf one through Chebyshev's points. Errors are below two units in
 * the last place: the README of @sconv/wasm has what was measured.
 */
import type { MathKit, Split } from './math-kit.ts';
import { exactProduct, polynomial, quickSum, withSign } from './math-kit.ts';

/** Code of a function of one number. */
export type MathFunction = <E>(k: MathKit<E>, x: E) => E;

/** ln 2: 32 bits, and the rest. */
const ln2 = [0.6931471803691238, 1.9082149292705877e-10] as const;

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));

/** 1/2!, 1/3! …: exp(r) is 1 + r + r² times the polynomial of these. */
const exponential = Array.from({ length: 12 }, (_, i) => 1 / factorial(i + 2));

/** What an integer is added to for its bits to be the lower ones of the sum. */
const asInteger = 1.5 * 2 ** 52;

/** 2 to the power of a whole number from -1022 to 1023. */
const powerOfTwo = <E>(k: MathKit<E>, n: E): E =>
  k.fromBits(k.shiftLeft(k.toBits(k.add(n, k.of(asInteger + 1023))), 52));

/** A number times 2 to the power of a whole one, from -1500 to 1500: rounded once. */
const scaled = <E>(k: MathKit<E>, x: E, n: E): E => {
  const half = k.keep(k.floor(k.mul(n, k.of(0.5))));
  return k.mul(k.mul(x, powerOfTwo(k, half)), powerOfTwo(k, k.sub(n, half)));
};

/** exp(r) - 1 - r of a small number. */
const tailOf = <E>(k: MathKit<E>, r: E): E => k.keep(k.mul(k.mul(r, r), polynomial(k, r, exponential)));

/** x as r + low + n ln 2: r is small, low what it lost, and n whole. */
const reduced = <E>(k: MathKit<E>, x: E): { readonly r: E; readonly low: E; readonly n: E } => {
  const n = k.keep(k.nearest(k.mul(x, k.of(Math.LOG2E))));
  const high = k.keep(k.sub(x, k.mul(n, k.of(ln2[0]))));
  const rest = k.keep(k.mul(n, k.of(ln2[1])));
  const r = k.keep(k.sub(high, rest));
  return { r, low: k.keep(k.sub(k.sub(high, r), rest)), n };
};

/** exp(x + more) times 2 to the power of `shift`. */
export const exponentialOf = <E>(k: MathKit<E>, x: E, shift = 0, more?: E): E => {
  const { r, low, n } = reduced(k, k.keep(k.max(k.min(x, k.of(720)), k.of(-760))));
  const tail = tailOf(k, r);
  const left = more === undefined ? low : k.add(low, more);
  const small = k.add(tail, k.mul(left, k.add(k.of(1), k.add(r, tail))));
  return scaled(k, k.add(k.of(1), k.add(r, small)), k.add(n, k.of(shift)));
};

const exp: MathFunction = (k, x) => exponentialOf(k, x);

const exp2: MathFunction = (k, x) => {
  const within = k.keep(k.max(k.min(x, k.of(1030)), k.of(-1100)));
  const n = k.keep(k.nearest(within));
  const r = k.keep(k.mul(k.sub(within, n), k.of(Math.LN2)));
  return scaled(k, k.add(k.of(1), k.add(r, tailOf(k, r))), n);
};

const expm1: MathFunction = (k, x) => {
  const within = k.keep(k.max(k.min(x, k.of(40)), k.of(-40)));
  const { r, low, n } = reduced(k, within);
  const tail = k.keep(k.add(tailOf(k, r), k.mul(low, k.add(k.of(1), r))));
  // 2^n (1 + r + tail) - 1, the larger terms first.
  const power = k.keep(powerOfTwo(k, n));
  const first = quickSum(k, k.keep(k.sub(power, k.of(1))), k.keep(k.mul(power, r)));
  const far = k.add(first.high, k.add(first.low, k.mul(power, tail)));
  // Of a small number with its sign, also that of 0.
  const near = withSign(k, k.abs(k.add(r, tail)), x);
  const result = k.choose(k.eq(n, k.of(0)), near, far);
  return k.choose(k.lt(k.of(40), x), exp(k, x), result);
};

/** A positive number as m times 2 to the power of n, with m from √½ to √2. */
const decomposed = <E>(k: MathKit<E>, x: E): { readonly m: E; readonly n: E } => {
  const isSubnormal = k.keep(k.lt(x, k.of(2 ** -1022)));
  const normal = k.toBits(k.choose(isSubnormal, k.mul(x, k.of(2 ** 54)), x));
  const bits = k.keep(normal);
  const above = k.keep(k.shiftRight(k.subBits(bits, k.bitsOf(rootOfHalf)), 52));
  const m = k.keep(k.fromBits(k.subBits(bits, k.shiftLeft(above, 52))));
  const whole = k.sub(k.fromBits(k.addBits(above, k.bitsOf(bitsOfInteger))), k.of(asInteger));
  return { m, n: k.keep(k.sub(whole, k.choose(isSubnormal, k.of(54), k.of(0)))) };
};

const bitsOfDouble = (value: number): bigint => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigInt64(0);
};
const rootOfHalf = bitsOfDouble(Math.SQRT1_2);
const bitsOfInteger = bitsOfDouble(asInteger);

/** 2/3, 2/5 …: log(1 + f) is 2s + s³ times the polynomial of these in s², with s = f / (2 + f). */
const logarithm = Array.from({ length: 10 }, (_, i) => 2 / (2 * i + 3));

/** Parts of log(1 + f): it is f - half + (s (half + rest)). */
const logarithmParts = <E>(k: MathKit<E>, f: E): { readonly half: E; readonly more: E } => {
  const s = k.keep(k.div(f, k.add(k.of(2), f)));
  const square = k.keep(k.mul(s, s));
  const half = k.keep(k.mul(k.of(0.5), k.mul(f, f)));
  const rest = k.mul(square, polynomial(k, square, logarithm));
  return { half, more: k.keep(k.mul(s, k.add(half, rest))) };
};

/** The result, for what is no positive, finite number: -∞ of 0, NaN of negative ones, and ∞ and NaN themselves. */
const ofPositive = <E>(k: MathKit<E>, x: E, result: E): E => {
  const isOther = k.lt(x, k.of(0));
  const atZero = k.choose(k.eq(x, k.of(0)), k.of(-Infinity), result);
  const finite = k.choose(isOther, k.of(NaN), atZero);
  return k.choose(k.lt(x, k.of(Infinity)), finite, k.add(x, x));
};

const log: MathFunction = (k, x) => {
  const { m, n } = decomposed(k, x);
  const f = k.keep(k.sub(m, k.of(1)));
  const { half, more } = logarithmParts(k, f);
  const low = k.sub(half, k.add(more, k.mul(n, k.of(ln2[1]))));
  return ofPositive(k, x, k.sub(k.mul(n, k.of(ln2[0])), k.sub(low, f)));
};

/** log(x) times a constant, of which the upper 26 bits are exact; a whole exponent adds `ofTwo` each. */
const otherLogarithm =
  (factor: readonly [number, number], ofTwo: readonly [number, number]): MathFunction =>
  (k, x) => {
    const { m, n } = decomposed(k, x);
    const f = k.keep(k.sub(m, k.of(1)));
    const { half, more } = logarithmParts(k, f);
    // The upper half of the digits, whose product with the factor is exact.
    const upper = k.keep(k.fromBits(k.andBits(k.toBits(k.sub(f, half)), k.bitsOf(-(2n ** 32n)))));
    const lower = k.keep(k.add(k.sub(k.sub(f, upper), half), more));
    const rest = k.add(k.mul(k.add(upper, lower), k.of(factor[1])), k.mul(lower, k.of(factor[0])));
    const whole = k.mul(n, k.of(ofTwo[0]));
    const first = quickSum(k, k.keep(whole), k.keep(k.mul(upper, k.of(factor[0]))));
    // Of a power of two the second one is 0.
    const low = k.add(first.low, k.add(rest, k.mul(n, k.of(ofTwo[1]))));
    const isWhole = k.eq(n, k.of(0));
    const alone = k.add(k.mul(upper, k.of(factor[0])), rest);
    return ofPositive(k, x, k.choose(isWhole, alone, k.add(first.high, low)));
  };

const log2 = otherLogarithm([1.4426950216293335, 1.9259629911266175e-8], [1, 0]);
const log10 = otherLogarithm(
  [0.4342944771051407, 4.798111141615973e-9],
  [0.3010299955494702, 1.1451100898021838e-10],
);

const log1p: MathFunction = (k, x) => {
  const sum = k.keep(k.add(k.of(1), x));
  const { m, n } = decomposed(k, sum);
  const isNear = k.keep(k.eq(n, k.of(0)));
  const f = k.keep(k.choose(isNear, x, k.sub(m, k.of(1))));
  const { half, more } = logarithmParts(k, f);
  // What the sum lost.
  const lost = k.choose(k.le(k.of(1), x), k.sub(k.of(1), k.sub(sum, x)), k.sub(x, k.sub(sum, k.of(1))));
  const correction = k.choose(isNear, k.of(0), k.div(lost, sum));
  const low = k.sub(half, k.add(more, k.add(k.mul(n, k.of(ln2[1])), correction)));
  const result = k.sub(k.mul(n, k.of(ln2[0])), k.sub(low, f));
  // Of 0, with its sign; the sum of larger ones than 2^53 loses all of the 1.
  const near = k.choose(k.lt(k.abs(x), k.of(2 ** -54)), x, result);
  return ofPositive(k, sum, near);
};

const tanh: MathFunction = (k, x) => {
  const magnitude = k.keep(k.min(k.abs(x), k.of(22)));
  const e = k.keep(expm1(k, k.keep(k.add(magnitude, magnitude))));
  const large = k.sub(k.of(1), k.div(k.of(2), k.add(e, k.of(2))));
  const small = k.div(e, k.add(e, k.of(2)));
  return withSign(k, k.choose(k.le(k.of(1), magnitude), large, small), x);
};

const sinh: MathFunction = (k, x) => {
  const magnitude = k.keep(k.abs(x));
  const e = k.keep(expm1(k, k.keep(k.min(magnitude, k.of(22)))));
  const small = k.mul(k.of(0.5), k.add(e, k.div(e, k.add(e, k.of(1)))));
  const large = exponentialOf(k, magnitude, -1);
  return withSign(k, k.choose(k.lt(k.of(22), magnitude), large, small), x);
};

const cosh: MathFunction = (k, x) => {
  const half = k.keep(exponentialOf(k, k.keep(k.abs(x)), -1));
  return k.add(half, k.div(k.of(0.25), half));
};

/** erf(x) is x + x times the polynomial of these in x², up to 1. */
const erfNear = [
  0.1283791670955126, -0.3761263890318375, 0.11283791670954879, -0.026866170645076792, 0.0052239776248180145,
  -0.000854832698083379, 0.0001205533111164271, -1.4925595266831182e-5, 1.6461000484121368e-6,
  -1.6350312701054695e-7, 1.4659775274047436e-8, -1.1372848856791674e-9, 5.957176147748911e-11,
];
/** (1 - erf(x)) exp(x²) is the polynomial of these in (x - 2) / (x + 2), from 1 to 6. */
const erfFar = [
  0.25539567631050575, -0.4271858474139584, 0.24165819424246646, -0.07897858101573213, 0.003732892404327764,
  0.006997461739200444, -0.0008471432509203844, -0.000981977026567889, 4.355560219515472e-5,
  0.00017436116545392264, 2.7525480361206068e-5, -2.7579864674305787e-5, -1.396807230177146e-5,
  1.392621183618803e-6, 3.789215643758464e-6, 1.1780775215625583e-6, -5.322696855655786e-7,
  -4.215301054238321e-7,
];

const erf: MathFunction = (k, x) => {
  const magnitude = k.keep(k.min(k.abs(x), k.of(6)));
  const square = k.keep(k.mul(magnitude, magnitude));
  const near = k.add(magnitude, k.mul(magnitude, polynomial(k, square, erfNear)));
  const t = k.keep(k.div(k.sub(magnitude, k.of(2)), k.add(magnitude, k.of(2))));
  const far = k.sub(k.of(1), k.mul(exp(k, k.neg(square)), polynomial(k, t, erfFar)));
  return withSign(k, k.choose(k.lt(magnitude, k.of(1)), near, far), x);
};

const cbrt: MathFunction = (k, x) => {
  const magnitude = k.keep(k.abs(x));
  const { m, n } = decomposed(k, magnitude);
  const third = k.keep(k.floor(k.mul(k.add(n, k.of(0.5)), k.of(1 / 3))));
  const rest = k.keep(k.sub(n, k.mul(k.of(3), third)));
  const t = k.keep(k.mul(m, powerOfTwo(k, rest)));
  const guess = k.keep(exponentialOf(k, k.keep(k.mul(log(k, t), k.of(1 / 3)))));
  const square = k.keep(k.mul(guess, guess));
  const step = k.div(k.sub(k.mul(square, guess), t), k.mul(k.of(3), square));
  const root = k.mul(k.sub(guess, step), powerOfTwo(k, third));
  // Of 0, ∞ and NaN, themselves.
  const ofFinite = k.choose(k.lt(magnitude, k.of(Infinity)), withSign(k, root, x), k.add(x, x));
  return k.choose(k.eq(x, k.of(0)), x, ofFinite);
};

const rsqrt: MathFunction = (k, x) => k.div(k.of(1), k.sqrt(x));

/** By the name of the operation of `math`. */
export const mathFunctions: Readonly<Record<string, MathFunction>> = {
  'math.exp': exp,
  'math.exp2': exp2,
  'math.expm1': expm1,
  'math.log': log,
  'math.log2': log2,
  'math.log10': log10,
  'math.log1p': log1p,
  'math.tanh': tanh,
  'math.sinh': sinh,
  'math.cosh': cosh,
  'math.erf': erf,
  'math.cbrt': cbrt,
  'math.rsqrt': rsqrt,
};

/** log of a positive number as a sum of two, to about 65 digits of the binary system. */
export const preciseLogarithm = <E>(k: MathKit<E>, x: E): Split<E> => {
  const { m, n } = decomposed(k, x);
  const f = k.keep(k.sub(m, k.of(1)));
  // s = f / (m + 1) in two parts.
  const sumOf = k.keep(k.add(m, k.of(1)));
  const lost = k.keep(k.sub(m, k.sub(sumOf, k.of(1))));
  const high = k.keep(k.div(f, sumOf));
  const product = exactProduct(k, high, sumOf);
  const remainder = k.sub(k.sub(k.sub(f, product.high), product.low), k.mul(high, lost));
  const low = k.keep(k.div(remainder, sumOf));
  // 2s³/3 in two parts, and the terms behind it.
  const square = exactProduct(k, high, high);
  const squareLow = k.keep(k.add(square.low, k.mul(k.of(2), k.mul(high, low))));
  const cube = exactProduct(k, high, square.high);
  const cubeLow = k.keep(k.add(cube.low, k.add(k.mul(high, squareLow), k.mul(low, square.high))));
  const third = exactProduct(k, cube.high, k.of(2 / 3));
  const thirdLow = k.add(
    third.low,
    k.add(k.mul(cubeLow, k.of(2 / 3)), k.mul(cube.high, k.of(3.700743415417188e-17))),
  );
  const fifth = k.mul(k.mul(cube.high, square.high), polynomial(k, square.high, logarithm.slice(1)));
  const first = quickSum(k, k.keep(k.mul(k.of(2), high)), third.high);
  const rest = k.keep(k.add(k.add(first.low, k.mul(k.of(2), low)), k.add(thirdLow, fifth)));
  // Both of a whole number of digits: their sum is that of n ln 2 and the rest, the larger one first.
  const whole = k.keep(k.mul(n, k.of(ln2[0])));
  const sum = quickSum(k, whole, first.high);
  const isNear = k.keep(k.eq(n, k.of(0)));
  const begun = k.keep(k.choose(isNear, first.high, sum.high));
  const carried = k.choose(isNear, k.of(0), sum.low);
  return quickSum(k, begun, k.keep(k.add(k.add(carried, k.mul(n, k.of(ln2[1]))), rest)));
};
