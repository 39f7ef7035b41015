/**
 * The microkernel as vectors: an outer product per step of k, accumulated in registers (ST §5.6 calls a library for
 * it).
 *
 *     for each k:  for each filter f:  sum[f] += filters[k][f] · windows[k][…]
 *
 * Filters are the left operand: each is broadcast, and a row of windows is loaded once for all of them. With swapped
 * operands LLVM transposes the tile.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { mayShareMemory } from '@sconv/dialects';
import { addi, muli } from '@sconv/dialects/arith';
import { areMicrokernelMaps, fill, isMultiplyAdd, structured } from '@sconv/dialects/linalg';
import { load as loadElement, prefetch, stridedLayoutOf } from '@sconv/dialects/memref';
import { forOp, ifOp, yieldOp } from '@sconv/dialects/scf';
import { broadcast, fma, load, store } from '@sconv/dialects/vector';
import type { Builder, DraftOperation, MemRefType, Rewriter, Type, Value } from '@sconv/ir';
import { builder, DYNAMIC, indexType, typeEquals, vectorType } from '@sconv/ir';
import { indexConstant } from './index-constant.ts';
import type { VectorUnit } from './vector-unit.ts';
import { bitsOf } from './vector-unit.ts';
import type { Vector } from './register-tiles.ts';
import { registerTiles } from './register-tiles.ts';

/** Operands and sizes of a microkernel on buffers. */
export interface Microkernel {
  readonly windowPanel: Value;
  readonly filterPanel: Value;
  readonly output: Value;
  readonly images: number;
  readonly filters: number;
  readonly windows: number;
  readonly steps: number;
}

/**
 * Replaces a microkernel on buffers by loops over vectors that keep a tile of its output in registers for all steps
 * of k. Tiles that need more registers than the unit has are computed in parts.
 *
 * Fails with `lowering/no-microkernel` for an op that is none: other maps, another body, dynamic sizes,
 * non-contiguous elements, or an output that may alias a panel.
 */
export const vectorizeMicrokernelOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  unit: VectorUnit,
): Diagnosed<undefined> => {
  const kernel = matchMicrokernel(rewriter, operation);
  if (typeof kernel === 'string') {
    return silenceableError('lowering/no-microkernel', `expected a microkernel: ${kernel}`, operation);
  }
  const beginning = takeFill(rewriter, operation, kernel.output);
  rewriter.setInsertionPointBefore(operation);
  createTiles(builder(rewriter), kernel, unit, beginning);
  rewriter.eraseOperation(operation);
  return success(undefined);
};

/** Operands and sizes of a microkernel, or why the operation is none. */
export const matchMicrokernel = (rewriter: Rewriter, operation: DraftOperation): Microkernel | string => {
  const op = structured(rewriter.registry, operation);
  if (op === undefined) return `'${operation.name}' is not a structured op`;
  const [windowPanel, filterPanel] = op.inputs;
  const [output] = op.outputs;
  if (
    op.inputs.length !== 2 ||
    !areMicrokernelMaps(op.indexingMaps) ||
    windowPanel === undefined ||
    filterPanel === undefined ||
    output === undefined
  )
    return 'its indexing maps are others';
  if (op.body === undefined || !isMultiplyAdd(op.body))
    return 'its body is not a multiplication and an addition';
  const types = [windowPanel, filterPanel, output].map(({ type }) => type);
  if (types.some(({ kind }) => kind !== 'memref')) return 'an operand is not a buffer';
  if (!isDense(windowPanel.type as MemRefType, 2) || !isDense(output.type as MemRefType, 2))
    return 'its innermost elements are not contiguous';
  const [images, filters, windows, steps] = op.loopRanges;
  if (op.loopRanges.includes(DYNAMIC)) return 'its tile has no static size';
  if ([windowPanel, filterPanel].some((panel) => mayShareMemory(rewriter, panel, output)))
    return 'its output may share memory with a panel';
  return {
    windowPanel,
    filterPanel,
    output,
    images: images!,
    filters: filters!,
    windows: windows!,
    steps: steps!,
  };
};

/** Whether a dimension is contiguous; the stride of a single element is irrelevant. */
const isDense = (type: MemRefType, dimension: number): boolean =>
  type.shape[dimension] === 1 || stridedLayoutOf(type)?.strides[dimension] === 1;

/** The initial value of the output, if it is not loaded: unconditionally, or if `condition` is true. */
interface Beginning {
  readonly value: Value;
  readonly condition: Value | undefined;
}

/**
 * Removes the fill of the output right before the microkernel, which may be conditional: accumulators then start from
 * its value, instead of storing and reloading it.
 */
const takeFill = (rewriter: Rewriter, operation: DraftOperation, output: Value): Beginning | undefined => {
  const { previous } = operation;
  if (previous === undefined) return undefined;
  if (fill.is(previous)) return takeFillOf(rewriter, previous, previous, output, undefined);
  if (!ifOp.is(previous) || previous.results.length > 0) return undefined;
  const [then, otherwise] = previous.regions;
  const [inner, ...more] = then?.blocks[0]?.operations ?? [];
  if (inner === undefined || !fill.is(inner) || more.length > 1) return undefined;
  if ((otherwise?.blocks[0]?.operations.length ?? 0) > 1) return undefined;
  return takeFillOf(rewriter, previous, inner, output, previous.operands[0]);
};

const takeFillOf = (
  rewriter: Rewriter,
  holder: DraftOperation,
  operation: DraftOperation,
  output: Value,
  condition: Value | undefined,
): Beginning | undefined => {
  const { inputs, outputs } = fill.operands(operation);
  const [value] = inputs;
  if (outputs[0]?.id !== output.id || value === undefined) return undefined;
  // A fill converts its value.
  if (!typeEquals(value.type, (output.type as MemRefType).elementType)) return undefined;
  rewriter.eraseOperation(holder);
  return { value, condition };
};

