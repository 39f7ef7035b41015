/** Bodies of structured operations in SIMD: f32 operations, bit-identical in each of four lanes. */
import type { Id, Operation } from '@sconv/ir';
import type { Code, Expr } from './instructions.ts';
import { f32x4, typed, v128 } from './instructions.ts';
import type { Lowering } from './lowering.ts';
import { unsupported } from './lowering.ts';
import { lowerConstant } from './scalar-ops.ts';
import { loadVector, storeVector } from './vector-access.ts';

export const lanes = 4;
export const floatBytes = 4;

export type Vector = Expr<'v128'>;

type Binary = (a: Vector, b: Vector) => Vector;

/** Maximum or minimum that ignores NaN operands. */
const ofNumbers =
  (choose: Binary): Binary =>
  (a, b) =>
    v128.bitselect(b, v128.bitselect(a, choose(a, b), f32x4.ne(b, b)), f32x4.ne(a, a));

const binaryOps: Readonly<Record<string, Binary>> = {
  'arith.addf': f32x4.add,
  'arith.subf': f32x4.sub,
  'arith.mulf': f32x4.mul,
  'arith.divf': f32x4.div,
  'arith.maximumf': f32x4.max,
  'arith.minimumf': f32x4.min,
  'arith.maxnumf': ofNumbers(f32x4.max),
  'arith.minnumf': ofNumbers(f32x4.min),
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

const isF32 = ({ type }: { readonly type: { readonly kind: string } }): boolean =>
  type.kind === 'float' && (type as { readonly name?: string }).name === 'f32';

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
  if (operation.name === 'linalg.yield') return operation.operands.every(isF32);
  if (operation.name === 'memref.load') return loads.has(operation.id);
  if (operation.name === 'arith.cmpf')
    return comparisonOf(operation) !== undefined && operation.operands.every(isF32);
  if (operation.name === 'arith.select')
    return masks.has(operation.operands[0]!.id) && operation.operands.slice(1).every(isF32);
  const known =
    operation.name === 'arith.negf' || operation.name === 'arith.constant' || operation.name in binaryOps;
  return known && operation.operands.every(isF32) && operation.results.every(isF32);
};

/** Loads `count` elements `stride` bytes apart, from `offset` bytes after the pointer; never reads beyond them. */
export const loadLanes = (pointer: Expr<'i32'>, stride: number, offset = 0, count = lanes): Vector => {
  if (stride === 0) return v128.load32Splat(pointer, offset);
  if (stride === floatBytes) return loadVector(pointer, offset, count);
  if (stride === 2 * floatBytes && count === lanes) {
    const [first, second] = [v128.load(pointer, offset), v128.load(pointer, offset + 3 * floatBytes)];
    return f32x4.shuffle(first, second, [0, 2, 5, 7]);
  }
  let vector = v128.load32Zero(pointer, offset);
  for (let lane = 1; lane < count; lane++) {
    vector = v128.load32Lane(pointer, vector, lane, offset + lane * stride);
  }
  return vector;
};

/** The inverse of `loadLanes`. */
export const storeLanes = (
  pointer: Expr<'i32'>,
  value: Vector,
  stride: number,
  offset = 0,
  count = lanes,
): Code =>
  stride === floatBytes
    ? storeVector(pointer, value, offset, count)
    : Array.from({ length: count }, (_, lane) =>
        v128.store32Lane(pointer, value, lane, offset + lane * stride),
      );

/** Broadcasts a value. */
export const vectorOf = (value: Expr): Vector =>
  value.type === 'v128' ? typed(value, 'v128') : f32x4.splat(typed(value, 'f32'));

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
  return {
    valueOf,
    bind,
    lower: (operation) => {
      const [result] = operation.results;
      const [a, b] = operation.operands;
      const binary = binaryOps[operation.name] ?? comparisonOf(operation);
      if (result === undefined) return;
      if (binary !== undefined && a !== undefined && b !== undefined)
        bind(result.id, binary(valueOf(a.id), valueOf(b.id)));
      else if (operation.name === 'arith.select') {
        const [mask, chosen, other] = operation.operands.map(({ id }) => valueOf(id));
        bind(result.id, v128.bitselect(chosen!, other!, mask!));
      } else if (operation.name === 'arith.negf' && a !== undefined)
        bind(result.id, f32x4.neg(valueOf(a.id)));
      else if (operation.name === 'arith.constant') lowerConstant(state, operation);
    },
  };
};
