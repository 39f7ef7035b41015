/** Arithmetic that mathematical functions are written in, on a number of f64 or on those of a register. */
import type { MathKit, SingleKit } from '@sconv/kernels';
import type { FunctionBuilder } from './encoder.ts';
import type { Expr } from './instructions.ts';
import { f32, f32x4, f64, f64x2, i32, i32x4, i64, i64x2, select, typed, v128 } from './instructions.ts';

type Unary = (a: Expr) => Expr;
type Binary = (a: Expr, b: Expr) => Expr;

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
export const numberKit = (f: FunctionBuilder): MathKit<Expr> => ({
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
export const registerKit = (f: FunctionBuilder): MathKit<Expr> => ({
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

/** Arithmetic on the four numbers of f32 of a register. */
export const singleKit = (f: FunctionBuilder): SingleKit<Expr> => ({
  of: (value) => f32x4.splat(f32.const(Math.fround(value))),
  bitsOf: (value) => i32x4.splat(i32.const(Number(value))),
  keep: (a) => f.get(f.let(a)),
  add: all2(f32x4.add),
  sub: all2(f32x4.sub),
  mul: all2(f32x4.mul),
  div: all2(f32x4.div),
  lesser: all2(f32x4.pmin),
  greater: all2(f32x4.pmax),
  abs: all1(f32x4.abs),
  neg: all1(f32x4.neg),
  lt: all2(f32x4.lt),
  choose: (condition, a, b) => v128.bitselect(typed(a, 'v128'), typed(b, 'v128'), typed(condition, 'v128')),
  toBits: (a) => a,
  fromBits: (bits) => bits,
  addBits: all2(i32x4.add),
  subBits: all2(i32x4.sub),
  andBits: all2(v128.and),
  orBits: all2(v128.or),
  shiftLeft: (bits, count) => i32x4.shl(typed(bits, 'v128'), i32.const(count)),
  shiftRight: (bits, count) => i32x4.shrS(typed(bits, 'v128'), i32.const(count)),
});
