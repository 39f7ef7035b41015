/** Frees buffers at the end of the block that allocates them. */
import { alloc, dealloc } from '@sconv/dialects/memref';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { builder } from '@sconv/ir';
import { bufferFlow, isFreed, lentBuffers } from '@sconv/dialects';

/**
 * Frees each buffer allocated at or below `root` at the end of its block, unless it escapes. A returned buffer
 * belongs to the caller; one that is carried by a loop, or that a called function may keep or return, stays.
 */
export const deallocateBuffers = (rewriter: Rewriter, root: DraftOperation): void => {
  const isLent = lentBuffers(rewriter);
  for (const operation of rewriter.walk(root)) {
    const { block } = operation;
    const last = block?.last;
    if (!alloc.is(operation) || last === undefined) continue;
    const flow = bufferFlow(rewriter, operation.results[0]!);
    if (!flow.isOnlyViewed || !isLent(flow) || isFreed(rewriter, flow)) continue;
    rewriter.setInsertionPointBefore(last);
    builder(rewriter)(dealloc, { memref: operation.results[0]! });
  }
};
