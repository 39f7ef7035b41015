/**
 * Sums that are no microkernel, such as depthwise convolutions and poolings, as loops over vectors: lanes along a
 * contiguous dimension of the output, with accumulators in registers across the reduction. Elements may be smaller
 * than the sums; they are extended where they are loaded.
 *
 *     for each row of the output:  for each tap:  sum[…] += input[… + tap] · filter[tap]
 *
 * An operand that is invariant across lanes is broadcast; one with a lane stride of one or two elements is a vector.
 * Rows that read the same vectors, as those of a matrix product, are summed together.
 */
import type { AffineExpr } from '@sconv/affine';
import { dim, isFunctionOfDim, substitute } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { mayShareMemory } from '@sconv/dialects';
import { structured } from '@sconv/dialects/linalg';
import type { StructuredOp } from '@sconv/dialects/linalg';
import type { Builder, DraftOperation, Id, Operation, Registry, Rewriter, Type, Value } from '@sconv/ir';
import { builder, DYNAMIC } from '@sconv/ir';
import type { SumBlock } from '@sconv/kernels';
import { blockParts, sumBlock } from '@sconv/kernels';
import { laneStride } from './lane-stride.ts';
import { createNest } from './loop-nest.ts';
import type { Vector } from './row-vectors.ts';
import { fewestVectors, vectorsOf } from './row-vectors.ts';
import type { LoopVariables, RowPart } from './row-loops.ts';
import type { Sums, TileRows } from './sum-tile.ts';
import { createSumTile } from './sum-tile.ts';
import type { VectorRegisters } from './vector-unit.ts';
import { isLanewise } from './vector-body.ts';
import { bitsOf, lanesOf } from './vector-unit.ts';

/** Vectors of accumulators that share a broadcast. */
const vectorsAtOnce = 4;

/** Accumulators of a block. */
const sumsAtOnce = 24;

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
    : (name === 'arith.constant' || isLanewise(registry, { name, operands })) &&
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

/**
 * The block that the registers of a unit take; blocks have about the same number of rows. Rows are of a dimension that
 * some vectors are the same for: what only broadcasts share is not worth reading several rows at a time.
 */
const blockOf = ({ outer, lane, extents, operands, body }: Sums, unit: VectorRegisters): SumBlock => {
  const inputs = operands.slice(0, -1).filter(({ isUsed, value }) => isUsed && value.type.kind === 'memref');
  const shared = inputs.map(({ stride, indices }) => ({
    cost: stride === 2 ? 3 : 1,
    alongLanes: stride !== 0,
    along: extents.map((_, position) => indices.some((expr) => isFunctionOfDim(expr, position))),
  }));
  const rows = outer.filter(
    (position) => extents[position]! > 1 && shared.some((each) => each.alongLanes && !each.along[position]),
  );
  const space = {
    lanes: extents[lane]!,
    arithmetic: body.operations.length - 1,
    inputs: shared,
    // The innermost of equal ones.
    rows: new Map(rows.toReversed().map((position) => [position, extents[position]!])),
  };
  const [{ width }] = vectorsOf(extents[lane]!, lanesOf(unit, operands.at(-1)!.value)) as [Vector];
  const block = sumBlock(space, {
    lanes: width,
    sumsBeside: (vectors) => Math.min(sumsAtOnce, unit.registers - 2 - vectors),
    mostVectors: vectorsAtOnce,
    rowCost: 0.5,
    latency: 8,
  });
  const extent = block.dimension === undefined ? 1 : extents[block.dimension]!;
  return { ...block, rows: Math.ceil(extent / Math.ceil(extent / block.rows)) };
};

/** A single row. */
const oneRow: TileRows = { count: 1, indicesIn: ({ indices }) => indices, isMoving: () => true };

/**
 * Creates loops over columns of vectors. Where rows share vectors, they are loops over all rows, in blocks: what those
 * share stays in the caches. Else each row has its own columns.
 */
const createSums = (sums: Sums, unit: VectorRegisters): void => {
  const { rewriter, extents, lane, operands } = sums;
  const lanes = lanesOf(unit, operands.at(-1)!.value);
  const block = blockOf(sums, unit);
  const position = block.dimension;
  const outer = sums.outer.filter((each) => each !== position);
  const vectors = (position === undefined ? fewestVectors : vectorsOf)(extents[lane]!, lanes);
  const createColumn = (b: Builder, variables: LoopVariables, part: RowPart): void => {
    if (position === undefined) createSumTile(sums, oneRow, b, variables, part);
    else createBlocks(sums, { position, size: block.rows }, b, variables, part);
  };
  const sizes = outer.map((each) => extents[each]!);
  createNest(builder(rewriter), sizes, (b, values) => {
    const variables: LoopVariables = extents.map((_, i) => values[outer.indexOf(i)]);
    for (const { vectors: own, count } of columnsOf(vectors, block.vectors)) {
      const [{ first, width }] = own as readonly [Vector];
      createNest(b, [count], (body, [column]) => {
        createColumn(body, variables, {
          first: dim(extents.length)
            .mul(own.length * width)
            .add(first),
          block: column!,
          widths: own.map((each) => each.width),
          starts: own.map((each) => each.first - first),
        });
      });
    }
  });
};

/** Creates a loop over the rows of a column, so many at once, and the rest. */
const createBlocks = (
  sums: Sums,
  { position, size: most }: { readonly position: number; readonly size: number },
  b: Builder,
  variables: LoopVariables,
  part: RowPart,
): void => {
  const { extents } = sums;
  for (const { first, points: size, count } of blockParts(extents[position]!, most)) {
    const dimsOf = (row: number): readonly AffineExpr[] =>
      extents.map((_, i) =>
        i === position
          ? dim(i)
              .mul(size)
              .add(first + row)
          : dim(i),
      );
    const rows: TileRows = {
      count: size,
      indicesIn: ({ indices }, row) => indices.map((expr) => substitute(expr, { dims: dimsOf(row) })),
      isMoving: ({ indices }) => indices.some((expr) => isFunctionOfDim(expr, position)),
    };
    createNest(b, [count], (body, [block]) => {
      createSumTile(sums, rows, body, variables.with(position, block), part);
    });
  }
};

/** So many columns side by side, each of as many vectors, whose first ones are given. */
interface Columns {
  readonly vectors: readonly Vector[];
  readonly count: number;
}

/**
 * Vectors in columns of at most so many. The last vector may be narrower, or overlap its predecessor: it is in the same
 * column then, whose sums all begin before any is stored.
 */
const columnsOf = (vectors: readonly Vector[], most: number): readonly Columns[] => {
  const { length } = vectors;
  const { width } = vectors[0]!;
  const overlaps =
    length > 1 && vectors[length - 1]!.first < vectors[length - 2]!.first + vectors[length - 2]!.width;
  const others = overlaps ? 2 : vectors[length - 1]!.width < width ? 1 : 0;
  const count = Math.floor((length - others) / most);
  const rest = vectors.slice(count * most);
  const first = rest.length > most ? most - 1 : rest.length;
  return [
    { vectors: vectors.slice(0, most), count },
    { vectors: rest.slice(0, first), count: 1 },
    { vectors: rest.slice(first), count: 1 },
  ].filter((each) => each.count > 0 && each.vectors.length > 0);
};
