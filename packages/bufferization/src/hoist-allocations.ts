/**
 * Buffers of an iteration, allocated once before the loop.
 *
 * An allocation's content is undefined, so an iteration that reads only what it wrote does not notice that it has the
 * buffer of the one before, as long as no buffer lives on after its iteration.
 */
import { alloc } from '@sconv/dialects/memref';
import { isLinalgOp } from '@sconv/dialects/linalg';
import { call } from '@sconv/dialects/func';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { isLoop } from './program-order.ts';

/** Operations whose result is another view of their first operand. */
const views: ReadonlySet<string> = new Set([
  'memref.subview',
  'memref.collapse_shape',
  'memref.expand_shape',
  'memref.cast',
]);

/** Operations that access a buffer and keep nothing of it. */
const accesses: ReadonlySet<string> = new Set(['memref.load', 'memref.copy', 'memref.dim', 'memref.rank']);

/** Whether a buffer, or a view of it, may be known to anything but accesses of the same iteration. */
const escapes = (rewriter: Rewriter, buffer: Value): boolean =>
  rewriter.users(buffer).some((user) => {
    if (views.has(user.name)) return escapes(rewriter, user.results[0]!);
    if (accesses.has(user.name) || isLinalgOp(user)) return false;
    if (user.name === 'memref.store') return user.operands[0]!.id === buffer.id;
    return !(call.is(user) && user.results.every((result) => result.type.kind !== 'memref'));
  });

/** The outermost of the loops directly around `operation`. */
const outermostLoop = (operation: DraftOperation): DraftOperation | undefined => {
  let found: DraftOperation | undefined;
  for (let at = operation.parent; at !== undefined && isLoop(at); at = at.parent) found = at;
  return found;
};

/** Moves allocations of static size out of the loops around them, where no iteration hands the buffer on. */
export const hoistAllocations = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const operation of rewriter.walk(root)) {
    if (!alloc.is(operation) || operation.operands.length > 0) continue;
    const loop = outermostLoop(operation);
    if (loop !== undefined && !escapes(rewriter, operation.results[0]!)) {
      rewriter.moveBefore(operation, loop);
    }
  }
};

/** Erases buffers and views that nothing uses, such as an empty tensor's whose users all got buffers of their own. */
export const eraseUnusedBuffers = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const operation of rewriter.walk(root).toReversed()) {
    const isBuffer = views.has(operation.name) || alloc.is(operation);
    if (isBuffer && !rewriter.hasUses(operation.results[0]!)) rewriter.eraseOperation(operation);
  }
};
