/**
 * Angles of any size reduced by π/2: large ones, and those that come close to a multiple of it, by the digits of 2/π as
 * integers (Payne, Hanek: "Radian Reduction for Trigonometric Functions").
 */
import { quickSum } from '@sconv/kernels';
import type { FunctionBuilder, FunctionRef, Local, ModuleBuilder } from './encoder.ts';
import type { Expr } from './instructions.ts';
import { f64, i32, i64, typed } from './instructions.ts';
import { numberKit } from './math-kit.ts';

/** 2/π after the binary point, 64 digits each: enough for the exponents of f64. */
const twoByPi = [
  0xa2f9836e4e441529n, 0xfc2757d1f534ddc0n, 0xdb6295993c439041n, 0xfe5163abdebbc561n, 0xb7246e3a424dd2e0n,
  0x06492eea09d1921cn, 0xfe1deb1cb129a73en, 0xe88235f52ebb4484n, 0xe99c7026b45f7e41n, 0x3991d639835339f4n,
  0x9c845f8bbdf9283bn, 0x1ff897ffde05980fn, 0xef2f118b5a0a6d1fn, 0x6d367ecf27cb09b7n, 0x4f463f669e5fea2dn,
  0x7527bac7ebe5f17bn, 0x3d0739f78a5292ean, 0x6bfb5fb11f8d5d08n, 0x56033046fc7b6babn, 0xf0cfbc209af4361dn,
]; // prettier-ignore

/** π/2 in parts of 33 bits, and its rest. */
const halfPi = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21] as const;
/** 21 bits of π/2, and the rest. */
const halfPiUpper = [1.570796012878418, 3.139164786504813e-7] as const;

/** Adds the function of a word of `twoByPi` by its number. */
const addDigits = (builder: ModuleBuilder): FunctionRef =>
  builder.function({ parameters: ['i32'], results: ['i64'] }, (f, number) => {
    twoByPi.forEach((word, i) => {
      f.if(i32.eq(f.get(number), i32.const(i)), () => {
        f.return(i64.const(word));
      });
    });
    f.return(i64.const(0n));
  });

/** 64 digits of 2/π from a number on; those before the first one are zeros. */
const digitsFrom = (f: FunctionBuilder, digits: FunctionRef, at: Expr<'i32'>): Expr<'i64'> => {
  const first = f.get(f.let(i32.shrS(at, i32.const(6))));
  const shift = f.get(f.let(i64.extendI32U(i32.and(at, i32.const(63)))));
  const [upper] = f.call(digits, first) as [Local<'i64'>];
  const [lower] = f.call(digits, i32.add(first, i32.const(1))) as [Local<'i64'>];
  // A shift by 64 would be one by 0.
  const rest = i64.shrU(i64.shrU(f.get(lower), i64.const(1n)), i64.sub(i64.const(63n), shift));
  return f.get(f.let(i64.or(i64.shl(f.get(upper), shift), rest)));
};

/** The last 192 digits of a product, in words of 32 bits from the lowest one on. */
const product = (
  f: FunctionBuilder,
  limbs: readonly Expr<'i64'>[],
  factors: readonly Expr<'i64'>[],
): readonly Expr<'i64'>[] => {
  const low = i64.const(0xffffffffn);
  const high = (value: Expr<'i64'>): Expr<'i64'> => i64.shrU(value, i64.const(32n));
  let carry: Expr<'i64'> = i64.const(0n);
  return limbs.map((_, i) => {
    const terms = factors.flatMap((factor, j) => {
      const limb = limbs[i - j];
      return limb === undefined ? [] : [f.get(f.let(i64.mul(limb, factor)))];
    });
    // Lower and upper halves are added apart: none of the sums overflows.
    const sum = f.get(
      f.let(terms.reduce((all, term) => i64.add(all, i64.and(term, low)), i64.and(carry, low))),
    );
    const upper = terms.reduce((all, term) => i64.add(all, high(term)), i64.add(high(carry), high(sum)));
    carry = f.get(f.let(upper));
    return f.get(f.let(i64.and(sum, low)));
  });
};

/** An angle from -π/4 to π/4 in two parts, and by how many quarters of a turn the whole one is larger. */
interface Reduced {
  readonly high: Local<'f64'>;
  readonly low: Local<'f64'>;
  readonly quarters: Local<'i32'>;
}

/**
 * Of an angle m · 2^e with an integer m of 53 bits: m times 192 digits of 2/π, from where its multiples of 4 end. The
 * first two digits of the product are the quarters, the others a fraction of one.
 */
