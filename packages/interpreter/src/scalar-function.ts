/** The scalar function that an elementwise operation of `arith` or `math` applies. */
import type { FloatOp, IntegerOp, ScalarOp } from '@sconv/dialects';
import { scalarOp } from '@sconv/dialects';
import { integerPower } from '@sconv/dialects/math';
import type { Operation, Registry, Type } from '@sconv/ir';
import { modelOf, printType } from '@sconv/ir';
import type { Scalar } from './element.ts';
import { isNumberType, rounderOf } from './element.ts';
import { floatComparisons } from './floats.ts';
import {
  holdInteger,
  integerComparison,
  integerOperation,
  integerOperationOnNumbers,
  roundableNumber,
  signedValue,
  unsignedValue,
  widthOf,
} from './integers.ts';
import { trap } from './trap.ts';

/** A function on scalars in their representation. */
export type ScalarFunction =
  /** All operands and the result are numbers. */
  | { readonly kind: 'numbers'; readonly apply: (a: number, b: number, c: number) => number }
  /** Some are bigints. */
  | { readonly kind: 'scalars'; readonly apply: (a: Scalar, b: Scalar, c: Scalar) => Scalar };

const onNumbers = (apply: (a: number, b: number, c: number) => number): ScalarFunction => ({
  kind: 'numbers',
  apply,
});
const onScalars = (apply: (a: Scalar, b: Scalar, c: Scalar) => Scalar): ScalarFunction => ({
  kind: 'scalars',
  apply,
});

const predicateOf = (operation: Operation): number => {
  const predicate = operation.attributes['predicate'];
  return predicate?.kind === 'integer' ? Number(predicate.value) : -1;
};

/**
 * The scalar function of `operation`: `from` is the element type of its first operand, `to` that of its result.
 * Undefined if it does not support these types.
 */
export const scalarFunction = (
  registry: Registry,
  operation: Operation,
  from: Type,
  to: Type,
): ScalarFunction | undefined => {
  switch (operation.name) {
    case 'arith.cmpf': {
      const compare = floatComparisons[predicateOf(operation)];
      return compare && from.kind === 'float' ? onNumbers((a, b) => Number(compare(a, b))) : undefined;
    }
    case 'arith.cmpi': {
      const compare = integerComparison(predicateOf(operation), from);
      if (compare === undefined || widthOf(from) === undefined) return undefined;
      return isNumberType(from) ? onNumbers(compare) : onScalars(compare);
    }
    case 'arith.select':
      return isNumberType(to)
        ? onNumbers((c, a, b) => (c === 0 ? b : a))
        : onScalars((c, a, b) => (c === 0 ? b : a));
    case 'math.fpowi':
      return floatPower(operation, to);
    default:
      return (
        computed(operation, modelOf(registry, scalarOp, operation), from, to) ??
        conversion(operation, from, to)
      );
  }
};

/** What an op is declared to compute. */
const computed = (
  operation: Operation,
  scalar: ScalarOp | undefined,
  from: Type,
  to: Type,
): ScalarFunction | undefined => {
  switch (scalar?.kind) {
    case 'floats':
      return floatFunction(scalar, from, to);
    case 'integers':
      return integerFunction(operation, scalar, from);
    case 'composed':
    case undefined:
      return undefined;
  }
};

/** Combines two scalars of one type. */
export type Combine = (a: Scalar, b: Scalar) => Scalar;

/** What `name`, a binary operation of `arith`, computes for `operation`; traps if it does not support the type. */
export const combineBy = (registry: Registry, operation: Operation, name: string, type: Type): Combine => {
  const scalar = scalarFunction(registry, { ...operation, name, attributes: {} }, type, type);
  if (scalar === undefined) {
    return trap(operation, 'interpreter/unsupported-type', `is not supported on ${printType(type)}`);
  }
  const apply = scalar.apply as (a: Scalar, b: Scalar, c: Scalar) => Scalar;
  return (a, b) => apply(a, b, b);
};

const floatFunction = (
  { compute, computeNarrow = compute }: FloatOp,
  from: Type,
  to: Type,
): ScalarFunction | undefined => {
  const round = rounderOf(to);
  if (round === undefined || from.kind !== 'float') return undefined;
  const apply = to.kind === 'float' && to.name === 'f64' ? compute : computeNarrow;
  return onNumbers((a, b, c) => round(apply(a, b, c)));
};

const integerFunction = (operation: Operation, scalar: IntegerOp, type: Type): ScalarFunction | undefined => {
  const exact = integerOperation(operation, scalar, type);
  if (exact === undefined) return undefined;
  if (!isNumberType(type)) return onScalars(exact);
  // Numbers stay numbers, which the bigint definition's type does not express.
  const onNumber =
    integerOperationOnNumbers(operation, scalar, type) ?? (exact as (a: number, b: number) => number);
  return onNumbers(onNumber);
};

