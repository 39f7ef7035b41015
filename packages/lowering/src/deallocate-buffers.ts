/** Memory given back where it was allocated: before the end of its block. */
import { alloc, dealloc } from '@sconv/dialects/memref';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { builder, hasTrait, modelOf } from '@sconv/ir';
import { viewLike } from '@sconv/dialects';

/**
 * Frees each buffer that is allocated at or below `root` at the end of its block, if nothing takes it out of there. A buffer that is
 * returned belongs to the caller; one that goes around a loop, or to another function, stays.
 */
export const deallocateBuffers = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const operation of rewriter.walk(root)) {
    const { block } = operation;
    const last = block?.last;
    if (!alloc.is(operation) || last === undefined || !staysInside(rewriter, operation.results[0]!)) continue;
    rewriter.setInsertionPointBefore(last);
    builder(rewriter)(dealloc, { memref: operation.results[0]! });
  }
};

/** Whether all uses of a buffer, and of its views, are such that nobody keeps it. */
const staysInside = (rewriter: Rewriter, buffer: Value): boolean =>
  rewriter.users(buffer).every((user) => {
    if (modelOf(rewriter.registry, viewLike, user)?.source(user).id === buffer.id)
      return user.results.every((view) => staysInside(rewriter, view));
    if (user.name === dealloc.name || hasTrait(rewriter.registry, user, 'terminator')) return false;
    const mayKeep = user.name.startsWith('func.') || user.results.some(({ type }) => type.kind === 'memref');
    return !mayKeep;
  });
