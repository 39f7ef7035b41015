/** Bodies of structured operations in SIMD: operations on floats and integers, bit-identical in each lane. */
import type { FloatInstruction, IntegerInstruction } from '@sconv/dialects';
import { scalarOp } from '@sconv/dialects';
import type { Id, Operation, Type } from '@sconv/ir';
import { modelOf } from '@sconv/ir';
import { mathFunctions } from '@sconv/kernels';
import type { Expr } from './instructions.ts';
import { floatOps, mayRound } from './float-ops.ts';
import { floatPredicates } from './float-predicates.ts';
import { isHalf as isHalfName, roundedVector } from './half-floats.ts';
import { constantOfF32, f32, f32x4, f64x2, i16x8, i32, i32x4, i8x16, typed, v128 } from './instructions.ts';
import type { Lowering } from './lowering.ts';
import { unsupported } from './lowering.ts';
import { mathOnRegisters } from './math-ops.ts';
import { lowerConstant } from './scalar-ops.ts';
import type { LaneShape } from './vector-lanes.ts';

export type Vector = Expr<'v128'>;

type Binary = (a: Vector, b: Vector) => Vector;

type FloatVectors = typeof f32x4 | typeof f64x2;

type IntegerVectors = typeof i8x16 | typeof i16x8 | typeof i32x4;

const integerOps = (vectors: IntegerVectors): LaneOps['integers'] => ({
  add: vectors.add,
  sub: vectors.sub,
  ...('mul' in vectors ? { mul: vectors.mul } : {}),
  maxS: vectors.maxS,
  minS: vectors.minS,
  maxU: vectors.maxU,
  minU: vectors.minU,
});

/**
 * A maximum or minimum with a constant, e.g. of an activation: NaN is in no bound, so that the pseudo-maximum
 * keeps it, and zeros differ in sign only where the bound is the greater zero of a maximum, or the lesser one of a
 * minimum.
 */
const bounded: Partial<
  Readonly<Record<FloatInstruction, (vector: Vector, bound: number) => Vector | undefined>>
> = {
  max: (vector, bound) => {
    const result = f32x4.pmax(vector, f32x4.splat(f32.const(bound)));
    // -0 + 0 = 0
    return Object.is(bound, 0) ? f32x4.add(result, f32x4.splat(f32.const(0))) : result;
  },
  min: (vector, bound) =>
    Object.is(bound, -0) ? undefined : f32x4.pmin(vector, f32x4.splat(f32.const(bound))),
};

/** Masks of `arith.cmpf` by predicate number, without the constant ones. */
const comparisons = ({ eq, ne, lt, gt, le, ge }: FloatVectors): readonly (Binary | undefined)[] => [
  undefined,
  ...floatPredicates<Binary>({
    ...{ eq, ne, lt, gt, le, ge },
    distinct: (a, b) => v128.or(lt(a, b), gt(a, b)),
    ordered: (a, b) => v128.and(eq(a, a), eq(b, b)),
    not: (comparison) => (a, b) => v128.not(comparison(a, b)),
  }),
];

type Holds = (value: { readonly type: Type }) => boolean;

const isFloat =
  (...names: readonly string[]): Holds =>
  ({ type }) =>
    type.kind === 'float' && names.includes(type.name);

const isInteger =
  (...widths: readonly number[]): Holds =>
  ({ type }) =>
    type.kind === 'integer' && widths.includes(type.width);

const isF32 = isFloat('f32');
const isHalf = isFloat('f16', 'bf16');
const isI32 = isInteger(32);
const isSmallInteger = isInteger(8, 16);

/** The operations on lanes of one shape. */
export interface LaneOps {
  readonly integers: Readonly<Partial<Record<IntegerInstruction, Binary>>>;
  readonly floats: Readonly<Partial<Record<FloatInstruction, Binary>>>;
  /** By predicate number. */
  readonly comparisons: readonly (Binary | undefined)[];
  readonly isInteger: Holds;
  readonly isFloat: Holds;
  readonly conversions: Readonly<Record<string, Conversion>>;
}

const ofIntegers = (vectors: IntegerVectors, width: number): LaneOps => ({
  integers: integerOps(vectors),
  floats: {},
  comparisons: [],
  isInteger: isInteger(width),
  isFloat: () => false,
  conversions: {},
});

