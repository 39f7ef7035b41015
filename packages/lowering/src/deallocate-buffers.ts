/** Memory given back where it was allocated: before the end of its block. */
import { alloc, dealloc } from '@sconv/dialects/memref';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { builder, modelOf } from '@sconv/ir';
import { isHandedOn, viewLike } from '@sconv/dialects';

/**
 * Frees each buffer that is allocated at or below `root` at the end of its block, if nothing takes it out of there. A buffer that is
 * returned belongs to the caller; one that goes around a loop, or to another function, stays.
 */
export const deallocateBuffers = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const operation of rewriter.walk(root)) {
    const { block } = operation;
    const last = block?.last;
    if (!alloc.is(operation) || last === undefined || isHandedOn(rewriter, operation.results[0]!)) continue;
    if (isFreed(rewriter, operation.results[0]!)) continue;
    rewriter.setInsertionPointBefore(last);
    builder(rewriter)(dealloc, { memref: operation.results[0]! });
  }
};

/** Whether a buffer, or one of its views, is freed already. */
const isFreed = (rewriter: Rewriter, buffer: Value): boolean =>
  rewriter
    .users(buffer)
    .some(
      (user) =>
        dealloc.is(user) ||
        (modelOf(rewriter.registry, viewLike, user) !== undefined &&
          user.results.some((view) => view.type.kind === 'memref' && isFreed(rewriter, view))),
    );