/** A part of the tile whose accumulators fit in registers. */
interface Tile {
  readonly image: number;
  /** The first filter, and the number of filters. */
  readonly filter: number;
  readonly filters: number;
  /** Vectors of windows. */
  readonly vectors: readonly Vector[];
}

const createTiles = (
  b: Builder,
  kernel: Microkernel,
  unit: VectorUnit,
  beginning: Beginning | undefined,
): void => {
  const { images, filters, windows } = kernel;
  const { elementType } = kernel.output.type as MemRefType;
  const lanes = Math.max(1, Math.floor(unit.bits / bitsOf(elementType)));
  const { columns, rows } = registerTiles(windows, filters, lanes, unit.registers);
  for (let image = 0; image < images; image++)
    for (const vectors of columns)
      for (const { first, size } of rows)
        createTile(b, kernel, { image, filter: first, filters: size, vectors }, beginning);
};

const createTile = (
  b: Builder,
  kernel: Microkernel,
  { image, filter, filters, vectors }: Tile,
  beginning: Beginning | undefined,
): void => {
  const { windowPanel, filterPanel, output, steps } = kernel;
  const { elementType } = output.type as MemRefType;
  const columns = vectors.map(({ first, width }) => ({
    type: vectorType([width], elementType),
    at: indexConstant(b, first),
  }));
  const [imageAt, zero] = [indexConstant(b, image), indexConstant(b, 0)];
  const filtersAt = Array.from({ length: filters }, (_, i) => indexConstant(b, filter + i));
  const places = filtersAt.flatMap((filterAt) =>
    columns.map(({ type, at }) => ({ type, indices: [imageAt, filterAt, at] })),
  );
  const resultTypes = places.map(({ type }) => type);
  const read = (builder: Builder): readonly Value[] =>
    places.map(({ type, indices }): Value =>
      builder(load, { base: output, indices }, { resultTypes: [type] }),
    );
  const begun = (builder: Builder, { value }: Beginning): readonly Value[] => {
    const perColumn = columns.map(({ type }): Value =>
      builder(broadcast, { source: value }, { resultTypes: [type] }),
    );
    return filtersAt.flatMap(() => perColumn);
  };
  const initArgs = initialSums(b, beginning, resultTypes, read, begun);
  prefetchOutput(b, kernel, places);
  const step = (body: Builder, k: Value, ...sums: readonly Value[]): void => {
    const rows = columns.map(({ type, at }): Value =>
      body(load, { base: windowPanel, indices: [imageAt, k, at] }, { resultTypes: [type] }),
    );
    if (steps >= manySteps) prefetchFilters(body, filterPanel, k, filtersAt[0]!);
    const results = filtersAt.flatMap((filterAt, f) => {
      const weight: Value = body(loadElement, { memref: filterPanel, indices: [k, filterAt] });
      return columns.map(({ type }, column): Value => {
        const lhs: Value = body(broadcast, { source: weight }, { resultTypes: [type] });
        const [rhs, acc] = [rows[column]!, sums[f * columns.length + column]!];
        if (elementType.kind === 'float') return body(fma, { lhs, rhs, acc });
        return body(addi, { lhs: acc, rhs: body(muli, { lhs, rhs }) });
      });
    });
    body(yieldOp, { results });
  };
  const bounds = { lowerBound: zero, upperBound: indexConstant(b, steps), step: indexConstant(b, 1) };
  const sums = b(
    forOp,
    { ...bounds, initArgs },
    { resultTypes, bodies: [{ argumentTypes: [indexType, ...resultTypes], build: step }] },
  );
  places.forEach(({ indices }, i) => {
    b(store, { valueToStore: sums[i]!, base: output, indices });
  });
};

/** Steps of k that take longer than a memory access. */
const manySteps = 8;

/** Prefetches the lines that the accumulators will be stored to: the rows of different filters are pages apart. */
const prefetchOutput = (
  b: Builder,
  { output, steps }: Microkernel,
  places: readonly { readonly indices: readonly Value[] }[],
): void => {
  if (steps < manySteps) return;
  for (const { indices } of places)
    b(prefetch, { memref: output, indices, isWrite: true, localityHint: 3, isDataCache: true });
};

/** Prefetch distance of filters, in steps: a few hundred cycles. */
const stepsAhead = 128;

/** Prefetches filters of later steps; at the end, those of the next tile, which follows in memory. */
const prefetchFilters = (b: Builder, memref: Value, k: Value, first: Value): void => {
  const ahead: Value = b(addi, { lhs: k, rhs: indexConstant(b, stepsAhead) });
  const indices = [ahead, first];
  b(prefetch, { memref, indices, isWrite: false, localityHint: 3, isDataCache: true });
};

/** The initial accumulators: the output, or what it would have been filled with. */
const initialSums = (
  b: Builder,
  beginning: Beginning | undefined,
  resultTypes: readonly Type[],
  read: (b: Builder) => readonly Value[],
  begun: (b: Builder, beginning: Beginning) => readonly Value[],
): readonly Value[] => {
  if (beginning === undefined) return read(b);
  const { condition } = beginning;
  if (condition === undefined) return begun(b, beginning);
  const yielding = (values: (body: Builder) => readonly Value[]) => ({
    build: (body: Builder): void => {
      body(yieldOp, { results: values(body) });
    },
  });
  return b(
    ifOp,
    { condition },
    { resultTypes, bodies: [yielding((body) => begun(body, beginning)), yielding(read)] },
  );
};