const ofFloats = (shape: 'f32x4' | 'f64x2', ...names: readonly string[]): LaneOps => ({
  integers: {},
  floats: floatOps[shape],
  comparisons: comparisons({ f32x4, f64x2 }[shape]),
  isInteger: () => false,
  isFloat: isFloat(...names),
  conversions: {},
});

interface Conversion {
  /** Whether it converts this value, and to this type. */
  readonly from: Holds;
  readonly to: Holds;
  readonly convert: (vector: Vector, from: Type) => Vector;
}

const same = (vector: Vector): Vector => vector;

/** Conversions of elements, which lanes hold extended: floats by value, integers by sign. */
const conversions: Readonly<Record<string, Conversion>> = {
  'arith.extf': { from: isHalf, to: isF32, convert: same },
  'arith.extsi': { from: isSmallInteger, to: isI32, convert: same },
  'arith.extui': {
    from: isSmallInteger,
    to: isI32,
    convert: (vector, from) =>
      v128.and(vector, i32x4.splat(i32.const(from.kind === 'integer' && from.width === 8 ? 0xff : 0xffff))),
  },
  'arith.sitofp': {
    from: (value) => isSmallInteger(value) || isI32(value),
    to: isF32,
    convert: f32x4.convertI32x4S,
  },
};

export const laneOps: Readonly<Record<LaneShape['name'], LaneOps>> = {
  i8: ofIntegers(i8x16, 8),
  i16: ofIntegers(i16x8, 16),
  words: {
    ...ofFloats('f32x4', 'f32', 'f16', 'bf16'),
    integers: integerOps(i32x4),
    isInteger: isI32,
    conversions,
  },
  f64: ofFloats('f64x2', 'f64'),
};

const comparisonOf = (
  { name, attributes: { predicate } }: Operation,
  { comparisons: known }: LaneOps,
): Binary | undefined =>
  name === 'arith.cmpf' && predicate?.kind === 'integer' ? known[Number(predicate.value)] : undefined;

/** What an operation computes on lanes; undefined if it declares no instruction that these have. */
const onLanes = ({ registry }: Lowering, operation: Operation, ops: LaneOps): LaneOperation | undefined => {
  const scalar = modelOf(registry, scalarOp, operation);
  if (scalar?.kind === 'integers' && scalar.instruction !== undefined) {
    const apply = ops.integers[scalar.instruction];
    return apply && { apply, isOperand: ops.isInteger };
  }
  if (scalar?.kind !== 'floats' || scalar.instruction === undefined) return undefined;
  const { instruction } = scalar;
  const apply = ops.floats[instruction];
  return apply && { apply, isOperand: ops.isFloat, instruction };
};

interface LaneOperation {
  readonly apply: Binary;
  readonly isOperand: Holds;
  /** That of an operation on floats. */
  readonly instruction?: FloatInstruction;
}

/**
 * Whether an operation of the body has a vector form, or only computes indices of one of the `loads`, by operation;
 * `masks` are the results of the body's comparisons.
 */
export const isVectorizable = (
  state: Lowering,
  operation: Operation,
  shape: LaneShape,
  loads: ReadonlySet<Id>,
  masks: ReadonlySet<Id>,
): boolean => {
  const isIndex =
    operation.results.length > 0 && operation.results.every(({ type }) => type.kind === 'index');
  if (isIndex) return operation.results.every(({ id }) => state.values.get(id)?.kind === 'index');
  const { name, operands, results } = operation;
  const ops = laneOps[shape.name];
  // Elements that are only copied may be of any type.
  if (name === 'linalg.yield') return true;
  const conversion = ops.conversions[name];
  if (conversion !== undefined) return operands.every(conversion.from) && results.every(conversion.to);
  const computed = onLanes(state, operation, ops);
  if (computed !== undefined) return [...operands, ...results].every(computed.isOperand);
  if (mathFunctions[name] !== undefined) return operands.every(ops.isFloat);
  if (name === 'arith.constant' && results.every(ops.isInteger)) return true;
  if (operation.name === 'memref.load') return loads.has(operation.id);
  if (operation.name === 'arith.cmpf')
    return comparisonOf(operation, ops) !== undefined && operation.operands.every(ops.isFloat);
  if (operation.name === 'arith.select')
    return masks.has(operation.operands[0]!.id) && operation.operands.slice(1).every(ops.isFloat);
  return name === 'arith.constant' && results.every(ops.isFloat);
};

