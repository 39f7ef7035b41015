/**
 * Structured operations in SIMD: four points of a parallel dimension at a time, if every operand has a constant stride
 * along it. Each lane computes what the scalar loop would, in the same order, so results are bit-identical.
 */
import type { AffineExpr } from '@sconv/affine';
import { termsOf, positionsOf } from './index-expressions.ts';
import type { ElementAccess, NestMode } from './loop-nest-op.ts';
import { bodyLoads, lowerLoopNest, outputsAreDistinct, scalarMode } from './loop-nest-op.ts';
import type { Buffer, Lowering } from './lowering.ts';
import { constantOf, elementOffset } from './lowering.ts';
import type { StructuredOp } from './structured-op.ts';
import { bindBodyIndices, restrictDimension } from './structured-op.ts';
import { isVectorizable, vectorBody, vectorOf } from './vector-body.ts';
import { isLoaded, isStored, lanes, loadLanes, storeLanes } from './vector-lanes.ts';

/** Bytes that an address moves per increment of a loop variable; undefined if not constant. */
export const strideAlong = (offset: AffineExpr, variable: AffineExpr): number | undefined => {
  if (variable.kind !== 'symbol') return undefined;
  const moving = termsOf(offset).terms.filter(({ expr }) => positionsOf(expr).includes(variable.position));
  return moving.every(({ expr }) => expr.kind === 'symbol')
    ? moving.reduce((sum, { factor }) => sum + factor, 0)
    : undefined;
};

/**
 * How suitable a dimension is for the lanes: unit-stride operands count most, then invariant ones; undefined if it
 * cannot be vectorized.
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
    score += stride === buffer.storage.bytes ? 3 : stride === 0 ? 2 : 0;
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

/** The dimension to vectorize; undefined if there is none. */
export const chooseLanes = (state: Lowering, op: StructuredOp): number | undefined => {
  const loads = bodyLoads(state, op);
  const known = new Set(loads.map(({ id }) => id));
  const accesses = accessesOf(state, op);
  const fits = ({ buffer: { storage }, isOutput }: Access): boolean =>
    isOutput ? isStored(storage) : isLoaded(storage);
  if (!accesses.every(fits)) return undefined;
  if (!outputsAreDistinct(op, loads)) return undefined;
  const masks = new Set(
    op.body.operations.flatMap(({ name, results }) => (name === 'arith.cmpf' ? [results[0]!.id] : [])),
  );
  if (!op.body.operations.every((operation) => isVectorizable(state, operation, known, masks)))
    return undefined;
  let best: { readonly dimension: number; readonly score: number } | undefined;
  op.dims.forEach((_, dimension) => {
    const score = suitability(op, accesses, dimension);
    // Ties go to the innermost.
    if (score !== undefined && score >= (best?.score ?? 0)) best = { dimension, score };
  });
  return best?.dimension;
};

/** Four lanes at a time; `variable` counts groups of lanes. */
const vectorMode = (state: Lowering, op: StructuredOp, variable: AffineExpr): NestMode => {
  const { valueOf, bind, lower } = vectorBody(state, op.operation);
  return {
    access: (buffer, indices): ElementAccess => {
      const offset = elementOffset(buffer, indices);
      const stride = (strideAlong(offset, variable) ?? 0) / lanes;
      return {
        buffer,
        base: buffer.base,
        offset,
        type: 'v128',
        load: (pointer) => loadLanes(state.f, buffer.storage, pointer, stride),
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
        } else lower(operation);
      }
    },
    result: valueOf,
  };
};

/** Emits the operation vectorized along one dimension, with a scalar remainder; false if no dimension is suitable. */
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
