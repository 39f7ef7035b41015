/**
 * f16 and bf16: in memory 16 bits, in locals an f32 of the same value. All of their values are values of f32, so that
 * only what computes one rounds, to the nearest and ties to even; subnormals are kept. A NaN stays one; loads, stores
 * and copies keep its bits.
 */
import type { FunctionBuilder } from './encoder.ts';
import type { Expr } from './instructions.ts';
import { f32, f32x4, f64, i32, i32x4, i64, i8x16, select, v128 } from './instructions.ts';

/** The floats of 16 bits. */
export type HalfName = 'f16' | 'bf16';

/**
 * IEEE 754 binary16 and bfloat16: bits of the fraction, and exponents of the smallest normal and the first too large
 * number.
 */
const formats = {
  f16: { fraction: 10, least: -14, overflow: 16 },
  bf16: { fraction: 7, least: -126, overflow: 128 },
} as const;

/** By how many powers of two the exponents of f16 are moved against those of f32. */
const bias = 2 ** 112;
/** What f16's infinity and NaN are without regard to the bias: the first number beyond its largest. */
const beyond = 2 ** 16;
const exponentBits = 0x7f800000;

/** Whether a type is held as another: `f16` and `bf16`. */
export const isHalf = (name: string): name is HalfName => name === 'f16' || name === 'bf16';

/** The value of 16 bits, sign-extended or not. The code of `bits` is repeated. */
export const widen = (format: HalfName, bits: Expr<'i32'>): Expr<'f32'> => {
  if (format === 'bf16') return f32.reinterpretI32(i32.shl(bits, i32.const(16)));
  const magnitude = i32.shl(i32.and(bits, i32.const(0x7fff)), i32.const(13));
  const scaled = f32.mul(f32.reinterpretI32(magnitude), f32.const(bias));
  const isFinite = i32.ltU(magnitude, i32.const(0x7c00 << 13));
  const value = i32.or(i32.reinterpretF32(scaled), select(i32.const(0), i32.const(exponentBits), isFinite));
  const sign = i32.shl(i32.and(bits, i32.const(0x8000)), i32.const(16));
  return f32.reinterpretI32(i32.or(value, sign));
};

/** The 16 bits of a value of the format. The code of `value` is repeated. */
export const narrow = (format: HalfName, value: Expr<'f32'>): Expr<'i32'> => {
  const bits = i32.reinterpretF32(value);
  if (format === 'bf16') return i32.shrU(bits, i32.const(16));
  const magnitude = i32.and(bits, i32.const(0x7fffffff));
  const scaled = f32.mul(f32.reinterpretI32(magnitude), f32.const(1 / bias));
  const finite = i32.shrU(i32.reinterpretF32(scaled), i32.const(13));
  const other = i32.or(i32.shrU(i32.and(bits, i32.const(0x7fffff)), i32.const(13)), i32.const(0x7c00));
  const sign = i32.and(i32.shrU(bits, i32.const(16)), i32.const(0x8000));
  return i32.or(select(finite, other, i32.ltU(magnitude, i32.const(exponentBits))), sign);
};

/** A number rounded once to the format. */
export const rounded = (f: FunctionBuilder, format: HalfName, number: Expr<'f64'>): Expr<'f32'> => {
  const { fraction, least, overflow } = formats[format];
  const cut = BigInt(52 - fraction);
  const value = f.get(f.let(number));
  const magnitude = f.get(f.let(f64.abs(value)));
  const bits = i64.reinterpretF64(magnitude);
  // Half a unit less one, and one more where the last bit that stays is odd: a carry goes up to the exponent.
  const half = (1n << (cut - 1n)) - 1n;
  const odd = i64.and(i64.shrU(bits, i64.const(cut)), i64.const(1n));
  const sum = i64.add(i64.add(bits, i64.const(half)), odd);
  const normal = f64.reinterpretI64(i64.and(sum, i64.const(-(1n << cut))));
  // The last bit of a sum with this is the unit of the subnormals.
  const shift = f64.const(2 ** (52 + least - fraction));
  const subnormal = f64.sub(f64.add(magnitude, shift), shift);
  const nearest = f.get(f.let(select(subnormal, normal, f64.lt(magnitude, f64.const(2 ** least)))));
  const limited = select(f64.const(Infinity), nearest, f64.ge(nearest, f64.const(2 ** overflow)));
  const isNumber = f64.eq(value, value);
  return f32.demoteF64(select(f64.copysign(limited, value), value, isNumber));
};

