/** arith on numbers; affine index arithmetic stays symbolic, see `symbolicIndex`. */
import { halfBits, halfValues } from '@sconv/backend';
import type { Operation, Type } from '@sconv/ir';
import { lowerFloatComparison, lowerIntegerComparison } from './comparison-ops.ts';
import { conversionLowerings } from './conversion-ops.ts';
import { lowerExtremum, symbolicIndex } from './index-ops.ts';
import type { Expr } from './instructions.ts';
import { f32, f64, i32, i64, select, typed } from './instructions.ts';
import { integerOperation, integerOperationNames } from './integer-ops.ts';
import { isHalf, rounded } from './half-floats.ts';
import { heldWidth } from './integer-words.ts';
import type { Lowering } from './lowering.ts';
import type { WasmLowering } from './wasm-lowering.ts';
import { loweringsOf } from './wasm-lowering.ts';
import {
  bindIndex,
  bindScalar,
  indexFromWord,
  operandOf,
  resultOf,
  scalarOf,
  scalarTypeOf,
  unsupported,
} from './lowering.ts';

type FloatOperation = <T extends 'f32' | 'f64'>(type: T, a: Expr<T>, b: Expr<T>) => Expr;

const instruction =
  (name: 'add' | 'sub' | 'mul' | 'div' | 'min' | 'max'): FloatOperation =>
  (type, a, b) =>
    type === 'f32'
      ? f32[name](typed(a, 'f32'), typed(b, 'f32'))
      : f64[name](typed(a, 'f64'), typed(b, 'f64'));

/** Minimum or maximum that ignores NaN operands. */
const ofNumbers =
  (name: 'min' | 'max'): FloatOperation =>
  (type, a, b) => {
    const isNaN = (value: Expr): Expr<'i32'> =>
      type === 'f32'
        ? f32.ne(typed(value, 'f32'), typed(value, 'f32'))
        : f64.ne(typed(value, 'f64'), typed(value, 'f64'));
    const extremum = typed(instruction(name)(type, a, b), type);
    return select(b, select(a, extremum, isNaN(b)), isNaN(a));
  };

const floatOperations: Readonly<Record<string, FloatOperation>> = {
  'arith.addf': instruction('add'),
  'arith.subf': instruction('sub'),
  'arith.mulf': instruction('mul'),
  'arith.divf': instruction('div'),
  'arith.maximumf': instruction('max'),
  'arith.minimumf': instruction('min'),
  'arith.maxnumf': ofNumbers('max'),
  'arith.minnumf': ofNumbers('min'),
};

const lowerFloatOperation = (state: Lowering, operation: Operation, apply: FloatOperation): void => {
  const [a, b] = [0, 1].map((i) => scalarOf(state, operation, operandOf(operation, i))) as [Expr, Expr];
  const { type } = a;
  if (type !== b.type || (type !== 'f32' && type !== 'f64')) return unsupported(operation, 'this type');
  const result = resultOf(operation);
  const value = apply(type, typed(a, type), typed(b, type));
  bindScalar(state, result, roundedTo(state, result.type, value));
};

/**
 * A result of f32 as one of the operation's type. Rounded twice it is as rounded once: f32 has more than twice the
 * bits.
 */
const roundedTo = ({ f }: Lowering, type: Type, value: Expr): Expr =>
  type.kind === 'float' && isHalf(type.name)
    ? rounded(f, type.name, f64.promoteF32(typed(value, 'f32')))
    : value;

const floatConstant = (type: Type, value: number): Expr => {
  const name = type.kind === 'float' ? type.name : 'f64';
  if (isHalf(name)) return f32.const(halfValues(name, halfBits(name, [value]))[0]!);
  return name === 'f32' ? f32.const(value) : f64.const(value);
};

