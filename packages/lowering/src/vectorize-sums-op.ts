/**
 * Sums that are no microkernel, such as depthwise convolutions and poolings, as loops over vectors: lanes along a
 * contiguous dimension of the output, with accumulators in registers across the reduction. Elements may be smaller
 * than the sums; they are extended where they are loaded.
 *
 *     for each row of the output:  for each tap:  sum[…] += input[… + tap] · filter[tap]
 *
 * An operand that is invariant across lanes is broadcast; one with a lane stride of one or two elements is a vector.
 */
import type { AffineExpr } from '@sconv/affine';
import { add, isFunctionOfDim } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { elementTypeOf, mayShareMemory } from '@sconv/dialects';
import { structured } from '@sconv/dialects/linalg';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { load as loadElement, stridedLayoutOf } from '@sconv/dialects/memref';
import { forOp, yieldOp } from '@sconv/dialects/scf';
import { load, store } from '@sconv/dialects/vector';
import type {
  Block,
  Builder,
  DraftOperation,
  Id,
  MemRefType,
  Operation,
  Registry,
  Rewriter,
  Type,
  Value,
} from '@sconv/ir';
import { DYNAMIC, indexType, vectorType } from '@sconv/ir';
import { everySecond } from './copy-linear.ts';
import { indexConstant } from './index-constant.ts';
import type { LoopVariables, RowDimensions, RowPart } from './row-loops.ts';
import { createIndices, createRows } from './row-loops.ts';
import type { VectorRegisters } from './vector-unit.ts';
import { createVectorBody, isLanewise } from './vector-body.ts';
import { bitsOf, lanesOf } from './vector-unit.ts';

/** Vectors of accumulators that share a broadcast. */
const vectorsAtOnce = 4;

/** The stride between lanes, in elements: 0 for a broadcast. */
type LaneStride = 0 | 1 | 2;

/** Around the rows are the other dimensions of the output. */
interface Sums extends RowDimensions {
  readonly rewriter: Rewriter;
  readonly reduced: readonly number[];
  readonly body: Block;
  /** The inputs, and the output. */
  readonly operands: readonly {
    /** A buffer, or a number. */
    readonly value: Value;
    readonly indices: readonly AffineExpr[];
    readonly stride: LaneStride;
    /** The body's argument for it, and whether the body uses that. */
    readonly argument: Id;
    readonly isUsed: boolean;
  }[];
}

/** Conversions of elements to the type of the sums. */
const extensions = new Set(['arith.extf', 'arith.extsi', 'arith.extui', 'arith.sitofp', 'arith.uitofp']);

/**
 * Replaces sums, or extrema, of elements or products by loops over vectors. Fails with `lowering/no-sums` for an op
 * that is none, has dynamic sizes, or no output dimension fit for the lanes. The values `apart` do not alias each
 * other.
 */
export const vectorizeSumsOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  unit: VectorRegisters,
  apart: ReadonlySet<Id> = new Set(),
): Diagnosed<undefined> => {
  const view = structured(rewriter.registry, operation);
  const sums =
    view === undefined ? `'${operation.name}' is not a structured op` : matchSums(rewriter, view, apart);
  if (typeof sums === 'string')
    return silenceableError('lowering/no-sums', `expected sums: ${sums}`, operation);
  rewriter.setInsertionPointBefore(operation);
  createSums(sums, unit);
  rewriter.eraseOperation(operation);
  return success(undefined);
};

/** Whether vectors of these are computed with: floats of 32 bits or more, integers of whole bytes. */
const isNumber = (type: Type): boolean =>
  (type.kind === 'float' && bitsOf(type) >= 32) || (type.kind === 'integer' && bitsOf(type) % 8 === 0);

const isOnLanes = (registry: Registry, { name, operands, results }: Operation): boolean =>
  extensions.has(name)
    ? operands.every(({ type }) => type.kind === 'float' || isNumber(type)) && isNumber(results[0]!.type)
    : (name === 'arith.constant' || isLanewise(registry, { name })) &&
      [...operands, ...results].every(({ type }) => isNumber(type));

