/**
 * Rounding to odd: an inexact number becomes that of its two neighbours whose last bit is odd. Rounded further to a
 * type with at least two bits less, it gives what rounding once gives (Boldo and Melquiond, "When double rounding is
 * odd"); rounding to the nearest twice does not.
 */
import { createConstantValue, elementTypeOf, uniformConstant, withElementType } from '@sconv/dialects';
import {
  addf,
  bitcast,
  cmpf,
  cmpi,
  extf,
  extui,
  mulf,
  ori,
  select,
  shli,
  shrsi,
  shrui,
  sitofp,
  subf,
  subi,
  truncf,
  trunci,
  uitofp,
  xori,
} from '@sconv/dialects/arith';
import type { Rewriter, Type, Value } from '@sconv/ir';
import { builder, f32, f64, i1, i32, i64, integerType } from '@sconv/ir';

/** A constant number, of a type or in all elements, at the insertion point: the bits for an integer. */
export const constantOf = (rewriter: Rewriter, value: bigint | number, type: Type): Value =>
  createConstantValue(rewriter, uniformConstant(value, type)!, type);

/** Bits made odd under a condition: of the number below or, for one that is too large, above in magnitude. */
const odd = (rewriter: Rewriter, bits: Value, isInexact: Value, isLarger: Value): Value => {
  const b = builder(rewriter);
  const less: Value = b(subi, { lhs: bits, rhs: b(extui, { in: isLarger }, { resultTypes: [bits.type] }) });
  const made: Value = b(ori, { lhs: less, rhs: constantOf(rewriter, 1n, bits.type) });
  return b(select, { condition: isInexact, trueValue: made, falseValue: bits });
};

/** An f64 as f32, at the insertion point. */
export const singleToOdd = (rewriter: Rewriter, value: Value): Value => {
  const b = builder(rewriter);
  const of = (element: Type): Type => withElementType(value.type, element);
  const single: Value = b(truncf, { in: value }, { resultTypes: [of(f32)] });
  const back: Value = b(extf, { in: single }, { resultTypes: [value.type] });
  const bits: Value = b(bitcast, { in: single }, { resultTypes: [of(i32)] });
  const isInexact: Value = b(cmpf, { predicate: 'one', lhs: back, rhs: value }, { resultTypes: [of(i1)] });
  // As numbers without sign, the bits of magnitudes are in their order.
  const magnitude = (of64: Value): Value =>
    b(shli, {
      lhs: b(bitcast, { in: of64 }, { resultTypes: [of(i64)] }),
      rhs: constantOf(rewriter, 1n, of(i64)),
    });
  const isLarger: Value = b(
    cmpi,
    { predicate: 'ugt', lhs: magnitude(back), rhs: magnitude(value) },
    { resultTypes: [of(i1)] },
  );
  return b(bitcast, { in: odd(rewriter, bits, isInexact, isLarger) }, { resultTypes: [of(f32)] });
};

/** The sum of two f64, as f64, at the insertion point. */
const sumToOdd = (rewriter: Rewriter, lhs: Value, rhs: Value): Value => {
  const b = builder(rewriter);
  const of = (element: Type): Type => withElementType(lhs.type, element);
  const sum: Value = b(addf, { lhs, rhs });
  // What rounding took from it, exactly (Knuth's TwoSum); NaN for an infinite sum.
  const added: Value = b(subf, { lhs: sum, rhs: lhs });
  const error: Value = b(addf, {
    lhs: b(subf, { lhs, rhs: b(subf, { lhs: sum, rhs: added }) }),
    rhs: b(subf, { lhs: rhs, rhs: added }),
  });
  const isInexact: Value = b(
    cmpf,
    { predicate: 'one', lhs: error, rhs: constantOf(rewriter, 0, lhs.type) },
    { resultTypes: [of(i1)] },
  );
  const bitsOf = (value: Value): Value => b(bitcast, { in: value }, { resultTypes: [of(i64)] });
  const bits = bitsOf(sum);
  // The sum is too large in magnitude if its sign is not that of the error.
  const isLarger: Value = b(
    cmpi,
    {
      predicate: 'slt',
      lhs: b(xori, { lhs: bits, rhs: bitsOf(error) }),
      rhs: constantOf(rewriter, 0n, of(i64)),
    },
    { resultTypes: [of(i1)] },
  );
  return b(bitcast, { in: odd(rewriter, bits, isInexact, isLarger) }, { resultTypes: [lhs.type] });
};

/** The f64 `lhs * rhs + acc` of numbers whose product f64 has: those of up to 26 bits. */
export const productSumToOdd = (rewriter: Rewriter, lhs: Value, rhs: Value, acc: Value): Value =>
  sumToOdd(rewriter, builder(rewriter)(mulf, { lhs, rhs }), acc);

/** An integer of any width, or integers, as f64, at the insertion point. */
export const integerToOdd = (rewriter: Rewriter, value: Value, isSigned: boolean): Value => {
  const b = builder(rewriter);
  const of = (element: Type): Type => withElementType(value.type, element);
  const convert = (each: Value, definition: typeof sitofp): Value =>
    b(definition, { in: each }, { resultTypes: [of(f64)] });
  const element = elementTypeOf(value.type);
  const width = element.kind === 'integer' ? element.width : 64;
  if (width <= 53) return convert(value, isSigned ? sitofp : uitofp);
  const shifted: Value = b(isSigned ? shrsi : shrui, {
    lhs: value,
    rhs: constantOf(rewriter, 32n, value.type),
  });
  const upper: Value = b(trunci, { in: shifted }, { resultTypes: [of(integerType(width - 32))] });
  const lower: Value = b(trunci, { in: value }, { resultTypes: [of(i32)] });
  const scaled: Value = b(mulf, {
    lhs: integerToOdd(rewriter, upper, isSigned),
    rhs: constantOf(rewriter, 2 ** 32, of(f64)),
  });
  return sumToOdd(rewriter, scaled, convert(lower, uitofp));
};