const reduceByDigits = (f: FunctionBuilder, digits: FunctionRef, x: Expr<'f64'>, reduced: Reduced): void => {
  const low = i64.const(0xffffffffn);
  const joined = (upper: Expr<'i64'>, lower: Expr<'i64'>): Expr<'i64'> =>
    f.get(f.let(i64.or(i64.shl(upper, i64.const(32n)), lower)));
  // 1. The number as an integer, and the digits.
  const bits = f.get(f.let(i64.reinterpretF64(x)));
  const exponent = i32.and(i32.wrapI64(i64.shrU(bits, i64.const(52n))), i32.const(0x7ff));
  const at = f.get(f.let(i32.sub(exponent, i32.const(1075 + 2))));
  const m = f.get(f.let(i64.or(i64.and(bits, i64.const(2n ** 52n - 1n)), i64.const(2n ** 52n))));
  const words = [128, 64, 0].map((from) => digitsFrom(f, digits, i32.add(at, i32.const(from))));
  const limbs = words.flatMap((word) => [i64.and(word, low), i64.shrU(word, i64.const(32n))]);
  // 2. The product.
  const places = product(f, limbs, [i64.and(m, low), i64.shrU(m, i64.const(32n))]);
  const [a, b, c] = [
    joined(places[5]!, places[4]!),
    joined(places[3]!, places[2]!),
    joined(places[1]!, places[0]!),
  ];
  // 3. The nearest number of quarters: a fraction of a half or more is negative, and one more.
  f.set(reduced.quarters, i32.wrapI64(i64.shrU(i64.add(a, i64.const(2n ** 61n)), i64.const(62n))));
  const withoutQuarters = (upper: Expr<'i64'>, lower: Expr<'i64'>): Expr<'i64'> =>
    f.get(f.let(i64.or(i64.shl(upper, i64.const(2n)), i64.shrU(lower, i64.const(62n)))));
  const [first, second] = [withoutQuarters(a, b), withoutQuarters(b, c)];
  const sign = f.get(f.let(i64.shrS(first, i64.const(63n))));
  const [top, next] = [f.get(f.let(i64.xor(first, sign))), f.get(f.let(i64.xor(second, sign)))];
  // 4. The fraction without leading zeros: 32 digits, and 32 more.
  const zeros = f.get(f.let(i64.clz(top)));
  const rest = i64.shrU(i64.shrU(next, i64.const(1n)), i64.sub(i64.const(63n), zeros));
  const fraction = f.get(f.let(i64.or(i64.shl(top, zeros), rest)));
  const scale = i64.or(
    i64.and(sign, i64.const(-(2n ** 63n))),
    i64.shl(i64.sub(i64.const(1023n), zeros), i64.const(52n)),
  );
  const unit = f.get(f.let(f64.reinterpretI64(scale)));
  const part = (word: Expr<'i64'>, weight: number): Expr<'f64'> =>
    f.get(f.let(f64.mul(f64.mul(f64.convertI64U(word), f64.const(weight)), unit)));
  const upper = part(i64.shrU(fraction, i64.const(32n)), 2 ** -32);
  const lower = part(i64.and(fraction, low), 2 ** -64);
  // 5. Times π/2: the product of the upper parts is exact.
  const exact = f.get(f.let(f64.mul(upper, f64.const(halfPiUpper[0]))));
  const more = f64.add(f64.mul(upper, f64.const(halfPiUpper[1])), f64.mul(lower, f64.const(Math.PI / 2)));
  const sum = quickSum(numberKit(f), exact, f.get(f.let(more)));
  f.set(reduced.high, typed(sum.high, 'f64'));
  f.set(reduced.low, typed(sum.low, 'f64'));
};

/** An angle below 2^20, of which n parts of π/2 are taken exactly. */
const reduceByParts = (f: FunctionBuilder, x: Expr<'f64'>, reduced: Reduced): void => {
  const n = f.get(f.let(f64.nearest(f64.mul(x, f64.const(2 / Math.PI)))));
  const first = f.get(f.let(f64.sub(x, f64.mul(n, f64.const(halfPi[0])))));
  const second = f.get(f.let(f64.mul(n, f64.const(halfPi[1]))));
  const high = f.get(f.let(f64.sub(first, second)));
  const lost = f64.sub(f64.sub(first, high), second);
  f.set(reduced.high, high);
  f.set(reduced.low, f64.sub(lost, f64.mul(n, f64.const(halfPi[2]))));
  f.set(reduced.quarters, i32.truncF64S(n));
};

/**
 * Adds the function that reduces an angle: gives one from -π/4 to π/4 in two parts, and the quarters of a turn that
 * were taken, of which the last two bits count. Of ∞ and NaN, NaN.
 */
export const addReduction = (builder: ModuleBuilder): FunctionRef => {
  const digits = addDigits(builder);
  return builder.function({ parameters: ['f64'], results: ['f64', 'f64', 'i32'] }, (f, given) => {
    const x = f.get(given);
    const reduced: Reduced = { high: f.let(x), low: f.local('f64'), quarters: f.local('i32') };
    const results = (): void => {
      f.return(f.get(reduced.high), f.get(reduced.low), f.get(reduced.quarters));
    };
    const magnitude = f.get(f.let(f64.abs(x)));
    f.if(f64.le(magnitude, f64.const(Math.PI / 4)), results);
    f.if(f64.lt(magnitude, f64.const(2 ** 20)), () => {
      reduceByParts(f, x, reduced);
      // What is left of a number close to a multiple has few exact digits.
      f.if(f64.le(f64.const(2 ** -30), f64.abs(f.get(reduced.high))), results);
    });
    f.if(f64.lt(magnitude, f64.const(Infinity)), () => {
      reduceByDigits(f, digits, magnitude, reduced);
      f.if(f64.lt(x, f64.const(0)), () => {
        f.set(reduced.high, f64.neg(f.get(reduced.high)));
        f.set(reduced.low, f64.neg(f.get(reduced.low)));
        f.set(reduced.quarters, i32.sub(i32.const(0), f.get(reduced.quarters)));
      });
      results();
    });
    f.return(f64.sub(x, x), f64.const(0), i32.const(0));
  });
};
