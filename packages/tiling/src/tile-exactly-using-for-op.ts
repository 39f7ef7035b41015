/**
 * Tiling (ST §5.3, stage 3): a structured op in a nest of `scf.for` loops, one tile per iteration. By tiles of 2
 * filters and 8 windows:
 *
 *     %c = linalg.generic ins(%b) outs(%z)   →   %c = scf.for %f = 0 to 4 step 2 iter_args(%x = %z) {
 *                                                  %row = scf.for %w = 0 to 24 step 8 iter_args(%y = %x) {
 *                                                    %tile = linalg.generic ins(%b[%f] [2]) outs(%y[%f, %w] [2, 8])
 *                                                    scf.yield (tensor.insert_slice %tile into %y[%f, %w] [2, 8])
 *                                                  }
 *                                                  scf.yield %row }
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, mapSuccess, silenceableError } from '@sconv/diagnostics';
import { createIndex, hasStaticSizes, insertSliceState, mayRunInBlocks } from '@sconv/dialects';
import { generic, genericView } from '@sconv/dialects/linalg';
import { forOp, yieldOp } from '@sconv/dialects/scf';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { indexType } from '@sconv/ir';
import { checkTileSizes, loopOrder } from './check-tiling.ts';
import { createTile, tileOperands } from './create-tile.ts';
import type { TileOperand } from './tile-operand.ts';
import type { TileResult } from './tile-using-for-op.ts';

/** A loop to create: over iteration dimension `dimension`, with step `size`. */
interface TileLoop {
  readonly dimension: number;
  readonly size: number;
}

/**
 * Tiles a `linalg.generic` on static tensors. `sizes` are the tile sizes by iteration dimension, 0 for an untiled
 * one; missing sizes are 0. `interchange` is the loop order as positions of iteration dimensions, padded with the
 * identity: `[0, 2, 1]` puts the loop over dimension 2 outside that over 1.
 *
 * Operands are sliced, so an op for which slicing is unsound is rejected (see `gatherOperandOp`). So is one whose
 * reduction would be reordered, unless its body combines values in any order, as a sum does.
 *
 * Unlike `tileUsingForOp` it makes a perfect nest of tiles of static size: all bounds precede the nest, operands that
 * no loop tiles are not sliced, and a size that does not divide its dimension is rejected (split first).
 */
export const tileExactlyUsingForOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  sizes: readonly number[],
  interchange: readonly number[] = [],
): Diagnosed<TileResult> => {
  if (!generic.is(operation)) {
    return silenceableError(
      'tile/not-generic',
      `expected a linalg.generic, got '${operation.name}': generalize it first, or tile without \`exact\``,
      operation,
    );
  }
  const rank = genericView(operation).loopRanges.length;
  return andThen(checkTileSizes(operation, sizes, rank), () =>
    andThen(loopOrder(operation, interchange, rank), (order) => {
      const loops = order
        .map((dimension): TileLoop => ({ dimension, size: sizes[dimension] ?? 0 }))
        .filter(({ size }) => size > 0);
      return mapSuccess(exactTiles(rewriter, operation, loops), (operands) =>
        loops.length === 0
          ? { tiled: operation, loops: [] }
          : createNest(rewriter, operation, loops, operands),
      );
    }),
  );
};

/** The operands of each tile of these loops: all of the same static size, and run in an order that keeps the result. */
const exactTiles = (
  rewriter: Rewriter,
  operation: DraftOperation,
  loops: readonly TileLoop[],
): Diagnosed<readonly TileOperand[]> => {
  const view = genericView(operation);
  const { loopRanges } = view;
  if (!hasStaticSizes(view)) {
    return silenceableError('tile/dynamic', 'expected operands of static tensor type', operation);
  }
  for (const { dimension, size } of loops) {
    const extent = loopRanges[dimension]!;
    if (extent < size) {
      return silenceableError(
        'tile/remainder',
        `tile size ${size} exceeds dimension ${dimension} of extent ${extent}`,
        operation,
      );
    }
    if (extent % size !== 0) {
      return silenceableError(
        'tile/remainder',
        `tile size ${size} does not divide dimension ${dimension} of extent ${extent}: split it first`,
        operation,
      );
    }
  }
  const tileSizes = loopRanges.map(
    (_, dimension) => loops.find((loop) => loop.dimension === dimension)?.size ?? 0,
  );
  const outer = loops.filter(({ dimension, size }) => loopRanges[dimension]! > size);
  const mayTile = mayRunInBlocks(
    rewriter.registry,
    operation,
    outer.map(({ dimension }) => dimension),
    (dimension) => (tileSizes[dimension]! || loopRanges[dimension]!) > 1,
  );
  if (!mayTile) {
    return silenceableError(
      'tile/order',
      'tiles would run the iterations in another order, which may change the result',
      operation,
    );
  }
  return tileOperands(view, operation, tileSizes);
};

/** The loops, outermost first, with the tile in the innermost. */
const createNest = (
  rewriter: Rewriter,
  operation: DraftOperation,
  loops: readonly TileLoop[],
  operands: readonly TileOperand[],
): TileResult => {
  const { loopRanges, outputs } = genericView(operation);
  rewriter.setInsertionPointBefore(operation);
  const zero = createIndex(rewriter, 0);
  // The bounds precede the nest, so that loops can be swapped later.
  const bounds = loops.map(({ dimension, size }) => ({
    lowerBound: zero,
    upperBound: createIndex(rewriter, loopRanges[dimension]!),
    step: createIndex(rewriter, size),
  }));
  const created: DraftOperation[] = [];
  const offsets = new Map<number, Value>();
  let tiled: DraftOperation | undefined;
  const nest = (depth: number, destinations: readonly Value[]): readonly Value[] => {
    const loop = loops[depth];
    if (loop === undefined) {
      const tile = insertedTile(rewriter, operation, operands, offsets, destinations);
      tiled = tile.operation;
      return tile.destinations;
    }
    const forLoop = rewriter.create(
      forOp.state<Rewriter>({
        operands: { ...bounds[depth]!, initArgs: destinations },
        resultTypes: destinations.map((value) => value.type),
        location: operation.location,
        bodies: [
          {
            argumentTypes: [indexType, ...destinations.map((value) => value.type)],
            build: (body, iv, ...iterArguments) => {
              offsets.set(loop.dimension, iv);
              const results = nest(depth + 1, iterArguments);
              body.create(yieldOp.state({ operands: { results } }));
            },
          },
        ],
      }),
    );
    created.unshift(forLoop);
    return forLoop.results;
  };
  rewriter.replaceOperation(operation, nest(0, outputs), [tiled!]);
  return { tiled: tiled!, loops: created };
};

/** Creates the tile and inserts its results into the destinations. */
const insertedTile = (
  rewriter: Rewriter,
  operation: DraftOperation,
  operands: readonly TileOperand[],
  offsets: ReadonlyMap<number, Value>,
  destinations: readonly Value[],
): { readonly operation: DraftOperation; readonly destinations: readonly Value[] } => {
  const { tile, slices } = createTile(rewriter, operation, operands, offsets, destinations);
  return {
    operation: tile,
    destinations: tile.results.map((result, i) => {
      const slice = slices[i];
      return slice === undefined
        ? result
        : rewriter.createValue(insertSliceState(result, destinations[i]!, slice));
    }),
  };
};
