/** arith on numbers; affine index arithmetic stays symbolic, see `symbolicIndex`. */
import { halfBits, halfValues } from '@sconv/backend';
import type { FloatInstruction, IntegerInstruction, ScalarOp } from '@sconv/dialects';
import { scalarOp } from '@sconv/dialects';
import { arithDialect } from '@sconv/dialects/arith';
import { mathDialect } from '@sconv/dialects/math';
import type { Operation, Type } from '@sconv/ir';
import { lowerFloatComparison, lowerIntegerComparison } from './comparison-ops.ts';
import { conversionLowerings } from './conversion-ops.ts';
import { floatOps, mayRound } from './float-ops.ts';
import { lowerExtremum, symbolicIndex } from './index-ops.ts';
import type { Expr } from './instructions.ts';
import { f32, f64, i32, i64, select, typed } from './instructions.ts';
import { integerOperation } from './integer-ops.ts';
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

const lowerFloatOperation = (state: Lowering, operation: Operation, instruction: FloatInstruction): void => {
  const [a, b = a] = operation.operands.map((operand) => scalarOf(state, operation, operand));
  const apply = <T extends 'f32' | 'f64'>(type: T, by: (x: Expr<T>, y: Expr<T>) => Expr<T>): Expr =>
    a?.type === b?.type ? by(typed(a!, type), typed(b!, type)) : unsupported(operation, 'this type');
  const result = resultOf(operation);
  if (a?.type === 'f64') bindScalar(state, result, apply('f64', floatOps.f64[instruction]));
  else if (a?.type === 'f32') {
    const value = apply('f32', floatOps.f32[instruction]);
    bindScalar(state, result, mayRound(instruction) ? roundedTo(state, result.type, value) : value);
  } else unsupported(operation, 'this type');
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

/** Computed in 32 bits if the result in 64 bits fits them. */
const keepsIndices: ReadonlySet<IntegerInstruction> = new Set([
  'and',
  'or',
  'xor',
  'minS',
  'maxS',
  'minU',
  'maxU',
] as const);

const lowerIntegerOperation = (
  state: Lowering,
  operation: Operation,
  instruction: IntegerInstruction,
): void => {
  const result = resultOf(operation);
  const [a, b] = [0, 1].map((i) => scalarOf(state, operation, operandOf(operation, i))) as [Expr, Expr];
  if (result.type.kind !== 'index' || keepsIndices.has(instruction)) {
    const width = heldWidth(result.type);
    const value =
      width === undefined ? undefined : integerOperation(state, operation, instruction, width, a, b);
    bindScalar(state, result, value ?? unsupported(operation, 'this type'));
    return;
  }
  const [x, y] = [a, b].map((value) => i64.extendI32S(typed(value, 'i32'))) as [Expr<'i64'>, Expr<'i64'>];
  const wide =
    integerOperation(state, operation, instruction, 64, x, y) ?? unsupported(operation, 'this type');
  bindScalar(state, result, indexFromWord(state, operation, typed(wide, 'i64')));
};

/** The ops of arith and math that declare an instruction. */
const instructions = [...arithDialect.operations, ...mathDialect.operations].flatMap(
  ({ name, models }): readonly (readonly [string, WasmLowering])[] => {
    const scalar = models.get(scalarOp.name) as ScalarOp | undefined;
    if (scalar?.kind === 'floats' && scalar.instruction !== undefined) {
      const { instruction } = scalar;
      return [[name, (state, operation) => lowerFloatOperation(state, operation, instruction)]];
    }
    if (scalar?.kind !== 'integers' || scalar.instruction === undefined) return [];
    const { instruction } = scalar;
    return [[name, (state, operation) => lowerIntegerOperation(state, operation, instruction)]];
  },
);

/** By operation name, as code; affine index arithmetic emits none. */
const asCode: Readonly<Record<string, WasmLowering>> = {
  ...Object.fromEntries(instructions),
  ...conversionLowerings,
  'arith.constant': lowerConstant,
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

/** By operation name: arith and instructions of math on numbers, and `affine.apply`, `affine.min`, `affine.max`. */
export const scalarLowerings = loweringsOf(asCode, (state, operation, lower) => {
  const symbolic = symbolicIndex(state, operation);
  if (symbolic === undefined) lower(state, operation);
  else bindIndex(state, operation, resultOf(operation), symbolic);
});
