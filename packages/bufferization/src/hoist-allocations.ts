/**
 * Buffers of an iteration, allocated once before the loop.
 *
 * An allocation's content is undefined, so an iteration that reads only what it wrote does not notice that it has the
 * buffer of the one before, as long as no buffer lives on after its iteration. Iterations that may run at the same time keep
 * their own.
 */
import { loopLike, viewLike } from '@sconv/dialects';
import { alloc, dim, rank } from '@sconv/dialects/memref';
import { call } from '@sconv/dialects/func';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { effectsOf, modelOf } from '@sconv/ir';

const isBuffer = ({ type }: Value): boolean => type.kind === 'memref' || type.kind === 'unranked-memref';

/** Whether an operation reads or writes a buffer, or asks for its shape, and keeps nothing of it. */
const onlyAccesses = ({ registry }: Rewriter, operation: DraftOperation, buffer: Value): boolean => {
  if (dim.is(operation) || rank.is(operation)) return true;
  if (operation.results.some(isBuffer)) return false;
  if (call.is(operation)) return true;
  const effects = effectsOf(registry, operation) ?? [];
  // What is stored as an element of another buffer is an operand that no effect names.
  return (
    effects.some(({ value }) => value?.id === buffer.id) &&
    effects.every(({ kind }) => kind === 'read' || kind === 'write')
  );
};

/** Whether a buffer, or a view of it, may be known to anything but accesses of the same iteration. */
const escapes = (rewriter: Rewriter, buffer: Value): boolean =>
  rewriter.users(buffer).some((user) => {
    if (modelOf(rewriter.registry, viewLike, user) === undefined)
      return !onlyAccesses(rewriter, user, buffer);
    return user.results.filter(isBuffer).some((view) => escapes(rewriter, view));
  });

/** The outermost of the loops directly around `operation` whose iterations run one after the other. */
const outermostLoop = ({ registry }: Rewriter, operation: DraftOperation): DraftOperation | undefined => {
  const isSequential = (loop: DraftOperation) => modelOf(registry, loopLike, loop)?.isSequential === true;
  let found: DraftOperation | undefined;
  for (let at = operation.parent; at !== undefined && isSequential(at); at = at.parent) found = at;
  return found;
};

/** Moves allocations of static size out of the sequential loops around them, where no iteration hands the buffer on. */
export const hoistAllocations = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const operation of rewriter.walk(root)) {
    if (!alloc.is(operation) || operation.operands.length > 0) continue;
    const loop = outermostLoop(rewriter, operation);
    if (loop !== undefined && !escapes(rewriter, operation.results[0]!)) {
      rewriter.moveBefore(operation, loop);
    }
  }
};

/** Erases buffers and views that nothing uses, such as an empty tensor's whose users all got buffers of their own. */
export const eraseUnusedBuffers = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const operation of rewriter.walk(root).toReversed()) {
    const isView = modelOf(rewriter.registry, viewLike, operation) !== undefined;
    if (!isView && !alloc.is(operation)) continue;
    if (!operation.results.some((result) => rewriter.hasUses(result))) rewriter.eraseOperation(operation);
  }
};
