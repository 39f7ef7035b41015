/**
 * Tiling for threads: a structured op in one `scf.forall`, whose iterations share only what they read, and each
 * insert their own part of the results.
 */
import { makeMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, silenceableError, success } from '@sconv/diagnostics';
import { hasStaticSizes, mayHaveMaps } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { structured } from '@sconv/dialects/linalg';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { checkForallNumbers, checkRace } from './check-tiling.ts';
import { createForall } from './create-forall.ts';
import { createTile, tileOperands } from './create-tile.ts';
import type { TileOperand } from './tile-operand.ts';
import type { ForallTileResult, ForallTiling } from './tile-using-forall-op.ts';

/**
 * Tiles a structured op on static tensors with one `scf.forall` over the given parallel dimensions; missing numbers
 * are 0. A named op stays named.
 *
 * Unlike `tileUsingForallOp` it makes tiles of static size and does not slice untiled operands; numbers that do not
 * divide their dimension are rejected (split first).
 */
export const tileExactlyUsingForallOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  tiling: ForallTiling<number>,
): Diagnosed<ForallTileResult> => {
  const view = structured(rewriter.registry, operation);
  if (view === undefined) {
    return silenceableError(
      'tile/not-structured',
      `expected a structured op, got '${operation.name}'`,
      operation,
    );
  }
  if (!hasStaticSizes(view)) {
    return silenceableError('tile/dynamic', 'expected operands of static tensor type', operation);
  }
  return andThen(tileSizesOf(view, operation, tiling), (tileSizes) =>
    andThen(tileOperands(view, operation, tileSizes), (operands) => {
      const maps = operands.map(({ results }) => makeMap(view.loopRanges.length, 0, results));
      if (!mayHaveMaps(rewriter.registry, operation, maps)) {
        return silenceableError(
          'tile/named-map',
          `a tile would index an operand otherwise than '${operation.name}' does: generalize it first`,
          operation,
        );
      }
      return success(createLoop(rewriter, operation, view, tileSizes, operands));
    }),
  );
};

/** The tile size of each dimension; 0 for an untiled one. */
const tileSizesOf = (
  view: StructuredOp,
  operation: DraftOperation,
  tiling: ForallTiling<number>,
): Diagnosed<readonly number[]> => {
  const { loopRanges, iteratorTypes } = view;
  const numbers = 'threads' in tiling ? tiling.threads : tiling.tileSizes;
  const isTiled = loopRanges.map((_, dimension) => (numbers[dimension] ?? 0) !== 0);
  const checked = checkForallNumbers(operation, numbers, isTiled);
  if (checked.status !== 'success') return checked;
  for (const [dimension, number] of numbers.entries()) {
    if (number === 0) continue;
    const apart = checkRace(operation, view, dimension, iteratorTypes[dimension] === 'parallel');
    if (apart.status !== 'success') return apart;
    const extent = loopRanges[dimension]!;
    if (extent % number !== 0) {
      return silenceableError(
        'tile/remainder',
        `${number} does not divide dimension ${dimension} of extent ${extent}: split it first`,
        operation,
      );
    }
  }
  return success(
    loopRanges.map((extent, dimension) => {
      const number = numbers[dimension] ?? 0;
      return number === 0 ? 0 : 'threads' in tiling ? extent / number : number;
    }),
  );
};

const createLoop = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { loopRanges, outputs }: StructuredOp,
  tileSizes: readonly number[],
  operands: readonly TileOperand[],
): ForallTileResult => {
  const dimensions = tileSizes.flatMap((size, dimension) => (size > 0 ? [dimension] : []));
  rewriter.setInsertionPointBefore(operation);
  let tiled: DraftOperation | undefined;
  const bounds = dimensions.map((dimension) => loopRanges[dimension]!);
  const steps = dimensions.map((dimension) => tileSizes[dimension]!);
  const loop = createForall(rewriter, operation, { bounds, steps, outputs }, (_, variables, shared) => {
    const offsets = new Map(dimensions.map((dimension, i) => [dimension, variables[i]!]));
    const { tile, slices } = createTile(rewriter, operation, operands, offsets, shared);
    tiled = tile;
    return tile.results.map((value, i) => ({ value, slice: slices[i]! }));
  });
  rewriter.replaceOperation(operation, loop.results, [tiled!]);
  return { tiled: tiled!, loop };
};
