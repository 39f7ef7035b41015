/** Tiling as upstream with one `scf.forall`, whose iterations may run in parallel. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, success } from '@sconv/diagnostics';
import type { MixedBox, MixedIndex, Tileable } from '@sconv/dialects';
import { applyFolded, indexNumber, indexValue, tileableOf, unitStrideSlice } from '@sconv/dialects';
import { structured } from '@sconv/dialects/linalg';
import type { Attribute, DraftOperation, Rewriter, Value } from '@sconv/ir';
import { affineMap } from '@sconv/affine';
import { checkForallNumbers, checkRace, notTileable } from './check-tiling.ts';
import { createForall } from './create-forall.ts';
import { checkIdleThreads, windowOf } from './idle-threads.ts';
import type { PartOptions } from './tile-bounds.ts';
import { partOfThread, sizePerThread } from './tile-bounds.ts';

/** The tile and the loop around it. */
export interface ForallTileResult {
  readonly tiled: DraftOperation;
  readonly loop: DraftOperation;
}

/** Tile sizes, or numbers of tiles, by dimension; 0: untiled. */
export type ForallTiling<Size extends MixedIndex = MixedIndex> =
  { readonly tileSizes: readonly Size[] } | { readonly threads: readonly Size[] };

/**
 * Tiles an op with one `scf.forall` over the given dimensions; missing numbers are 0. The loop counts tiles; the last
 * ones get the remainder.
 *
 * @deviation Rejected, besides where `tileUsingForOp` is, for a dimension that is not parallel: upstream's iterations
 * then write the same elements of a result.
 */
export const tileUsingForallOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  tiling: ForallTiling,
  mapping?: readonly Attribute[],
): Diagnosed<ForallTileResult> => {
  const tileable = tileableOf(rewriter.registry, operation);
  if (tileable === undefined) return notTileable(operation);
  const numbers = 'threads' in tiling ? tiling.threads : tiling.tileSizes;
  const { isParallel } = tileable;
  const isTiled = isParallel.map((_, dimension) => indexNumber(rewriter, numbers[dimension] ?? 0) !== 0);
  const checked = andThen(checkForallNumbers(operation, numbers, isTiled), () => {
    const view = structured(rewriter.registry, operation);
    const dimensions = [...isTiled.keys()].filter((dimension) => isTiled[dimension]);
    return collect(dimensions, (dimension) =>
      checkRace(operation, view, dimension, isParallel[dimension] === true),
    );
  });
  if (checked.status !== 'success') return checked;
  // The size of a thread's part depends on the range; any size does for the check.
  const box = isTiled.map((tiled, dimension) => {
    if (!tiled) return undefined;
    return 'tileSizes' in tiling
      ? numbers[dimension]!
      : indexSizeOf(rewriter, operation, numbers[dimension]!, dimension);
  });
  return andThen(checkIdleThreads(rewriter, operation, 'threads' in tiling ? numbers : []), () =>
    andThen(tileable.check(box), () =>
      success(createLoop(rewriter, operation, tileable, tiling, isTiled, mapping)),
    ),
  );
};

/** The size per thread if known; otherwise the number of threads, which then is not constant. */
const indexSizeOf = (
  rewriter: Rewriter,
  operation: DraftOperation,
  threads: MixedIndex,
  dimension: number,
): MixedIndex => {
  const range = structured(rewriter.registry, operation)?.loopRanges[dimension] ?? -1;
  const known = indexNumber(rewriter, threads);
  return known === undefined || range < 0 ? threads : Math.ceil(range / known);
};

const tilesIn = affineMap('()[s0, s1] -> (s0 ceildiv s1)');

const createLoop = (
  rewriter: Rewriter,
  operation: DraftOperation,
  tileable: Tileable,
  tiling: ForallTiling,
  isTiled: readonly boolean[],
  mapping: readonly Attribute[] | undefined,
): ForallTileResult => {
  const view = structured(rewriter.registry, operation);
  rewriter.setInsertionPointBefore(operation);
  const dimensions = isTiled.flatMap((tiled, dimension) => (tiled ? [dimension] : []));
  const threads = new Map<number, MixedIndex>();
  if ('threads' in tiling) {
    for (const dimension of dimensions) threads.set(dimension, tiling.threads[dimension]!);
  } else {
    // As upstream, which computes the ranges to count the tiles, and again to tile.
    const ranges = tileable.domain(rewriter);
    for (const dimension of dimensions) {
      const number = applyFolded(rewriter, tilesIn, [ranges[dimension]!, tiling.tileSizes[dimension]!]);
      threads.set(dimension, number);
    }
  }
  const ranges = tileable.domain(rewriter);
  const outputs = tileable.destinations(rewriter);
  const bounds = dimensions.map((dimension) => {
    const value = indexValue(rewriter, threads.get(dimension)!);
    return indexNumber(rewriter, value) ?? value;
  });
  let tiled: DraftOperation | undefined;
  const loop = createForall(rewriter, operation, { bounds, outputs, mapping }, (body, variables, shared) => {
    const box = boxOf(body, ranges, dimensions, variables, threads, (dimension) => {
      const size = 'tileSizes' in tiling ? tiling.tileSizes[dimension]! : undefined;
      // With given sizes no tile starts beyond the end.
      return { size, empty: size === undefined, windows: windowOf(view, dimension) !== undefined };
    });
    const tile = tileable.tile(body, box, shared);
    tiled = tile.operation;
    return tile.values.map((value, result) => ({
      value,
      slice: unitStrideSlice(tileable.resultBox(body, result, box)),
    }));
  });
  rewriter.replaceOperation(operation, loop.results, [tiled!]);
  return { tiled: tiled!, loop };
};

/** The iterations of the current thread's tile. */
const boxOf = (
  rewriter: Rewriter,
  ranges: readonly MixedIndex[],
  dimensions: readonly number[],
  variables: readonly Value[],
  threads: ReadonlyMap<number, MixedIndex>,
  tilingOf: (dimension: number) => PartOptions & { readonly size: MixedIndex | undefined },
): MixedBox => {
  const offsets: MixedIndex[] = ranges.map(() => 0);
  const sizes: MixedIndex[] = [...ranges];
  dimensions.forEach((dimension, i) => {
    const range = ranges[dimension]!;
    const number = threads.get(dimension)!;
    const { size = sizePerThread(rewriter, range, number), ...mayHave } = tilingOf(dimension);
    const part = partOfThread(rewriter, variables[i]!, number, range, size, mayHave);
    offsets[dimension] = part.offset;
    sizes[dimension] = part.size;
  });
  return { offsets, sizes };
};
