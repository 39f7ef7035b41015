/**
 * Structured operations in SIMD: four points of a parallel dimension at once, where every operand moves along it by a
 * constant stride. Each lane computes what the scalar loop would, in the same order, so the results are the same bits.
 */
import type { AffineExpr } from '@sconv/affine';
import type { Id, Operation } from '@sconv/ir';
import { termsOf, positionsOf } from './index-expressions.ts';
import type { Code, Expr } from './instructions.ts';
import { f32x4, typed, v128 } from './instructions.ts';
import type { ElementAccess, NestMode } from './loop-nest-op.ts';
import { bodyLoads, lowerLoopNest, outputsAreDistinct, scalarMode } from './loop-nest-op.ts';
import type { Buffer, Lowering } from './lowering.ts';
import { constantOf, elementOffset, unsupported } from './lowering.ts';
import { lowerConstant } from './scalar-ops.ts';
import type { StructuredOp } from './structured-op.ts';
import { bindBodyIndices, restrictDimension } from './structured-op.ts';

const lanes = 4;
const floatBytes = 4;

type Vector = Expr<'v128'>;

const binaryOps: Readonly<Record<string, (a: Vector, b: Vector) => Vector>> = {
  'arith.addf': f32x4.add,
  'arith.subf': f32x4.sub,
  'arith.mulf': f32x4.mul,
  'arith.divf': f32x4.div,
  'arith.maximumf': f32x4.max,
  'arith.minimumf': f32x4.min,
};

const isF32 = ({ type }: { readonly type: { readonly kind: string } }): boolean =>
  type.kind === 'float' && (type as { readonly name?: string }).name === 'f32';

/** Whether an operation of the body has a form on vectors, or only computes the indices of a load. */
const isVectorizable = (state: Lowering, operation: Operation, loads: ReadonlySet<Id>): boolean => {
  const isIndex =
    operation.results.length > 0 && operation.results.every(({ type }) => type.kind === 'index');
  if (isIndex) return operation.results.every(({ id }) => state.values.get(id)?.kind === 'index');
  if (operation.name === 'linalg.yield') return operation.operands.every(isF32);
  if (operation.name === 'memref.load') return loads.has(operation.id);
  const known =
    operation.name === 'arith.negf' || operation.name === 'arith.constant' || operation.name in binaryOps;
  return known && operation.operands.every(isF32) && operation.results.every(isF32);
};

/** Bytes that an address moves when a loop variable grows by 1; undefined where that is no constant. */
const strideAlong = (offset: AffineExpr, variable: AffineExpr): number | undefined => {
  if (variable.kind !== 'symbol') return undefined;
  const moving = termsOf(offset).terms.filter(({ expr }) => positionsOf(expr).includes(variable.position));
  return moving.every(({ expr }) => expr.kind === 'symbol')
    ? moving.reduce((sum, { factor }) => sum + factor, 0)
    : undefined;
};

/**
 * How well a dimension suits as the lanes: operands that lie side by side count most, then those that stand still;
 * undefined where it cannot be vectorized.
 */
const suitability = (
  op: StructuredOp,
  accesses: readonly Access[],
  dimension: number,
): number | undefined => {
  const variable = op.dims[dimension]!;
  const extent = constantOf(op.extents[dimension]);
  if (op.iteratorTypes[dimension] !== 'parallel' || extent === undefined || extent < lanes) return undefined;
  let score = 0;
  for (const { buffer, indices, isOutput } of accesses) {
    const stride = strideAlong(elementOffset(buffer, indices), variable);
    if (stride === undefined || stride < 0 || (isOutput && stride === 0)) return undefined;
    score += stride === floatBytes ? 3 : stride === 0 ? 2 : 0;
  }
  return score;
};

interface Access {
  readonly buffer: Buffer;
  readonly indices: readonly AffineExpr[];
  readonly isOutput: boolean;
}

const accessesOf = (state: Lowering, op: StructuredOp): readonly Access[] => {
  const operands = (list: StructuredOp['inputs'], isOutput: boolean): readonly Access[] =>
    list.flatMap(({ value, indices }) =>
      value.kind === 'buffer' ? [{ buffer: value, indices, isOutput }] : [],
    );
  const loads = bodyLoads(state, op).map(({ buffer, indices }) => ({ buffer, indices, isOutput: false }));
  return [...operands(op.inputs, false), ...operands(op.outputs, true), ...loads];
};

