/** Arithmetic on elements: the op that an element type takes. */
import {
  addf,
  addi,
  andi,
  cmpf,
  cmpi,
  constant,
  divf,
  divsi,
  divui,
  extf,
  extsi,
  extui,
  fptosi,
  fptoui,
  maximumf,
  maxsi,
  maxui,
  minimumf,
  minsi,
  minui,
  mulf,
  muli,
  negf,
  ori,
  remf,
  remsi,
  remui,
  select,
  shli,
  shrui,
  sitofp,
  subf,
  subi,
  truncf,
  trunci,
  uitofp,
  xori,
} from '@sconv/dialects/arith';
import { absf, absi, powf, sqrt } from '@sconv/dialects/math';
import type { Builder, Value } from '@sconv/ir';
import { floatWidth } from '@sconv/ir';
import type { ElementType } from './element-type.ts';
import { unsupported } from './problem.ts';
import { scalarAttribute } from './weight-constant.ts';

/** Any op of two operands. */
type BinaryOp = typeof addf | typeof addi | typeof divsi;

type Comparison = 'eq' | 'lt' | 'le' | 'gt' | 'ge';

/** The ops of an element type. */
export class ScalarOps {
  readonly b: Builder;
  readonly type: ElementType;

  constructor(b: Builder, type: ElementType) {
    this.b = b;
    this.type = type;
  }

  constant(value: number | bigint): Value {
    return this.b(constant, { value: scalarAttribute(this.type, value) });
  }

  add(lhs: Value, rhs: Value): Value {
    return this.#binary(lhs, rhs, addf, addi);
  }

  sub(lhs: Value, rhs: Value): Value {
    return this.#binary(lhs, rhs, subf, subi);
  }

  mul(lhs: Value, rhs: Value): Value {
    return this.#binary(lhs, rhs, mulf, muli);
  }

  /** Rounded to zero, of integers. */
  div(lhs: Value, rhs: Value): Value {
    return this.#binary(lhs, rhs, divf, divsi, divui);
  }

  /** With the sign of the dividend. */
  rem(lhs: Value, rhs: Value): Value {
    return this.#binary(lhs, rhs, remf, remsi, remui);
  }

  /** NaN if one of them is. */
  max(lhs: Value, rhs: Value): Value {
    return this.#binary(lhs, rhs, maximumf, maxsi, maxui);
  }

  /** NaN if one of them is. */
  min(lhs: Value, rhs: Value): Value {
    return this.#binary(lhs, rhs, minimumf, minsi, minui);
  }

  neg(operand: Value): Value {
    return this.#isFloat ? this.b(negf, { operand }) : this.sub(this.constant(0), operand);
  }