/** Broadcasts a value to lanes of this shape. */
export const vectorOf = (value: Expr, shape: LaneShape): Vector => {
  switch (value.type) {
    case 'v128':
      return typed(value, 'v128');
    case 'f32':
      return f32x4.splat(typed(value, 'f32'));
    case 'f64':
      return f64x2.splat(typed(value, 'f64'));
    default: {
      const splats = { i8: i8x16.splat, i16: i16x8.splat, words: i32x4.splat, f64: i32x4.splat } as const;
      return splats[shape.name](typed(value, 'i32'));
    }
  }
};

/** The vector lowering of a body, whose values are in `state`; loads are done elsewhere. */
export interface VectorBody {
  /** A value of the body as a vector. */
  readonly valueOf: (id: Id) => Vector;
  readonly bind: (id: Id, value: Vector) => void;
  readonly lower: (operation: Operation) => void;
}

export const vectorBody = (state: Lowering, parent: Operation, shape: LaneShape): VectorBody => {
  const ops = laneOps[shape.name];
  const valueOf = (id: Id): Vector => {
    const value = state.values.get(id);
    return value?.kind === 'scalar' ? vectorOf(value.expr, shape) : unsupported(parent, 'this body');
  };
  const bind = (id: Id, value: Vector): void => {
    state.values.set(id, { kind: 'scalar', expr: state.f.get(state.f.let(value)) });
  };
  const constantAt = (id: Id): number | undefined => {
    const value = state.values.get(id);
    return value?.kind === 'scalar' ? constantOfF32(value.expr) : undefined;
  };
  /** A maximum or minimum with a constant; undefined for anything else. */
  const lowerBound = (
    instruction: FloatInstruction | undefined,
    { operands: [a, b] }: Operation,
  ): Vector | undefined => {
    const bound = instruction && bounded[instruction];
    if (bound === undefined || a === undefined || b === undefined) return undefined;
    const [first, second] = [constantAt(a.id), constantAt(b.id)];
    const [constant, other] = second === undefined ? [first, b] : [second, a];
    return constant === undefined || Number.isNaN(constant) ? undefined : bound(valueOf(other.id), constant);
  };
  /** A result of f32 lanes as one of the operation's type. */
  const inFormat = (instruction: FloatInstruction | undefined, type: Type, vector: Vector): Vector =>
    instruction !== undefined && mayRound(instruction) && type.kind === 'float' && isHalfName(type.name)
      ? roundedVector(state.f, type.name, vector)
      : vector;
  return {
    valueOf,
    bind,
    lower: (operation) => {
      const [result] = operation.results;
      const [a, b] = operation.operands;
      const computed = onLanes(state, operation, ops);
      const comparison = comparisonOf(operation, ops);
      const conversion = ops.conversions[operation.name];
      // Indices are computed where they are used.
      if (result === undefined || result.type.kind === 'index') return;
      if (conversion !== undefined && a !== undefined)
        bind(result.id, conversion.convert(valueOf(a.id), a.type));
      else if (computed !== undefined && a !== undefined) {
        const { apply, instruction } = computed;
        const vector = lowerBound(instruction, operation) ?? apply(valueOf(a.id), valueOf((b ?? a).id));
        bind(result.id, inFormat(instruction, result.type, vector));
      } else if (mathFunctions[operation.name] !== undefined && a !== undefined)
        bind(result.id, typed(mathOnRegisters(state, operation)!.apply(valueOf(a.id)), 'v128'));
      else if (comparison !== undefined && a !== undefined && b !== undefined)
        bind(result.id, comparison(valueOf(a.id), valueOf(b.id)));
      else if (operation.name === 'arith.select') {
        const [mask, chosen, other] = operation.operands.map(({ id }) => valueOf(id));
        bind(result.id, v128.bitselect(chosen!, other!, mask!));
      } else if (operation.name === 'arith.constant') lowerConstant(state, operation);
    },
  };
};
