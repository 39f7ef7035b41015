/** Bodies of structured operations in SIMD: operations on f32 and i32, bit-identical in each of four lanes. */
import type { Id, Operation, Type } from '@sconv/ir';
import type { Expr } from './instructions.ts';
import { constantOfF32, f32, f32x4, i32, i32x4, typed, v128 } from './instructions.ts';
import type { Lowering } from './lowering.ts';
import { unsupported } from './lowering.ts';
import { lowerConstant } from './scalar-ops.ts';

export type Vector = Expr<'v128'>;

type Binary = (a: Vector, b: Vector) => Vector;

/** Maximum or minimum that ignores NaN operands. */
const ofNumbers =
  (choose: Binary): Binary =>
  (a, b) =>
    v128.bitselect(b, v128.bitselect(a, choose(a, b), f32x4.ne(b, b)), f32x4.ne(a, a));

const integerOps: Readonly<Record<string, Binary>> = {
  'arith.addi': i32x4.add,
  'arith.subi': i32x4.sub,
  'arith.muli': i32x4.mul,
  'arith.maxsi': i32x4.maxS,
  'arith.minsi': i32x4.minS,
};

const floatOps: Readonly<Record<string, Binary>> = {
  'arith.addf': f32x4.add,
  'arith.subf': f32x4.sub,
  'arith.mulf': f32x4.mul,
  'arith.divf': f32x4.div,
  'arith.maximumf': f32x4.max,
  'arith.minimumf': f32x4.min,
  'arith.maxnumf': ofNumbers(f32x4.max),
  'arith.minnumf': ofNumbers(f32x4.min),
};

/**
 * `maximumf` and `minimumf` with a constant, e.g. of an activation: NaN is in no bound, so that the pseudo-maximum keeps
 * it, and zeros differ in sign only where the bound is the greater zero of a maximum, or the lesser one of a minimum.
 */
const bounded: Readonly<Record<string, (vector: Vector, bound: number) => Vector | undefined>> = {
  'arith.maximumf': (vector, bound) => {
    const result = f32x4.pmax(vector, f32x4.splat(f32.const(bound)));
    // -0 + 0 = 0
    return Object.is(bound, 0) ? f32x4.add(result, f32x4.splat(f32.const(0))) : result;
  },
  'arith.minimumf': (vector, bound) =>
    Object.is(bound, -0) ? undefined : f32x4.pmin(vector, f32x4.splat(f32.const(bound))),
};

const not =
  (comparison: Binary): Binary =>
  (a, b) =>
    v128.not(comparison(a, b));
const distinct: Binary = (a, b) => v128.or(f32x4.lt(a, b), f32x4.gt(a, b));
const ordered: Binary = (a, b) => v128.and(f32x4.eq(a, a), f32x4.eq(b, b));

/** Masks of `arith.cmpf` by predicate number: oeq … ord, ueq … uno, without the constant ones. */
const comparisons: readonly (Binary | undefined)[] = [
  undefined,
  f32x4.eq,
  f32x4.gt,
  f32x4.ge,
  f32x4.lt,
  f32x4.le,
  distinct,
  ordered,
  not(distinct),
  not(f32x4.le),
  not(f32x4.lt),
  not(f32x4.ge),
  not(f32x4.gt),
  f32x4.ne,
  not(ordered),
];

const comparisonOf = ({ name, attributes: { predicate } }: Operation): Binary | undefined =>
  name === 'arith.cmpf' && predicate?.kind === 'integer' ? comparisons[Number(predicate.value)] : undefined;

const isF32 = ({ type }: { readonly type: Type }): boolean => type.kind === 'float' && type.name === 'f32';

const isHalf = ({ type }: { readonly type: Type }): boolean =>
  type.kind === 'float' && (type.name === 'f16' || type.name === 'bf16');

const isI32 = ({ type }: { readonly type: Type }): boolean => type.kind === 'integer' && type.width === 32;

const isSmallInteger = ({ type }: { readonly type: Type }): boolean =>
  type.kind === 'integer' && (type.width === 8 || type.width === 16);

