/**
 * Sums of products that are no microkernel, such as depthwise convolutions, as loops over vectors: lanes along a
 * contiguous dimension of the output, with accumulators in registers across the reduction.
 *
 *     for each row of the output:  for each tap:  sum[…] += input[… + tap] · filter[tap]
 *
 * An operand that is invariant across lanes is broadcast; one with a lane stride of one or two elements is a vector.
 */
import type { AffineExpr } from '@sconv/affine';
import { add, isFunctionOfDim } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { isMultiplyAdd, structured } from '@sconv/dialects/linalg';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { load as loadElement, stridedLayoutOf } from '@sconv/dialects/memref';
import { forOp, yieldOp } from '@sconv/dialects/scf';
import { broadcast, fma, load, store } from '@sconv/dialects/vector';
import type { Builder, DraftOperation, Id, MemRefType, Rewriter, Value } from '@sconv/ir';
import { DYNAMIC, indexType, typeEquals, vectorType } from '@sconv/ir';
import { everySecond } from './copy-linear.ts';
import { indexConstant } from './index-constant.ts';
import { mayShare } from './may-share.ts';
import type { LoopVariables, RowDimensions, RowPart } from './row-loops.ts';
import { createIndices, createRows } from './row-loops.ts';
import type { VectorUnit } from './vector-unit.ts';
import { bitsOf, lanesOf } from './vector-unit.ts';

/** Vectors of accumulators that share a broadcast. */
const vectorsAtOnce = 4;

/** The stride between lanes, in elements: 0 for a broadcast. */
type LaneStride = 0 | 1 | 2;

/** Around the rows are the other dimensions of the output. */
interface Sums extends RowDimensions {
  readonly rewriter: Rewriter;
  readonly reduced: readonly number[];
  /** Two inputs, and the output. */
  readonly operands: readonly {
    readonly memref: Value;
    readonly indices: readonly AffineExpr[];
    readonly stride: LaneStride;
  }[];
}

/**
 * Replaces sums of products on float buffers by loops over vectors. Fails with `lowering/no-sums` for an op that is
 * none, has dynamic sizes, or no output dimension fit for the lanes. The values `apart` do not alias each other.
 */
export const vectorizeSumsOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  unit: VectorUnit,
  apart: ReadonlySet<Id> = new Set(),
): Diagnosed<undefined> => {
  const view = structured(rewriter.registry, operation);
  const sums =
    view === undefined ? `'${operation.name}' is not a structured op` : matchSums(rewriter, view, apart);
  if (typeof sums === 'string')
    return silenceableError('lowering/no-sums', `expected sums of products: ${sums}`, operation);
  rewriter.setInsertionPointBefore(operation);
  createSums(sums, unit);
  rewriter.eraseOperation(operation);
  return success(undefined);
};

/** Operands and dimensions of sums of products, or why the operation is none. */
const matchSums = (rewriter: Rewriter, view: StructuredOp, apart: ReadonlySet<Id>): Sums | string => {
  const { inputs, outputs, indexingMaps, iteratorTypes, loopRanges: extents, body } = view;
  const [output] = outputs;
  if (body === undefined || !isMultiplyAdd(body)) return 'its body is not a multiplication and an addition';
  const values = [...inputs, ...outputs];
  if (output?.type.kind !== 'memref' || values.some(({ type }) => type.kind !== 'memref'))
    return 'an operand is not a buffer';
  const { elementType } = output.type;
  const sameType = values.every(({ type }) => typeEquals((type as MemRefType).elementType, elementType));
  if (elementType.kind !== 'float' || bitsOf(elementType) < 32 || !sameType)
    return 'its elements are not all f32, or all f64';
  if (extents.includes(DYNAMIC) || extents.includes(0)) return 'its sizes are not known, or 0';
  const places = indexingMaps.at(-1)!.results.map((expr) => (expr.kind === 'dim' ? expr.position : -1));
  const isParallel = (position: number): boolean => iteratorTypes[position] === 'parallel';
  const isPermuted =
    new Set(places).size === places.length &&
    places.every((position) => position >= 0 && isParallel(position)) &&
    iteratorTypes.every((_, position) => !isParallel(position) || places.includes(position));
  if (!isPermuted) return 'its output is not indexed by the parallel dimensions';
  if (inputs.some((input) => mayShare(rewriter, input, output, apart)))
    return 'its output may share memory with an input';
  const lane = places.at(-1);
  if (lane === undefined || extents[lane]! < 2) return 'its output has no lanes';
  const strides = values.map(({ type }, i) => laneStride(indexingMaps[i]!.results, type as MemRefType, lane));
  if (!strides.every((stride) => stride !== undefined) || strides.at(-1) !== 1)
    return 'the elements of its lanes are not contiguous';
  return {
    rewriter,
    extents,
    lane,
    outer: places.slice(0, -1),
    reduced: extents.flatMap((_, position) => (isParallel(position) ? [] : [position])),
    operands: values.map((memref, i) => ({
      memref,
      indices: indexingMaps[i]!.results,
      stride: strides[i]!,
    })),
  };
};