const splat = (value: number): Expr<'v128'> => i32x4.splat(i32.const(value));

/** The values of four formats of 16 bits, in lanes of 32 that were extended with zeros. */
export const widenVector = (f: FunctionBuilder, format: HalfName, lanes: Expr<'v128'>): Expr<'v128'> => {
  if (format === 'bf16') return i32x4.shl(lanes, i32.const(16));
  const bits = f.get(f.let(lanes));
  const magnitude = i32x4.shl(v128.and(bits, splat(0x7fff)), i32.const(13));
  const scaled = f.get(f.let(f32x4.mul(magnitude, f32x4.splat(f32.const(bias)))));
  const other = v128.and(f32x4.ge(scaled, f32x4.splat(f32.const(beyond))), splat(exponentBits));
  const sign = i32x4.shl(v128.and(bits, splat(0x8000)), i32.const(16));
  return v128.or(v128.or(scaled, other), sign);
};
/** The 16 bits of four values of the format, in the lower half of the vector. */
export const narrowVector = (f: FunctionBuilder, format: HalfName, values: Expr<'v128'>): Expr<'v128'> => {
  const bits = f.get(f.let(values));
  /** Two of the bytes of each lane. */
  const packed = (lanes: Expr<'v128'>, first: number): Expr<'v128'> => {
    const kept = f.get(f.let(lanes));
    const bytes = [0, 4, 8, 12].flatMap((lane) => [lane + first, lane + first + 1]);
    return i8x16.shuffle(kept, kept, [...bytes, ...bytes]);
  };
  if (format === 'bf16') return packed(bits, 2);
  const magnitude = v128.and(bits, splat(0x7fffffff));
  const scaled = i32x4.shrU(f32x4.mul(magnitude, f32x4.splat(f32.const(1 / bias))), i32.const(13));
  const fraction = i32x4.shrU(v128.and(bits, splat(0x7fffff)), i32.const(13));
  const other = v128.or(fraction, splat(0x7c00));
  const isFinite = f32x4.lt(magnitude, f32x4.splat(f32.const(Infinity)));
  const sign = v128.and(i32x4.shrU(bits, i32.const(16)), splat(0x8000));
  return packed(v128.or(v128.bitselect(scaled, other, isFinite), sign), 0);
};

/** Four numbers rounded to the format, each once. */
export const roundedVector = (f: FunctionBuilder, format: HalfName, numbers: Expr<'v128'>): Expr<'v128'> => {
  const { fraction, least, overflow } = formats[format];
  const cut = 23 - fraction;
  const value = f.get(f.let(numbers));
  const magnitude = f.get(f.let(v128.and(value, splat(0x7fffffff))));
  // As `rounded`, in 32 bits; the exponents of bf16 are those of f32, subnormals and infinity included.
  const odd = v128.and(i32x4.shrU(magnitude, i32.const(cut)), splat(1));
  const sum = i32x4.add(i32x4.add(magnitude, splat(2 ** (cut - 1) - 1)), odd);
  const normal = v128.and(sum, splat(-(2 ** cut)));
  const limited = (): Expr<'v128'> => {
    if (format === 'bf16') return normal;
    const shift = f32x4.splat(f32.const(2 ** (23 + least - fraction)));
    const subnormal = f32x4.sub(f32x4.add(magnitude, shift), shift);
    const isSubnormal = f32x4.lt(magnitude, f32x4.splat(f32.const(2 ** least)));
    const nearest = f.get(f.let(v128.bitselect(subnormal, normal, isSubnormal)));
    const overflows = f32x4.ge(nearest, f32x4.splat(f32.const(2 ** overflow)));
    return v128.bitselect(splat(exponentBits), nearest, overflows);
  };
  const signed = v128.or(limited(), v128.and(value, splat(-(2 ** 31))));
  return v128.bitselect(signed, value, f32x4.eq(value, value));
};
