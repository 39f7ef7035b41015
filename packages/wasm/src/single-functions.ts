/**
 * Functions on four numbers of f32 at a time, in f32: within one and a half units in the last place. Arguments are
 * reduced to a small range, where a polynomial suffices: Taylor's of exp, and for erf that of `math-functions.ts`.
 */
import type { FunctionBuilder } from './encoder.ts';
import type { Expr } from './instructions.ts';
import { f32, f32x4, i32, i32x4, v128 } from './instructions.ts';
import { erfFar, erfNear } from './math-functions.ts';

type Vector = Expr<'v128'>;

/** Code of a function of four numbers. */
export type SingleFunction = (f: FunctionBuilder, x: Vector) => Vector;

const of = (value: number): Vector => f32x4.splat(f32.const(Math.fround(value)));

/** A sum of powers of `x` with these coefficients, the constant one first. */
const polynomial = (x: Vector, coefficients: readonly number[]): Vector =>
  coefficients
    .slice(0, -1)
    .reduceRight((sum, each) => f32x4.add(f32x4.mul(sum, x), of(each)), of(coefficients.at(-1)!));

/** ln 2: nine bits, so that a multiple of it is exact, and the rest. */
const ln2 = [0.693359375, -2.1219444005469057e-4] as const;

/** 1/2!, 1/3! … 1/7!: exp(r) is 1 + r + r² times the polynomial of these. */
const exponential = [1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720, 1 / 5040];

/** What an integer is added to for its bits to be the lower ones of the sum. */
const asInteger = 1.5 * 2 ** 23;

/** From here on, and from there down, the result is infinite, or nothing. */
const [most, least] = [89, -104];

const exp: SingleFunction = (f, given) => {
  const keep = (value: Vector): Vector => f.get(f.let(value));
  // NaN is in no bound.
  const x = keep(f32x4.pmax(f32x4.pmin(given, of(most)), of(least)));
  const shifted = keep(f32x4.add(f32x4.mul(x, of(Math.LOG2E)), of(asInteger)));
  const n = keep(f32x4.sub(shifted, of(asInteger)));
  const r = keep(f32x4.sub(f32x4.sub(x, f32x4.mul(n, of(ln2[0]))), f32x4.mul(n, of(ln2[1]))));
  const tail = f32x4.mul(f32x4.mul(r, r), polynomial(r, exponential));
  const power = keep(f32x4.add(of(1), f32x4.add(r, tail)));
  // 2 to the power of n as the product of two powers: what has few digits is rounded once.
  const whole = keep(i32x4.sub(shifted, i32x4.splat(i32.const(0x4b400000))));
  const half = keep(i32x4.shrS(whole, i32.const(1)));
  const powerOfTwo = (exponent: Vector): Vector =>
    i32x4.shl(i32x4.add(exponent, i32x4.splat(i32.const(127))), i32.const(23));
  return f32x4.mul(f32x4.mul(power, powerOfTwo(half)), powerOfTwo(i32x4.sub(whole, half)));
};

/** Terms of the polynomials of erf that a f32 shows. */
const erfTerms = 11;

const erf: SingleFunction = (f, given) => {
  const keep = (value: Vector): Vector => f.get(f.let(value));
  const signs = v128.and(given, i32x4.splat(i32.const(-(2 ** 31))));
  // From 4 on, it is 1.
  const x = keep(f32x4.pmin(f32x4.abs(given), of(4)));
  const square = keep(f32x4.mul(x, x));
  const near = f32x4.add(x, f32x4.mul(x, polynomial(square, erfNear.slice(0, erfTerms))));
  const t = keep(f32x4.div(f32x4.sub(x, of(2)), f32x4.add(x, of(2))));
  const rest = f32x4.mul(exp(f, keep(f32x4.neg(square))), polynomial(t, erfFar.slice(0, erfTerms)));
  const isNear = f32x4.lt(x, of(1));
  return v128.or(v128.bitselect(keep(near), keep(f32x4.sub(of(1), rest)), isNear), signs);
};

/** By the name of the operation of `math`. */
export const singleFunctions: Readonly<Record<string, SingleFunction>> = {
  'math.exp': exp,
  'math.erf': erf,
};
