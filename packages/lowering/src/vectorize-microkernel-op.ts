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
import { addf, addi, constant, muli } from '@sconv/dialects/arith';
import type { KernelTile, Microkernel, SumStart } from '@sconv/dialects/kernel';
import { microkernel, microkernelView } from '@sconv/dialects/kernel';
import { collapseShape, load as loadElement } from '@sconv/dialects/memref';
import { forOp, ifOp, yieldOp } from '@sconv/dialects/scf';
import { bitcast, broadcast, fma, load, store } from '@sconv/dialects/vector';
import type { Builder, DraftOperation, MemRefType, Rewriter, Type, Value, VectorType } from '@sconv/ir';
import { builder, denseElementsAttribute, DYNAMIC, indexType, integerType, vectorType } from '@sconv/ir';
import { indexConstant } from './index-constant.ts';
import type { FilterPrefetch } from './microkernel-prefetches.ts';
import { filterPrefetch, prefetchOutput } from './microkernel-prefetches.ts';
import { pairSums } from './pair-products.ts';
import type { VectorRegisters } from './vector-unit.ts';
import { lanesOf } from './vector-unit.ts';
import type { Rows, Vector } from './row-vectors.ts';
import { vectorsOf } from './row-vectors.ts';
import { loadTransposed, squareSide, storeTransposed } from './transposed-rows.ts';

/**
 * Replaces a `kernel.microkernel` by loops over vectors, one for each of its register tiles, which keep that part of
 * the output in registers for all steps of k.
 *
 * Fails with `lowering/no-microkernel` for another op, and for one that `refusedMicrokernel` refuses.
 */
export const vectorizeMicrokernelOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  unit: VectorRegisters,
): Diagnosed<undefined> => {
  const kernel = microkernelIn(operation);
  if (kernel.status !== 'success') return kernel;
  const problem = refusedMicrokernel(kernel.value, unit);
  if (problem !== undefined) return noMicrokernel(operation, problem);
  rewriter.setInsertionPointBefore(operation);
  createTiles(rewriter, operation, withFlatPanels(rewriter, kernel.value), unit);
  rewriter.eraseOperation(operation);
  return success(undefined);
};

/** The microkernel that an op is, of known sizes; see `vectorizeMicrokernelOp`. */
export const microkernelIn = (operation: DraftOperation): Diagnosed<Microkernel> => {
  if (!microkernel.is(operation)) return noMicrokernel(operation, `'${operation.name}' is another op`);
  const kernel = microkernelView(operation);
  return kernel.images === DYNAMIC || kernel.steps === DYNAMIC
    ? noMicrokernel(operation, unknownSizes)
    : success(kernel);
};

const unknownSizes = 'its images or steps are not known';

const noMicrokernel = (operation: DraftOperation, why: string): Diagnosed<never> =>
  silenceableError('lowering/no-microkernel', `expected a microkernel: ${why}`, operation);

/** Why a microkernel is not lowered, for the pass that forms them; undefined if it is. */
export const refusedMicrokernel = (kernel: Microkernel, unit: VectorRegisters): string | undefined => {
  const { images, steps, lanes, tiles } = kernel;
  if (images === DYNAMIC || steps === DYNAMIC) return unknownSizes;
  const alongFilters = lanes === 'filters' ? tiles : tiles.flatMap(({ beside }) => beside ?? []);
  const areSquare = alongFilters.every(({ filters }) =>
    vectorsOf(filters, lanesOf(unit, kernel.output)).every(({ width }) => width % squareSide === 0),
  );
  return areSquare ? undefined : `its lanes along the filters are not in groups of ${squareSide}`;
};

/** The last two dimensions are one. */
const flattened = ({ shape }: MemRefType): readonly (readonly number[])[] => [
  ...shape.slice(0, -2).map((_, i) => [i]),
  [shape.length - 2, shape.length - 1],
];

/** The kernel on panels with the halves of all pairs in one dimension. */
const withFlatPanels = (rewriter: Rewriter, kernel: Microkernel): Microkernel => {
  if (kernel.halves === 1) return kernel;
  const flat = (src: Value<MemRefType>): Value<MemRefType> =>
    builder(rewriter)(collapseShape, { src, reassociation: flattened(src.type) });
  return { ...kernel, windowPanel: flat(kernel.windowPanel), filterPanel: flat(kernel.filterPanel) };
};

/** A part of the tile whose accumulators fit in registers. */
interface Tile {
  readonly image: number;
  /** The dimension whose elements are lanes. */
  readonly lanes: Lanes;
  readonly vectors: readonly Vector[];
  /** Elements of the other dimension, each of which is broadcast. */
  readonly rows: Rows;
}

type Lanes = 'windows' | 'filters';

const createTiles = (
  rewriter: Rewriter,
  operation: DraftOperation,
  kernel: Microkernel,
  unit: VectorRegisters,
): void => {
  const b = builder(rewriter);
  const width = lanesOf(unit, kernel.output);
  const lanes = kernel.lanes === 'filters' ? 'filters' : 'windows';
  for (let image = 0; image < kernel.images; image++)
    for (const { beside, ...part } of kernel.tiles) {
      const prefetchFilters = filterPrefetch(b, rewriter, operation, kernel, unit, part.firstFilter);
      const tiles = [tileOf(part, image, lanes, width)];
      if (beside !== undefined) tiles.push(tileOf(beside, image, 'filters', width));
      createPart(b, kernel, unit, tiles, prefetchFilters);
    }
};

