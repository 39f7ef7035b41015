/** Frees buffers at the end of the block that allocates them. */
import { alloc, dealloc } from '@sconv/dialects/memref';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { builder } from '@sconv/ir';
import { bufferFlow, isFreed, isHandedOn } from '@sconv/dialects';

/**
 * Frees each buffer allocated at or below `root` at the end of its block, unless it escapes. A returned buffer
 * belongs to the caller; one that is carried by a loop or passed to another function stays.
 */
export const deallocateBuffers = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const operation of rewriter.walk(root)) {
    const { block } = operation;
    const last = block?.last;
    if (!alloc.is(operation) || last === undefined || isHandedOn(rewriter, operation.results[0]!)) continue;
    if (isFreed(rewriter, bufferFlow(rewriter, operation.results[0]!))) continue;
    rewriter.setInsertionPointBefore(last);
    builder(rewriter)(dealloc, { memref: operation.results[0]! });
  }
};
