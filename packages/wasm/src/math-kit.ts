/**
 * Arithmetic that mathematical functions are written in, on a number of f64 or on the two of a register: a function is
 * written once for both. Conditions choose between values that are both computed.
 */
import type { FunctionBuilder } from './encoder.ts';
import type { Expr } from './instructions.ts';
import { f64, f64x2, i32, i64, i64x2, select, typed, v128 } from './instructions.ts';

type Unary = (a: Expr) => Expr;
type Binary = (a: Expr, b: Expr) => Expr;

/** Operations on numbers; bits are integers of 64 bits, and conditions of a kind of their own. */
export interface MathKit {
  readonly of: (value: number) => Expr;
  readonly bitsOf: (value: bigint) => Expr;
  /** Computes a value once. */
  readonly keep: Unary;
  readonly add: Binary;
  readonly sub: Binary;
  readonly mul: Binary;
  readonly div: Binary;
  /** Of which either is NaN, NaN. */
  readonly min: Binary;
  readonly max: Binary;
  readonly abs: Unary;
  readonly neg: Unary;
  readonly sqrt: Unary;
  readonly floor: Unary;
  /** The nearest integer, ties to even. */
  readonly nearest: Unary;
  readonly lt: Binary;
  readonly le: Binary;
  readonly eq: Binary;
  readonly choose: (condition: Expr, a: Expr, b: Expr) => Expr;
  readonly toBits: Unary;
  readonly fromBits: Unary;
  readonly addBits: Binary;
  readonly subBits: Binary;
  readonly andBits: Binary;
  readonly orBits: Binary;
  readonly shiftLeft: (bits: Expr, count: number) => Expr;
  /** Keeps the sign. */
  readonly shiftRight: (bits: Expr, count: number) => Expr;
}

const of1 =
  (operation: (a: Expr<'f64'>) => Expr): Unary =>
  (a) =>
    operation(typed(a, 'f64'));
const of2 =
  (operation: (a: Expr<'f64'>, b: Expr<'f64'>) => Expr): Binary =>
  (a, b) =>
    operation(typed(a, 'f64'), typed(b, 'f64'));
const bits2 =
  (operation: (a: Expr<'i64'>, b: Expr<'i64'>) => Expr): Binary =>
  (a, b) =>
    operation(typed(a, 'i64'), typed(b, 'i64'));

/** Arithmetic on one number. */
export const numberKit = (f: FunctionBuilder): MathKit => ({
  of: f64.const,
  bitsOf: i64.const,
  keep: (a) => f.get(f.let(a)),
  add: of2(f64.add),
  sub: of2(f64.sub),
  mul: of2(f64.mul),
  div: of2(f64.div),
  min: of2(f64.min),
  max: of2(f64.max),
  abs: of1(f64.abs),
  neg: of1(f64.neg),
  sqrt: of1(f64.sqrt),
  floor: of1(f64.floor),
  nearest: of1(f64.nearest),
  lt: of2(f64.lt),
  le: of2(f64.le),
  eq: of2(f64.eq),
  choose: (condition, a, b) => select(a, b, typed(condition, 'i32')),
  toBits: of1(i64.reinterpretF64),
  fromBits: (bits) => f64.reinterpretI64(typed(bits, 'i64')),
  addBits: bits2(i64.add),
  subBits: bits2(i64.sub),
  andBits: bits2(i64.and),
  orBits: bits2(i64.or),
  shiftLeft: (bits, count) => i64.shl(typed(bits, 'i64'), i64.const(BigInt(count))),
  shiftRight: (bits, count) => i64.shrS(typed(bits, 'i64'), i64.const(BigInt(count))),
});

const all1 =
  (operation: (a: Expr<'v128'>) => Expr): Unary =>
  (a) =>
    operation(typed(a, 'v128'));
const all2 =
  (operation: (a: Expr<'v128'>, b: Expr<'v128'>) => Expr): Binary =>
  (a, b) =>
    operation(typed(a, 'v128'), typed(b, 'v128'));

/** Arithmetic on the two numbers of a register. */
export const registerKit = (f: FunctionBuilder): MathKit => ({
  of: (value) => f64x2.splat(f64.const(value)),
  bitsOf: (value) => i64x2.splat(i64.const(value)),
  keep: (a) => f.get(f.let(a)),
  add: all2(f64x2.add),
  sub: all2(f64x2.sub),
  mul: all2(f64x2.mul),
  div: all2(f64x2.div),
  min: all2(f64x2.min),
  max: all2(f64x2.max),
  abs: all1(f64x2.abs),
  neg: all1(f64x2.neg),
  sqrt: all1(f64x2.sqrt),
  floor: all1(f64x2.floor),
  nearest: all1(f64x2.nearest),
  lt: all2(f64x2.lt),
  le: all2(f64x2.le),
  eq: all2(f64x2.eq),
  choose: (condition, a, b) => v128.bitselect(typed(a, 'v128'), typed(b, 'v128'), typed(condition, 'v128')),
  toBits: (a) => a,
  fromBits: (bits) => bits,
  addBits: all2(i64x2.add),
  subBits: all2(i64x2.sub),
  andBits: all2(v128.and),
  orBits: all2(v128.or),
  shiftLeft: (bits, count) => i64x2.shl(typed(bits, 'v128'), i32.const(count)),
  shiftRight: (bits, count) => i64x2.shrS(typed(bits, 'v128'), i32.const(count)),
});

/** A sum of powers of `x` with these coefficients, the constant one first. */
export const polynomial = ({ of, add, mul }: MathKit, x: Expr, coefficients: readonly number[]): Expr =>
  coefficients.slice(0, -1).reduceRight((sum, each) => add(mul(sum, x), of(each)), of(coefficients.at(-1)!));

/** `x` with the sign of `like`; `x` is not negative. */
export const withSign = (k: MathKit, x: Expr, like: Expr): Expr =>
  k.fromBits(k.orBits(k.toBits(x), k.andBits(k.toBits(like), k.bitsOf(-(2n ** 63n)))));

/** A number as two: `high` is it rounded, and `low` what is left. */
export interface Split {
  readonly high: Expr;
  readonly low: Expr;
}

/** The exact sum, if the first is not the smaller one. */
export const quickSum = (k: MathKit, a: Expr, b: Expr): Split => {
  const high = k.keep(k.add(a, b));
  return { high, low: k.keep(k.sub(b, k.sub(high, a))) };
};

/** The exact sum. */
export const exactSum = (k: MathKit, a: Expr, b: Expr): Split => {
  const high = k.keep(k.add(a, b));
  const part = k.keep(k.sub(high, a));
  return { high, low: k.keep(k.add(k.sub(a, k.sub(high, part)), k.sub(b, part))) };
};

/** Upper and lower halves of the digits. */
const halves = (k: MathKit, a: Expr): Split => {
  const scaled = k.keep(k.mul(a, k.of(2 ** 27 + 1)));
  const high = k.keep(k.sub(scaled, k.sub(scaled, a)));
  return { high, low: k.keep(k.sub(a, high)) };
};

/** The exact product of numbers below 2^990, which is no subnormal. */
export const exactProduct = (k: MathKit, a: Expr, b: Expr): Split => {
  const high = k.keep(k.mul(a, b));
  const [x, y] = [halves(k, a), halves(k, b)];
  const rest = k.sub(k.mul(x.high, y.high), high);
  const crossed = k.add(k.add(rest, k.mul(x.high, y.low)), k.mul(x.low, y.high));
  return { high, low: k.keep(k.add(crossed, k.mul(x.low, y.low))) };
};
