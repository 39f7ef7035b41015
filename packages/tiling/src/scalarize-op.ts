/** Tiling of the dimensions whose size is not known by 1, as `transform.structured.scalarize`. */
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess } from '@sconv/diagnostics';
import { tileableOf } from '@sconv/dialects';
import { structured } from '@sconv/dialects/linalg';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import { notTileable, tileUsingForOp } from './tile-using-for-op.ts';

/** What is left in the loops: an op of static sizes, or the op itself where it has no others. */
export const scalarizeOp = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<DraftOperation> => {
  const ranges = structured(rewriter.registry, operation)?.loopRanges;
  const tileable = tileableOf(rewriter.registry, operation);
  if (ranges === undefined || tileable === undefined) return notTileable(operation);
  const sizes = ranges.map((range) => (range === DYNAMIC ? 1 : 0));
  return mapSuccess(tileUsingForOp(rewriter, operation, sizes), ({ tiled, loops }) => {
    const first = loops[0] && rewriter.definingOperation(loops[0].operands[0]!);
    if (first !== undefined) {
      // Upstream asks for the sizes a second time, to see which of them are known.
      rewriter.setInsertionPointBefore(first);
      tileable.domain(rewriter);
    }
    return tiled;
  });
};