  abs(operand: Value): Value {
    if (this.#isFloat) return this.b(absf, { operand });
    return this.type.isUnsigned ? operand : this.b(absi, { operand });
  }

  /** Of floats; by roots and products where the exponent allows. */
  power(base: Value, exponent: number): Value {
    if (exponent === 1) return base;
    if (exponent === 2) return this.mul(base, base);
    if (exponent === 3) return this.mul(this.mul(base, base), base);
    if (exponent === 0.5) return this.b(sqrt, { operand: base });
    if (exponent === 0.75) {
      const root = this.b(sqrt, { operand: base });
      return this.mul(root, this.b(sqrt, { operand: root }));
    }
    return this.b(powf, { lhs: base, rhs: this.constant(exponent) });
  }

  /** Of integers, by squares; one over it, rounded to zero, for a negative exponent. */
  integerPower(base: Value, exponent: Value): Value {
    const [zero, one] = [this.constant(0), this.constant(1)];
    const isOdd = this.compare('eq', this.and(exponent, one), one);
    // Of an exponent that exceeds the bits of the type, it only matters whether it is odd: other powers overflow.
    const isLarge = this.compare('gt', exponent, this.constant(63));
    let rest = this.select(isLarge, this.select(isOdd, this.constant(63), this.constant(62)), exponent);
    let [result, square] = [one, base];
    for (let bit = 0; bit < 6; bit++) {
      const isSet = this.compare('eq', this.and(rest, one), one);
      result = this.select(isSet, this.mul(result, square), result);
      square = this.mul(square, square);
      rest = this.b(shrui, { lhs: rest, rhs: one });
    }
    if (this.type.isUnsigned) return result;
    const isOne = this.compare('eq', base, one);
    const isMinusOne = this.compare('eq', base, this.constant(-1));
    const inverse = this.select(isOne, one, this.select(isMinusOne, result, zero));
    return this.select(this.compare('lt', exponent, zero), inverse, result);
  }

  and(lhs: Value, rhs: Value): Value {
    return this.b(andi, { lhs, rhs });
  }

  or(lhs: Value, rhs: Value): Value {
    return this.b(ori, { lhs, rhs });
  }

  xor(lhs: Value, rhs: Value): Value {
    return this.b(xori, { lhs, rhs });
  }

  /** Of bits without sign; none are left if all are shifted out. */
  shift(direction: 'left' | 'right', bits: Value, count: Value): Value {
    const shifted = this.b(direction === 'left' ? shli : shrui, { lhs: bits, rhs: count });
    const isOut = this.b(cmpi, { lhs: count, rhs: this.constant(8 * this.type.size), predicate: 'uge' });
    return this.select(isOut, this.constant(0), shifted);
  }

  /** An `i1`; false if one of them is NaN. */
  compare(comparison: Comparison, lhs: Value, rhs: Value): Value {
    if (this.#isFloat) return this.b(cmpf, { lhs, rhs, predicate: `o${comparison}` });
    const sign = this.type.isUnsigned || this.type.kind === 'boolean' ? 'u' : 's';
    const predicate = comparison === 'eq' ? 'eq' : (`${sign}${comparison}` as const);
    return this.b(cmpi, { lhs, rhs, predicate });
  }

  select(condition: Value, trueValue: Value, falseValue: Value): Value {
    return this.b(select, { condition, trueValue, falseValue });
  }

  /** An element of this type as one of another: rounded to zero from a float to an integer. */
  cast(value: Value, to: ElementType): Value {
    const from = this.type;
    const options = { resultTypes: [to.type] };
    if (to.kind === 'boolean') {
      if (from.kind === 'boolean') return value;
      const isZero = this.compare('eq', value, this.constant(0));
      return new ScalarOps(this.b, to).xor(isZero, new ScalarOps(this.b, to).constant(1));
    }
    if (from.kind === 'float' && to.kind === 'float') {
      const [before, after] = [floatBits(from), floatBits(to)];
      if (before === after && from.code !== to.code)
        return unsupported(`a cast from ${from.name} to ${to.name}`);
      if (before === after) return value;
      return this.b(before < after ? extf : truncf, { in: value }, options);
    }
    const isUnsigned = from.isUnsigned || from.kind === 'boolean';
    if (to.kind === 'float') return this.b(isUnsigned ? uitofp : sitofp, { in: value }, options);
    if (from.kind === 'float') return this.b(to.isUnsigned ? fptoui : fptosi, { in: value }, options);
    const [before, after] = [from.kind === 'boolean' ? 0 : from.size, to.size];
    if (before === after) return value;
    return this.b(before > after ? trunci : isUnsigned ? extui : extsi, { in: value }, options);
  }

  #binary(lhs: Value, rhs: Value, float: BinaryOp, signed: BinaryOp, unsigned = signed): Value {
    const definition = this.#isFloat ? float : this.type.isUnsigned ? unsigned : signed;
    // They differ in attributes with defaults.
    return this.b(definition, { lhs, rhs });
  }

  get #isFloat(): boolean {
    return this.type.kind === 'float';
  }
}

const floatBits = ({ type }: ElementType): number => (type.kind === 'float' ? floatWidth(type.name) : 0);