/** `arith.constant` of a number. */
export const lowerConstant = (state: Lowering, operation: Operation): void => {
  const { value } = operation.attributes;
  const result = resultOf(operation);
  const type = scalarTypeOf(result.type);
  if (type === undefined) return unsupported(operation, 'a constant of this type');
  const bind = (expr: Expr): void => {
    state.values.set(result.id, { kind: 'scalar', expr });
  };
  if (value?.kind === 'float') bind(floatConstant(result.type, value.value));
  else if (value?.kind === 'integer' && type === 'i64') bind(i64.const(value.value));
  else if (value?.kind === 'integer') {
    const width = heldWidth(result.type) ?? 32;
    // A boolean is 0 or 1, whatever the sign of its bit.
    const held = width === 1 ? BigInt.asUintN(1, value.value) : BigInt.asIntN(width, value.value);
    bind(i32.const(Number(held)));
  } else unsupported(operation, 'a constant that is no number');
};

const lowerSelect = (state: Lowering, operation: Operation): void => {
  const value = (i: number): Expr => scalarOf(state, operation, operandOf(operation, i));
  const [condition, a, b] = [value(0), value(1), value(2)];
  const { type } = a;
  if (condition.type !== 'i32' || type === 'v128' || b.type !== type) {
    return unsupported(operation, 'this selection');
  }
  const chosen = select(typed(a, type), typed(b, type), typed(condition, 'i32'));
  bindScalar(state, resultOf(operation), chosen);
};

const lowerNegation = (state: Lowering, operation: Operation): void => {
  const value = scalarOf(state, operation, operandOf(operation, 0));
  if (value.type === 'f32') bindScalar(state, resultOf(operation), f32.neg(typed(value, 'f32')));
  else if (value.type === 'f64') bindScalar(state, resultOf(operation), f64.neg(typed(value, 'f64')));
  else unsupported(operation, 'this type');
};

/** Computed in 32 bits if the result in 64 bits fits them. */
const keepsIndices = new Set(
  ['andi', 'ori', 'xori', 'minsi', 'maxsi', 'minui', 'maxui'].map((name) => `arith.${name}`),
);

const lowerIntegerOperation = (state: Lowering, operation: Operation): void => {
  const result = resultOf(operation);
  const [a, b] = [0, 1].map((i) => scalarOf(state, operation, operandOf(operation, i))) as [Expr, Expr];
  if (result.type.kind !== 'index' || keepsIndices.has(operation.name)) {
    const width = heldWidth(result.type);
    const value = width === undefined ? undefined : integerOperation(state, operation, width, a, b);
    bindScalar(state, result, value ?? unsupported(operation, 'this type'));
    return;
  }
  const [x, y] = [a, b].map((value) => i64.extendI32S(typed(value, 'i32'))) as [Expr<'i64'>, Expr<'i64'>];
  const wide = integerOperation(state, operation, 64, x, y) ?? unsupported(operation, 'this type');
  bindScalar(state, result, indexFromWord(state, operation, typed(wide, 'i64')));
};

/** By operation name, as code; affine index arithmetic emits none. */
const asCode: Readonly<Record<string, WasmLowering>> = {
  ...loweringsOf(floatOperations, lowerFloatOperation),
  ...Object.fromEntries(integerOperationNames.map((name) => [name, lowerIntegerOperation])),
  ...conversionLowerings,
  'arith.constant': lowerConstant,
  'arith.negf': lowerNegation,
  'arith.cmpi': lowerIntegerComparison,
  'arith.cmpf': lowerFloatComparison,
  'arith.select': lowerSelect,
  'affine.apply': (_, operation) => unsupported(operation, 'an operand that is no index'),
  'affine.min': (state, operation) => {
    lowerExtremum(state, operation, 'ltS');
  },
  'affine.max': (state, operation) => {
    lowerExtremum(state, operation, 'gtS');
  },
};

/** By operation name: arith on numbers, and `affine.apply`, `affine.min`, `affine.max`. */
export const scalarLowerings = loweringsOf(asCode, (state, operation, lower) => {
  const symbolic = symbolicIndex(state, operation);
  if (symbolic === undefined) lower(state, operation);
  else bindIndex(state, operation, resultOf(operation), symbolic);
});