interface Conversion {
  /** Whether it converts this value, and to this type. */
  readonly from: (value: { readonly type: Type }) => boolean;
  readonly to: (value: { readonly type: Type }) => boolean;
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

/**
 * Whether an operation of the body has a vector form, or only computes indices of one of the `loads`, by operation;
 * `masks` are the results of the body's comparisons.
 */
export const isVectorizable = (
  state: Lowering,
  operation: Operation,
  loads: ReadonlySet<Id>,
  masks: ReadonlySet<Id>,
): boolean => {
  const isIndex =
    operation.results.length > 0 && operation.results.every(({ type }) => type.kind === 'index');
  if (isIndex) return operation.results.every(({ id }) => state.values.get(id)?.kind === 'index');
  const { name, operands, results } = operation;
  if (name === 'linalg.yield') return operands.every(isF32) || operands.every(isI32);
  const conversion = conversions[name];
  if (conversion !== undefined) return operands.every(conversion.from) && results.every(conversion.to);
  if (name in integerOps) return operands.every(isI32);
  if (name === 'arith.constant' && results.every(isI32)) return true;
  if (operation.name === 'memref.load') return loads.has(operation.id);
  if (operation.name === 'arith.cmpf')
    return comparisonOf(operation) !== undefined && operation.operands.every(isF32);
  if (operation.name === 'arith.select')
    return masks.has(operation.operands[0]!.id) && operation.operands.slice(1).every(isF32);
  const known = name === 'arith.negf' || name === 'arith.constant' || name in floatOps;
  return known && operands.every(isF32) && results.every(isF32);
};

/** Broadcasts a value. */
export const vectorOf = (value: Expr): Vector => {
  if (value.type === 'v128') return typed(value, 'v128');
  return value.type === 'i32' ? i32x4.splat(typed(value, 'i32')) : f32x4.splat(typed(value, 'f32'));
};

/** The vector lowering of a body, whose values are in `state`; loads are done elsewhere. */
export interface VectorBody {
  /** A value of the body as a vector. */
  readonly valueOf: (id: Id) => Vector;
  readonly bind: (id: Id, value: Vector) => void;
  readonly lower: (operation: Operation) => void;
}

export const vectorBody = (state: Lowering, parent: Operation): VectorBody => {
  const valueOf = (id: Id): Vector => {
    const value = state.values.get(id);
    return value?.kind === 'scalar' ? vectorOf(value.expr) : unsupported(parent, 'this body');
  };
  const bind = (id: Id, value: Vector): void => {
    state.values.set(id, { kind: 'scalar', expr: state.f.get(state.f.let(value)) });
  };
  const constantAt = (id: Id): number | undefined => {
    const value = state.values.get(id);
    return value?.kind === 'scalar' ? constantOfF32(value.expr) : undefined;
  };
  /** A maximum or minimum with a constant; undefined for anything else. */
  const lowerBound = ({ name, operands: [a, b] }: Operation): Vector | undefined => {
    const bound = bounded[name];
    if (bound === undefined || a === undefined || b === undefined) return undefined;
    const [first, second] = [constantAt(a.id), constantAt(b.id)];
    const [constant, other] = second === undefined ? [first, b] : [second, a];
    return constant === undefined || Number.isNaN(constant) ? undefined : bound(valueOf(other.id), constant);
  };
  return {
    valueOf,
    bind,
    lower: (operation) => {
      const [result] = operation.results;
      const [a, b] = operation.operands;
      const binary = floatOps[operation.name] ?? integerOps[operation.name] ?? comparisonOf(operation);
      const conversion = conversions[operation.name];
      // Indices are computed where they are used.
      if (result === undefined || result.type.kind === 'index') return;
      if (conversion !== undefined && a !== undefined)
        bind(result.id, conversion.convert(valueOf(a.id), a.type));
      else if (binary !== undefined && a !== undefined && b !== undefined)
        bind(result.id, lowerBound(operation) ?? binary(valueOf(a.id), valueOf(b.id)));
      else if (operation.name === 'arith.select') {
        const [mask, chosen, other] = operation.operands.map(({ id }) => valueOf(id));
        bind(result.id, v128.bitselect(chosen!, other!, mask!));
      } else if (operation.name === 'arith.negf' && a !== undefined)
        bind(result.id, f32x4.neg(valueOf(a.id)));
      else if (operation.name === 'arith.constant') lowerConstant(state, operation);
    },
  };
};
