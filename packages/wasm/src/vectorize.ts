/**
 * Structured operations in SIMD: two to sixteen points of a parallel dimension at a time, if every operand has a
 * constant stride along it. Each lane computes what the scalar loop would, in the same order, so results are
 * bit-identical.
 */
import type { AffineExpr } from '@sconv/affine';
import { termsOf, positionsOf } from './index-expressions.ts';
import type { ElementAccess, NestMode } from './loop-nest-op.ts';
import { bodyLoads, lowerLoopNest, outputsAreDistinct, scalarMode, usesOf } from './loop-nest-op.ts';
import type { Buffer, Lowering } from './lowering.ts';
import { constantOf, elementOffset } from './lowering.ts';
import type { StructuredOp } from './structured-op.ts';
import { bindBodyIndices, restrictDimension } from './structured-op.ts';
import { isVectorizable, vectorBody, vectorOf } from './vector-body.ts';
import type { LaneShape } from './vector-lanes.ts';
import { isLoaded, isStored, laneShapes, loadLanes, storeLanes } from './vector-lanes.ts';

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
  least: number,
): number | undefined => {
  const variable = op.dims[dimension]!;
  const extent = constantOf(op.extents[dimension]);
  if (op.iteratorTypes[dimension] !== 'parallel' || extent === undefined || extent < least) return undefined;
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
  const used = usesOf(op);
  const operands = (list: StructuredOp['inputs'], first: number, isOutput: boolean): readonly Access[] =>
    list.flatMap(({ value, indices }, i) => {
      const argument = op.body.arguments[first + i];
      const isAccessed = isOutput || (argument !== undefined && used.has(argument.id));
      return value.kind === 'buffer' && isAccessed ? [{ buffer: value, indices, isOutput }] : [];
    });
  const loads = bodyLoads(state, op).map(({ buffer, indices }) => ({ buffer, indices, isOutput: false }));
  return [...operands(op.inputs, 0, false), ...operands(op.outputs, op.inputs.length, true), ...loads];
};

/** The lanes that suit the elements: their own size where all have one type, else words. */
const shapeOf = (op: StructuredOp, accesses: readonly Access[]): LaneShape => {
  const [name, ...others] = new Set(accesses.map(({ buffer }) => buffer.storage.name));
  if (others.length > 0) return laneShapes.words;
  switch (name) {
    case 'i8':
    case 'i16':
    case 'f64':
      return laneShapes[name];
    case 'f16':
    case 'bf16': {
      // What is only copied keeps its bits.
      const isCopy =
        op.body.operations.length === 1 && op.inputs.every(({ value }) => value.kind === 'buffer');
      return laneShapes[isCopy ? 'i16' : 'words'];
    }
    default:
      return laneShapes.words;
  }
};

/** A dimension to vectorize, and the lanes. */
export interface Lanes {
  readonly dimension: number;
  readonly shape: LaneShape;
}

/** The dimension to vectorize, with `least` points, or as many as there are lanes; undefined if there is none. */
export const chooseLanes = (state: Lowering, op: StructuredOp, least?: number): Lanes | undefined => {
  const loads = bodyLoads(state, op);
  const known = new Set(loads.map(({ id }) => id));
  const accesses = accessesOf(state, op);
  const shape = shapeOf(op, accesses);
  const fits = ({ buffer: { storage }, isOutput }: Access): boolean =>
    isOutput ? isStored(storage, shape) : isLoaded(storage, shape);
  if (!accesses.every(fits)) return undefined;
  if (!outputsAreDistinct(op, loads)) return undefined;
  const masks = new Set(
    op.body.operations.flatMap(({ name, results }) => (name === 'arith.cmpf' ? [results[0]!.id] : [])),
  );
  if (!op.body.operations.every((operation) => isVectorizable(state, operation, shape, known, masks)))
    return undefined;
  let best: { readonly dimension: number; readonly score: number } | undefined;
  op.dims.forEach((_, dimension) => {
    const score = suitability(op, accesses, dimension, Math.min(least ?? shape.lanes, shape.lanes));
    // Ties go to the innermost.
    if (score !== undefined && score >= (best?.score ?? 0)) best = { dimension, score };
  });
  return best === undefined ? undefined : { dimension: best.dimension, shape };
};

/** A vector at a time; `variable` counts vectors. */
const vectorMode = (state: Lowering, op: StructuredOp, variable: AffineExpr, shape: LaneShape): NestMode => {
  const { valueOf, bind, lower } = vectorBody(state, op.operation, shape);
  return {
    access: (buffer, indices): ElementAccess => {
      const offset = elementOffset(buffer, indices);
      const stride = (strideAlong(offset, variable) ?? 0) / shape.lanes;
      return {
        buffer,
        base: buffer.base,
        offset,
        type: 'v128',
        load: (pointer) => loadLanes(state.f, shape, buffer.storage, pointer, stride),
        store: (pointer, value) =>
          storeLanes(state.f, shape, buffer.storage, pointer, vectorOf(value, shape), stride),
      };
    },
    body: (loads) => {
      const loaded = new Map(loads.map((element) => [element.id, element]));
      for (const operation of op.body.operations) {
        const element = loaded.get(operation.id);
        const [result] = operation.results;
        if (element !== undefined && result !== undefined) {
          bind(result.id, vectorOf(element.access.load(element.pointer), shape));
        } else lower(operation);
      }
    },
    result: valueOf,
  };
};

/** Emits the operation vectorized along one dimension, with a scalar remainder; false if no dimension is suitable. */
export const lowerVectorized = (state: Lowering, op: StructuredOp): boolean => {
  const chosen = chooseLanes(state, op);
  if (chosen === undefined) return false;
  const { dimension, shape } = chosen;
  const { lanes } = shape;
  const extent = constantOf(op.extents[dimension])!;
  const groups = Math.floor(extent / lanes);
  const rest = extent % lanes;

  const whole = restrictDimension(state, op, dimension, { first: 0, step: lanes, count: groups });
  bindBodyIndices(state, whole.op);
  lowerLoopNest(state, whole.op, vectorMode(state, whole.op, whole.variable, shape));
  if (rest === 0) return true;
  const tail = restrictDimension(state, op, dimension, { first: groups * lanes, step: 1, count: rest });
  bindBodyIndices(state, tail.op);
  lowerLoopNest(state, tail.op, scalarMode(state, tail.op));
  return true;
};