/** A part of the output as vectors of so many lanes. */
const tileOf = (part: KernelTile, image: number, lanes: Lanes, width: number): Tile => {
  const windows = { first: part.firstWindow, size: part.windows };
  const filters = { first: part.firstFilter, size: part.filters };
  const [along, rows] = lanes === 'windows' ? [windows, filters] : [filters, windows];
  const vectors = vectorsOf(along.size, width).map((each) => ({ ...each, first: along.first + each.first }));
  return { image, lanes, vectors, rows };
};

/** The accumulators of a tile. */
interface TileSums {
  readonly types: readonly Type[];
  readonly place: OutputPlace;
  /** Their values where the output begins with one. */
  readonly begun: (b: Builder, start: SumStart) => readonly Value[];
  /** Their values after a step of k; `prefetch` is called between its loads. */
  readonly step: (body: Builder, k: Value, sums: readonly Value[], prefetch: () => void) => readonly Value[];
}

/**
 * With so many steps of k the prefetched output arrives during them, and is added at the end; with fewer the sums
 * start from it.
 */
const stepsHidingOutput = 96;

/** One loop over k for the tiles, which share no output; filters are prefetched for the first. */
const createPart = (
  b: Builder,
  kernel: Microkernel,
  unit: VectorRegisters,
  tiles: readonly Tile[],
  prefetchFilters: FilterPrefetch,
): void => {
  const { start } = kernel;
  const parts = tiles.map((tile) => tileSums(b, kernel, unit, tile));
  const resultTypes = parts.flatMap(({ types }) => types);
  /** Each part's own of all accumulators. */
  const ownOf = (sums: readonly Value[]): readonly (readonly Value[])[] => {
    let first = 0;
    return parts.map(({ types }) => {
      first += types.length;
      return sums.slice(first - types.length, first);
    });
  };
  const [zero, steps] = [indexConstant(b, 0), indexConstant(b, kernel.steps)];
  const read = (builder: Builder): readonly Value[] => parts.flatMap(({ place }) => place.load(builder));
  const isAddedLast = kernel.steps >= stepsHidingOutput;
  const initArgs = initialSums(
    b,
    start,
    resultTypes,
    isAddedLast ? (builder) => neutralSums(builder, resultTypes) : read,
    (builder, value) => parts.flatMap(({ begun }) => begun(builder, value)),
  );
  for (const { place } of parts) prefetchOutput(b, kernel, unit, place.lines);
  const step = (body: Builder, k: Value, ...sums: readonly Value[]): void => {
    const results = ownOf(sums).flatMap((own, i) =>
      parts[i]!.step(body, k, own, () => {
        if (i === 0) prefetchFilters(body, k);
      }),
    );
    body(yieldOp, { results });
  };
  const sums: readonly Value[] = b(
    forOp,
    { lowerBound: zero, upperBound: steps, step: indexConstant(b, 1), initArgs },
    { resultTypes, bodies: [{ argumentTypes: [indexType, ...resultTypes], build: step }] },
  );
  const write = (builder: Builder, results: readonly Value[]): void => {
    ownOf(results).forEach((own, i) => {
      parts[i]!.place.store(builder, own);
    });
  };
  const writeTotals = (builder: Builder): void => {
    const before = read(builder);
    write(
      builder,
      sums.map((sum, i) => added(builder, before[i]!, sum)),
    );
  };
  if (!isAddedLast) write(b, sums);
  else if (start === undefined) writeTotals(b);
  else if (start.condition === undefined) write(b, sums);
  else
    choose(
      b,
      start.condition,
      [],
      (body) => {
        write(body, sums);
        return [];
      },
      (body) => {
        writeTotals(body);
        return [];
      },
    );
};

const added = (b: Builder, lhs: Value, rhs: Value): Value =>
  (lhs.type as VectorType).elementType.kind === 'float' ? b(addf, { lhs, rhs }) : b(addi, { lhs, rhs });

/** Sums to which the output is added at the end; -0 is neutral, +0 is not. */
const neutralSums = (b: Builder, types: readonly Type[]): readonly Value[] =>
  types.map((type): Value => {
    const { elementType } = type as VectorType;
    const zero = elementType.kind === 'float' ? -0 : 0n;
    return b(constant, { value: denseElementsAttribute([zero], type as VectorType) });
  });