/** The dimension whose points become the lanes; undefined where there is none. */
const chooseLanes = (state: Lowering, op: StructuredOp): number | undefined => {
  const loads = bodyLoads(state, op);
  const known = new Set(loads.map(({ id }) => id));
  const accesses = accessesOf(state, op);
  if (accesses.some(({ buffer }) => buffer.storage.name !== 'f32')) return undefined;
  if (!outputsAreDistinct(op, loads)) return undefined;
  if (!op.body.operations.every((operation) => isVectorizable(state, operation, known))) return undefined;
  let best: { readonly dimension: number; readonly score: number } | undefined;
  op.dims.forEach((_, dimension) => {
    const score = suitability(op, accesses, dimension);
    // Of equals the innermost.
    if (score !== undefined && score >= (best?.score ?? 0)) best = { dimension, score };
  });
  return best?.dimension;
};

/** Four elements `stride` bytes apart; no byte beyond them is read. */
const loadLanes = (pointer: Expr<'i32'>, stride: number): Vector => {
  if (stride === 0) return v128.load32Splat(pointer);
  if (stride === floatBytes) return v128.load(pointer);
  if (stride === 2 * floatBytes) {
    return f32x4.shuffle(v128.load(pointer), v128.load(pointer, 3 * floatBytes), [0, 2, 5, 7]);
  }
  return [1, 2, 3].reduce(
    (vector, lane) => v128.load32Lane(pointer, vector, lane, lane * stride),
    v128.load32Zero(pointer),
  );
};

const storeLanes = (pointer: Expr<'i32'>, value: Vector, stride: number): Code =>
  stride === floatBytes
    ? v128.store(pointer, value)
    : [0, 1, 2, 3].map((lane) => v128.store32Lane(pointer, value, lane, lane * stride));

const vectorOf = (value: Expr): Vector => {
  return value.type === 'v128' ? typed(value, 'v128') : f32x4.splat(typed(value, 'f32'));
};

/** Four lanes at a time; `variable` counts groups of lanes. */
const vectorMode = (state: Lowering, op: StructuredOp, variable: AffineExpr): NestMode => {
  const vectorValue = (id: Id): Vector => {
    const value = state.values.get(id);
    return value?.kind === 'scalar' ? vectorOf(value.expr) : unsupported(op.operation, 'this body');
  };
  const bind = (id: Id, value: Vector): void => {
    state.values.set(id, { kind: 'scalar', expr: state.f.get(state.f.let(value)) });
  };
  const lowerOperation = (operation: Operation): void => {
    const [result] = operation.results;
    const [a, b] = operation.operands;
    const binary = binaryOps[operation.name];
    if (result === undefined) return;
    if (binary !== undefined && a !== undefined && b !== undefined) {
      bind(result.id, binary(vectorValue(a.id), vectorValue(b.id)));
    } else if (operation.name === 'arith.negf' && a !== undefined)
      bind(result.id, f32x4.neg(vectorValue(a.id)));
    else if (operation.name === 'arith.constant') lowerConstant(state, operation);
  };
  return {
    access: (buffer, indices): ElementAccess => {
      const offset = elementOffset(buffer, indices);
      const stride = (strideAlong(offset, variable) ?? 0) / lanes;
      return {
        buffer,
        base: buffer.base,
        offset,
        type: 'v128',
        load: (pointer) => loadLanes(pointer, stride),
        store: (pointer, value) => storeLanes(pointer, vectorOf(value), stride),
      };
    },
    body: (loads) => {
      const loaded = new Map(loads.map((element) => [element.id, element]));
      for (const operation of op.body.operations) {
        const element = loaded.get(operation.id);
        const [result] = operation.results;
        if (element !== undefined && result !== undefined) {
          bind(result.id, vectorOf(element.access.load(element.pointer)));
        } else lowerOperation(operation);
      }
    },
    result: vectorValue,
  };
};

/** Emits the operation with one dimension in lanes, and what is left of it in scalar form; false if none suits. */
export const lowerVectorized = (state: Lowering, op: StructuredOp): boolean => {
  const dimension = chooseLanes(state, op);
  const extent = dimension === undefined ? undefined : constantOf(op.extents[dimension]);
  if (dimension === undefined || extent === undefined) return false;
  const groups = Math.floor(extent / lanes);
  const rest = extent % lanes;

  const whole = restrictDimension(state, op, dimension, { first: 0, step: lanes, count: groups });
  bindBodyIndices(state, whole.op);
  lowerLoopNest(state, whole.op, vectorMode(state, whole.op, whole.variable));
  if (rest === 0) return true;
  const tail = restrictDimension(state, op, dimension, { first: groups * lanes, step: 1, count: rest });
  bindBodyIndices(state, tail.op);
  lowerLoopNest(state, tail.op, scalarMode(state, tail.op));
  return true;
};