/** Operands and dimensions of sums, or why the operation is none. */
const matchSums = (rewriter: Rewriter, view: StructuredOp, apart: ReadonlySet<Id>): Sums | string => {
  const { inputs, outputs, indexingMaps, iteratorTypes, loopRanges: extents, body } = view;
  const [output] = outputs;
  const { registry } = rewriter;
  if (body?.operations.slice(0, -1).every((each) => isOnLanes(registry, each)) !== true)
    return 'its body has other ops than those of numbers';
  const values = [...inputs, ...outputs];
  if (output?.type.kind !== 'memref' || outputs.length > 1) return 'its output is not one buffer';
  const isElement = ({ type }: Value): boolean => type.kind === 'memref' || isNumber(type);
  if (!values.every(isElement)) return 'an operand is neither a buffer nor a number';
  if (!isNumber(output.type.elementType))
    return 'its results are neither integers nor floats of 32 bits or more';
  if (extents.includes(DYNAMIC) || extents.includes(0)) return 'its sizes are not known, or 0';
  const places = indexingMaps.at(-1)!.results.map((expr) => (expr.kind === 'dim' ? expr.position : -1));
  const isParallel = (position: number): boolean => iteratorTypes[position] === 'parallel';
  const reduced = extents.flatMap((_, position) => (isParallel(position) ? [] : [position]));
  if (reduced.length === 0) return 'it does not reduce';
  const isPermuted =
    new Set(places).size === places.length &&
    places.every((position) => position >= 0 && isParallel(position)) &&
    iteratorTypes.every((_, position) => !isParallel(position) || places.includes(position));
  if (!isPermuted) return 'its output is not indexed by the parallel dimensions';
  if (inputs.some((input) => input.type.kind === 'memref' && mayShareMemory(rewriter, input, output, apart)))
    return 'its output may share memory with an input';
  const lane = places.at(-1);
  if (lane === undefined || extents[lane]! < 2) return 'its output has no lanes';
  const used = new Set(body.operations.flatMap(({ operands }) => operands.map(({ id }) => id)));
  const operands = values.flatMap((value, i) => {
    const argument = body.arguments[i]!.id;
    const indices = indexingMaps[i]!.results;
    const isUsed = used.has(argument);
    const stride =
      value.type.kind === 'memref' && (isUsed || value === output)
        ? laneStride(indices, value.type, lane)
        : 0;
    return stride === undefined ? [] : [{ value, indices, argument, isUsed, stride }];
  });
  if (operands.length < values.length || operands.at(-1)?.stride !== 1)
    return 'the elements of its lanes are not contiguous';
  return { rewriter, extents, lane, outer: places.slice(0, -1), reduced, body, operands };
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

const createSums = (sums: Sums, unit: VectorRegisters): void => {
  const { rewriter, operands } = sums;
  const vectors = { lanes: lanesOf(unit, operands.at(-1)!.value), vectorsAtOnce };
  createRows(rewriter, sums, vectors, (_, variables) => (b, part) => {
    createTile(sums, b, variables, part);
  });
};

/** Creates the accumulators of a part, and the loops over the reduction; `at` has the outer loop variables. */
const createTile = (
  { reduced, operands, body: elements, ...sums }: Sums,
  b: Builder,
  at: LoopVariables,
  { first, block, widths }: RowPart,
): void => {
  const { rewriter, extents } = sums;
  const output = operands.at(-1)!;
  const elementType = elementTypeOf(output.value.type);
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
      { base: output.value, indices: indicesAt(output.indices, at, starts[i]!, 0) },
      { resultTypes: [type] },
    ),
  );
  const accumulate = (body: Builder, variables: LoopVariables, sums: readonly Value[]): readonly Value[] => {
    const shared = operands.map(({ value, indices, stride, isUsed }): Value | undefined => {
      if (!isUsed || stride !== 0) return undefined;
      return value.type.kind === 'memref'
        ? body(loadElement, { memref: value, indices: indicesAt(indices, variables, 0, 0) })
        : value;
    });
    return sums.map((sum, i) => {
      const width = widths[i]!;
      const values = new Map<Id, Value>([[output.argument, sum]]);
      operands.slice(0, -1).forEach(({ value, indices, argument, stride, isUsed }, position) => {
        if (!isUsed) return;
        const type = vectorType([width], elementTypeOf(value.type));
        const read = (shift: number): Value =>
          body(
            load,
            { base: value, indices: indicesAt(indices, variables, starts[i]!, shift) },
            { resultTypes: [type] },
          );
        const vector =
          stride === 1 ? read(0) : stride === 2 ? everySecond(body, width, read) : shared[position]!;
        values.set(argument, vector);
      });
      return createVectorBody(rewriter, body, elements, values, width, true);
    });
  };
  const nest = (
    body: Builder,
    depth: number,
    variables: LoopVariables,
    sums: readonly Value[],
  ): readonly Value[] => {
    const position = reduced[depth];
    if (position === undefined) return accumulate(body, variables, sums);
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
    b(store, { valueToStore, base: output.value, indices });
  });
};