const tileSums = (b: Builder, kernel: Microkernel, unit: VectorRegisters, tile: Tile): TileSums => {
  const { windowPanel, filterPanel, output, halves } = kernel;
  const { lanes, vectors } = tile;
  const { elementType } = output.type;
  const columns = vectors.map(({ first, width }) => ({
    width,
    type: vectorType([width], elementType),
    at: indexConstant(b, halves * first),
  }));
  const imageAt = indexConstant(b, tile.image);
  const rowsAt = Array.from({ length: tile.rows.size }, (_, i) =>
    indexConstant(b, halves * (tile.rows.first + i)),
  );
  const inWindows = (k: Value, at: Value) => ({ memref: windowPanel, indices: [imageAt, k, at] });
  const inFilters = (k: Value, at: Value) => ({ memref: filterPanel, indices: [k, at] });
  const [inVectors, inRows] = lanes === 'windows' ? [inWindows, inFilters] : [inFilters, inWindows];
  return {
    types: rowsAt.flatMap(() => columns.map(({ type }) => type)),
    place: outputPlace(b, kernel, tile, imageAt),
    begun: (builder, { value }) => {
      const perColumn = columns.map(({ type }): Value =>
        builder(broadcast, { source: value }, { resultTypes: [type] }),
      );
      return rowsAt.flatMap(() => perColumn);
    },
    step: (body, k, sums, prefetch) => {
      const loaded = columns.map(({ width, at }): Value => {
        const { memref: base, indices } = inVectors(k, at);
        const type = vectorType([halves * width], base.type.elementType);
        return body(load, { base, indices }, { resultTypes: [type] });
      });
      prefetch();
      return rowsAt.flatMap((at, row) => {
        const source: Value = halves === 1 ? body(loadElement, inRows(k, at)) : loadPair(body, inRows(k, at));
        return columns.map(({ type }, column): Value => {
          const lhs: Value = body(broadcast, { source }, { resultTypes: [type] });
          const [rhs, acc] = [loaded[column]!, sums[row * columns.length + column]!];
          if (halves === 2) {
            const pairs: Value = body(bitcast, { source: lhs }, { resultTypes: [rhs.type] });
            return body(addi, { lhs: acc, rhs: pairSums(body, unit, pairs, rhs) });
          }
          if (elementType.kind === 'float') return body(fma, { lhs, rhs, acc });
          return body(addi, { lhs: acc, rhs: body(muli, { lhs, rhs }) });
        });
      });
    },
  };
};

/** A pair, as the bits of one lane. */
const loadPair = (
  b: Builder,
  { memref: base, indices }: { readonly memref: Value; readonly indices: readonly Value[] },
): Value => {
  const { elementType } = base.type as MemRefType;
  const pair: Value = b(load, { base, indices }, { resultTypes: [vectorType([2], elementType)] });
  return b(bitcast, { source: pair }, { resultTypes: [vectorType([1], integerType(32))] });
};

/** How accumulators, a row of vectors after the other, are loaded and stored. */
interface OutputPlace {
  readonly load: (b: Builder) => readonly Value[];
  readonly store: (b: Builder, sums: readonly Value[]) => void;
  /** Indices of the lines that are stored to. */
  readonly lines: readonly (readonly Value[])[];
}

const outputPlace = (b: Builder, { output }: Microkernel, tile: Tile, image: Value): OutputPlace => {
  const { lanes, vectors, rows } = tile;
  if (lanes === 'filters') {
    const transposed = { output, image, vectors, windows: rows };
    const firstWindow = indexConstant(b, rows.first);
    return {
      load: (builder) => loadTransposed(builder, transposed),
      store: (builder, sums) => {
        storeTransposed(builder, transposed, sums);
      },
      lines: vectors.flatMap(({ first, width }) =>
        Array.from({ length: width }, (_, i) => [image, indexConstant(b, first + i), firstWindow]),
      ),
    };
  }
  const { elementType } = output.type;
  const places = Array.from({ length: rows.size }, (_, i) => indexConstant(b, rows.first + i)).flatMap(
    (row) =>
      vectors.map(({ first, width }) => ({
        type: vectorType([width], elementType),
        indices: [image, row, indexConstant(b, first)],
      })),
  );
  return {
    load: (builder) =>
      places.map(({ type, indices }): Value =>
        builder(load, { base: output, indices }, { resultTypes: [type] }),
      ),
    store: (builder, sums) => {
      places.forEach(({ indices }, i) => {
        builder(store, { valueToStore: sums[i]!, base: output, indices });
      });
    },
    lines: places.map(({ indices }) => indices),
  };
};

/** The initial accumulators: what the output would have been filled with, or else `read`. */
export const initialSums = (
  b: Builder,
  start: SumStart | undefined,
  resultTypes: readonly Type[],
  read: (b: Builder) => readonly Value[],
  begun: (b: Builder, start: SumStart) => readonly Value[],
): readonly Value[] => {
  if (start === undefined) return read(b);
  const { condition } = start;
  if (condition === undefined) return begun(b, start);
  return choose(b, condition, resultTypes, (body) => begun(body, start), read);
};

/** An `scf.if` with the values of both branches. */
const choose = (
  b: Builder,
  condition: Value,
  resultTypes: readonly Type[],
  then: (body: Builder) => readonly Value[],
  otherwise: (body: Builder) => readonly Value[],
): readonly Value[] =>
  b(
    ifOp,
    { condition },
    {
      resultTypes,
      bodies: [then, otherwise].map((values) => ({
        build: (body: Builder): void => {
          body(yieldOp, { results: values(body) });
        },
      })),
    },
  );