/** The integer `from`, read by `read`, as one of type `to`. */
const resize = (
  operation: Operation,
  from: Type,
  to: Type,
  read: (value: Scalar, width: number) => bigint,
): ScalarFunction | undefined => {
  const width = widthOf(from);
  if (width === undefined || widthOf(to) === undefined) return undefined;
  const hold = holdInteger(operation, to);
  return byTypes(from, to, (value) => hold(read(value, width)));
};

/** The exponent has an integer type of its own. */
const floatPower = (operation: Operation, to: Type): ScalarFunction | undefined => {
  const [type, round] = [operation.operands[1]?.type, rounderOf(to)];
  const exponent = type?.kind === 'tensor' || type?.kind === 'vector' ? type.elementType : type;
  const width = exponent && widthOf(exponent);
  if (width === undefined || round === undefined) return undefined;
  const apply = (base: Scalar, value: Scalar): number =>
    round(integerPower(Number(base), signedValue(value, width)));
  return isNumberType(exponent!) ? onNumbers(apply) : onScalars(apply);
};

const byTypes = (from: Type, to: Type, apply: (value: Scalar) => Scalar): ScalarFunction =>
  isNumberType(from) && isNumberType(to) ? onNumbers(apply as (value: number) => number) : onScalars(apply);

const conversion = (operation: Operation, from: Type, to: Type): ScalarFunction | undefined => {
  const round = rounderOf(to);
  switch (operation.name) {
    case 'arith.extsi':
    case 'arith.trunci':
    case 'arith.index_cast':
      return resize(operation, from, to, signedValue);
    case 'arith.extui':
    case 'arith.index_castui':
      return resize(operation, from, to, unsignedValue);
    case 'arith.extf':
    case 'arith.truncf':
      return round && from.kind === 'float' ? onNumbers(round) : undefined;
    case 'arith.sitofp':
      return integerToFloat(from, to, signedValue);
    case 'arith.uitofp':
      return integerToFloat(from, to, unsignedValue);
    case 'arith.fptosi':
      return floatToInteger(operation, from, to, signedValue);
    case 'arith.fptoui':
      return floatToInteger(operation, from, to, unsignedValue);
    case 'arith.bitcast':
      return bitcast(from, to);
    default:
      return undefined;
  }
};

const integerToFloat = (
  from: Type,
  to: Type,
  read: (value: Scalar, width: number) => bigint,
): ScalarFunction | undefined => {
  const [width, round] = [widthOf(from), rounderOf(to)];
  if (width === undefined || round === undefined) return undefined;
  const isDouble = to.kind === 'float' && to.name === 'f64';
  return byTypes(from, to, (value) => {
    const integer = read(value, width);
    return isDouble ? Number(integer) : round(roundableNumber(integer));
  });
};

/** A float out of the integer type's range is an error: poison upstream. */
const floatToInteger = (
  operation: Operation,
  from: Type,
  to: Type,
  read: (value: Scalar, width: number) => bigint,
): ScalarFunction | undefined => {
  const width = widthOf(to);
  if (width === undefined || from.kind !== 'float') return undefined;
  const hold = holdInteger(operation, to);
  return byTypes(from, to, (value) => {
    const integer = Number.isFinite(value) ? BigInt(Math.trunc(Number(value))) : undefined;
    if (integer === undefined || read(integer, width) !== integer) {
      return trap(
        operation,
        'interpreter/overflow',
        `converts ${value}, which ${printType(to)} does not hold`,
      );
    }
    return hold(integer);
  });
};

/** Between f32 and i32, f64 and i64, and bf16, which is the upper half of f32, and i16. */
const bitcast = (from: Type, to: Type): ScalarFunction | undefined => {
  const view = new DataView(new ArrayBuffer(8));
  const pair = `${printType(from)} ${printType(to)}`;
  switch (pair) {
    case 'f32 i32':
      return onNumbers((value) => {
        view.setFloat32(0, value);
        return view.getInt32(0);
      });
    case 'i32 f32':
      return onNumbers((value) => {
        view.setInt32(0, value);
        return view.getFloat32(0);
      });
    case 'f64 i64':
      return onScalars((value) => {
        view.setFloat64(0, Number(value));
        return view.getBigInt64(0);
      });
    case 'i64 f64':
      return onScalars((value) => {
        view.setBigInt64(0, BigInt(value));
        return view.getFloat64(0);
      });
    case 'bf16 i16':
      return onNumbers((value) => {
        view.setFloat32(0, value);
        return view.getInt16(0);
      });
    case 'i16 bf16':
      return onNumbers((value) => {
        view.setInt32(0, value << 16);
        return view.getFloat32(0);
      });
    default:
      return from === to ? onScalars((value) => value) : undefined;
  }
};