/** The lane stride of an operand, in elements; undefined if unsupported. */
const laneStride = (
  indices: readonly AffineExpr[],
  type: MemRefType,
  lane: number,
): LaneStride | undefined => {
  const moved = indices.flatMap((expr, i) => (isFunctionOfDim(expr, lane) ? [i] : []));
  if (moved.length === 0) return 0;
  const last = indices.length - 1;
  if (moved.length > 1 || moved[0] !== last || stridedLayoutOf(type)?.strides[last] !== 1) return undefined;
  const factor = factorOf(indices[last]!, lane);
  return factor === 1 || factor === 2 ? factor : undefined;
};

/** The coefficient of a dimension in a sum; undefined if it occurs in any other form. */
const factorOf = (expr: AffineExpr, position: number): number | undefined => {
  if (!isFunctionOfDim(expr, position)) return 0;
  if (expr.kind === 'dim') return 1;
  if (expr.kind === 'mul' && expr.rhs.kind === 'constant') {
    const factor = factorOf(expr.lhs, position);
    return factor === undefined ? undefined : factor * expr.rhs.value;
  }
  if (expr.kind !== 'add') return undefined;
  const [lhs, rhs] = [factorOf(expr.lhs, position), factorOf(expr.rhs, position)];
  return lhs === undefined || rhs === undefined ? undefined : lhs + rhs;
};

const createSums = (sums: Sums, unit: VectorUnit): void => {
  const { rewriter, operands } = sums;
  const vectors = { lanes: lanesOf(unit, operands[0]!.memref), vectorsAtOnce };
  createRows(rewriter, sums, vectors, (_, variables) => (b, part) => {
    createTile(sums, b, variables, part);
  });
};

/** Creates the accumulators of a part, and the loops over the reduction; `at` has the outer loop variables. */
const createTile = (
  { reduced, operands, ...sums }: Sums,
  b: Builder,
  at: LoopVariables,
  { first, block, widths }: RowPart,
): void => {
  const { rewriter, extents } = sums;
  const output = operands.at(-1)!;
  const { elementType } = output.memref.type as MemRefType;
  const types = widths.map((width) => vectorType([width], elementType));
  const starts = widths.map((_, i) => widths.slice(0, i).reduce((sum, width) => sum + width, 0));
  const indicesAt = (
    indices: readonly AffineExpr[],
    variables: LoopVariables,
    start: number,
    shift: number,
  ): readonly Value[] => {
    const shifted = shift === 0 ? indices : indices.with(-1, add(indices.at(-1)!, shift));
    return createIndices(rewriter, sums, shifted, add(first, start), variables, block);
  };
  const initArgs = types.map((type, i): Value =>
    b(
      load,
      { base: output.memref, indices: indicesAt(output.indices, at, starts[i]!, 0) },
      { resultTypes: [type] },
    ),
  );
  const multiply = (body: Builder, variables: LoopVariables, sums: readonly Value[]): readonly Value[] => {
    const factors = operands.slice(0, -1).map(({ memref, indices, stride }) => {
      if (stride === 0) {
        const source: Value = body(loadElement, { memref, indices: indicesAt(indices, variables, 0, 0) });
        return types.map((type): Value => body(broadcast, { source }, { resultTypes: [type] }));
      }
      return types.map((type, i): Value => {
        const read = (shift: number): Value =>
          body(
            load,
            { base: memref, indices: indicesAt(indices, variables, starts[i]!, shift) },
            { resultTypes: [type] },
          );
        return stride === 1 ? read(0) : everySecond(body, widths[i]!, read);
      });
    });
    return sums.map((acc, i): Value => body(fma, { lhs: factors[0]![i]!, rhs: factors[1]![i]!, acc }));
  };
  const nest = (
    body: Builder,
    depth: number,
    variables: LoopVariables,
    sums: readonly Value[],
  ): readonly Value[] => {
    const position = reduced[depth];
    if (position === undefined) return multiply(body, variables, sums);
    if (extents[position] === 1)
      return nest(body, depth + 1, variables.with(position, indexConstant(body, 0)), sums);
    const [lowerBound, upperBound, step] = [0, extents[position]!, 1].map((bound) =>
      indexConstant(body, bound),
    ) as [Value, Value, Value];
    const build = (inner: Builder, variable: Value, ...current: readonly Value[]): void => {
      inner(yieldOp, { results: nest(inner, depth + 1, variables.with(position, variable), current) });
    };
    const results: unknown = body(
      forOp,
      { lowerBound, upperBound, step, initArgs: sums },
      { resultTypes: types, bodies: [{ argumentTypes: [indexType, ...types], build }] },
    );
    return sums.length === 1 && !Array.isArray(results) ? [results as Value] : (results as readonly Value[]);
  };
  nest(b, 0, at, initArgs).forEach((valueToStore, i) => {
    const indices = indicesAt(output.indices, at, starts[i]!, 0);
    b(store, { valueToStore, base: output.memref, indices });
  });
};
