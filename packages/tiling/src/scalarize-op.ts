/** Tiles dimensions of dynamic size by 1, as `transform.structured.scalarize`. */
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess } from '@sconv/diagnostics';
import { tileableOf } from '@sconv/dialects';
import { structured } from '@sconv/dialects/linalg';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import { notTileable } from './check-tiling.ts';
import { tileUsingForOp } from './tile-using-for-op.ts';

/** The op left in the loops, of static sizes; the op itself if it has no dynamic ones. */
export const scalarizeOp = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<DraftOperation> => {
  const ranges = structured(rewriter.registry, operation)?.loopRanges;
  const tileable = tileableOf(rewriter.registry, operation);
  if (ranges === undefined || tileable === undefined) return notTileable(operation);
  const sizes = ranges.map((range) => (range === DYNAMIC ? 1 : 0));
  return mapSuccess(tileUsingForOp(rewriter, operation, sizes), ({ tiled, loops }) => {
    const first = loops[0] && rewriter.definingOperation(loops[0].operands[0]!);
    if (first !== undefined) {
      // Upstream recomputes the sizes to see which are constant.
      rewriter.setInsertionPointBefore(first);
      tileable.domain(rewriter);
    }
    return tiled;
  });
};
