/** Tiling as upstream: any op with the tiling interface in a nest of `scf.for` loops, with tiles of any size. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, mapSuccess, success } from '@sconv/diagnostics';
import type { MixedBox, MixedIndex, Tileable } from '@sconv/dialects';
import {
  createIndex,
  indexNumber,
  indexValue,
  insertSliceState,
  tileableOf,
  unitStrideSlice,
} from '@sconv/dialects';
import { muli } from '@sconv/dialects/arith';
import { forOp, yieldOp } from '@sconv/dialects/scf';
import { vscale } from '@sconv/dialects/vector';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { indexType } from '@sconv/ir';
import { checkTileSizes, loopOrder, notTileable } from './check-tiling.ts';
import { boundedSize } from './tile-bounds.ts';

/**
 * The tile and the loops around it, as drafts of this edit; in the new module they have the same ids
 * (`findOperation`).
 */
export interface TileResult {
  readonly tiled: DraftOperation;
  /** Outermost first. */
  readonly loops: readonly DraftOperation[];
}

/**
 * Tiles an op with `scf.for` loops, as `scf::tileUsingSCF`: `sizes` are the tile sizes by iteration dimension, 0 for
 * an untiled one; the last tile gets the remainder; missing sizes are 0. `interchange` is the loop order as positions
 * of iteration dimensions, padded with the identity. Static sizes flagged in `scalable` are multiplied by
 * `vector.vscale`.
 *
 * @deviation Rejected if slicing is unsound for a map, or if it would reorder a reduction whose body does not allow
 * it: upstream's tiles then compute something else.
 */
export const tileUsingForOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  sizes: readonly MixedIndex[],
  interchange: readonly number[] = [],
  scalable: readonly boolean[] = [],
): Diagnosed<TileResult> => {
  const tileable = tileableOf(rewriter.registry, operation);
  if (tileable === undefined) return notTileable(operation);
  const rank = tileable.isParallel.length;
  const isTiled = (dimension: number): boolean => indexNumber(rewriter, sizes[dimension] ?? 0) !== 0;
  return andThen(checkTileSizes(operation, sizes, rank), () =>
    andThen(loopOrder(operation, interchange, rank), (order) => {
      if (!order.some(isTiled)) return success({ tiled: operation, loops: [] });
      const box = order.map((_, dimension) => (isTiled(dimension) ? sizes[dimension]! : undefined));
      return mapSuccess(tileable.check(box), () =>
        createNest(rewriter, operation, tileable, box, order, scalable),
      );
    }),
  );
};

const createNest = (
  rewriter: Rewriter,
  operation: DraftOperation,
  tileable: Tileable,
  sizes: readonly (MixedIndex | undefined)[],
  order: readonly number[],
  scalable: readonly boolean[],
): TileResult => {
  rewriter.setInsertionPointBefore(operation);
  const destinations = tileable.destinations(rewriter);
  const ranges = tileable.domain(rewriter);
  const tileSizes = sizes.map((size, i) =>
    scalable[i] === true && typeof size === 'number' ? scaled(rewriter, size) : size,
  );
  let tiled: DraftOperation | undefined;
  const { loops, results } = createLoops(
    rewriter,
    operation,
    { ranges, tileSizes, order },
    destinations,
    (box, carried) => {
      const tile = tileable.tile(rewriter, box, carried);
      tiled = tile.operation;
      const boxes = tile.values.map((_, result) => tileable.resultBox(rewriter, result, box));
      return tile.values.map((value, result) =>
        rewriter.createValue(insertSliceState(value, carried[result]!, unitStrideSlice(boxes[result]!))),
      );
    },
  );
  rewriter.replaceOperation(operation, results, [tiled!]);
  return { tiled: tiled!, loops };
};

/** `size` times `vector.vscale`. */
const scaled = (rewriter: Rewriter, size: number): Value => {
  const lhs = createIndex(rewriter, size);
  const rhs = rewriter.createValue(vscale.state({ resultTypes: [indexType] }));
  return rewriter.createValue(muli.state({ operands: { lhs, rhs }, resultTypes: [indexType] }));
};

/** Loops over tiles: the range of each dimension, its tile size (undefined if untiled), and the loop order. */
export interface TileLoops {
  readonly ranges: readonly MixedIndex[];
  readonly tileSizes: readonly (MixedIndex | undefined)[];
  readonly order: readonly number[];
}

/** A nest of loops over tiles that carry `destinations`; `body` returns their new values after the tile of a box. */
export const createLoops = (
  rewriter: Rewriter,
  { location }: DraftOperation,
  { ranges, tileSizes, order }: TileLoops,
  destinations: readonly Value[],
  body: (box: MixedBox, destinations: readonly Value[]) => readonly Value[],
): { readonly loops: readonly DraftOperation[]; readonly results: readonly Value[] } => {
  const dimensions = order.filter((dimension) => tileSizes[dimension] !== undefined);
  const loops: DraftOperation[] = [];
  const variables = new Map<number, Value>();
  const nest = (depth: number, initArgs: readonly Value[]): readonly Value[] => {
    const dimension = dimensions[depth];
    if (dimension === undefined) return body(boxOf(rewriter, ranges, tileSizes, order, variables), initArgs);
    // In this order, before the loop: upstream creates constants for each.
    const lowerBound = indexValue(rewriter, 0);
    const upperBound = indexValue(rewriter, ranges[dimension]!);
    const step = indexValue(rewriter, tileSizes[dimension]!);
    const loop = rewriter.create(
      forOp.state<Rewriter>({
        operands: { lowerBound, upperBound, step, initArgs },
        resultTypes: initArgs.map(({ type }) => type),
        location,
        bodies: [
          {
            argumentTypes: [indexType, ...initArgs.map(({ type }) => type)],
            build: (inner, variable, ...carried) => {
              variables.set(dimension, variable);
              const results = nest(depth + 1, carried);
              inner.create(yieldOp.state({ operands: { results } }));
            },
          },
        ],
      }),
    );
    loops.unshift(loop);
    return loop.results;
  };
  const results = nest(0, destinations);
  return { loops, results };
};

/** The iterations of the current tile. */
const boxOf = (
  rewriter: Rewriter,
  ranges: readonly MixedIndex[],
  tileSizes: readonly (MixedIndex | undefined)[],
  order: readonly number[],
  variables: ReadonlyMap<number, Value>,
): MixedBox => {
  const sizes = [...ranges];
  for (const dimension of order) {
    const variable = variables.get(dimension);
    if (variable === undefined) continue;
    sizes[dimension] = boundedSize(rewriter, variable, ranges[dimension]!, tileSizes[dimension]!);
  }
  return { offsets: ranges.map((_, dimension) => variables.get(dimension) ?? 0), sizes };
};
