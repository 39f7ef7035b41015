/**
 * Hoists allocations out of loops.
 *
 * The contents of a fresh allocation are undefined, so an iteration that reads only what it wrote cannot tell that it
 * reuses the previous iteration's buffer, as long as no buffer outlives its iteration. Parallel iterations keep their
 * own buffers.
 */
import { loopLike, viewLike } from '@sconv/dialects';
import { alloc, dim, rank } from '@sconv/dialects/memref';
import { call } from '@sconv/dialects/func';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { effectsOf, modelOf } from '@sconv/ir';
import { isBufferType } from './buffer-types.ts';

/** Whether an operation only reads or writes a buffer, or queries its shape, without capturing it. */
const onlyAccesses = ({ registry }: Rewriter, operation: DraftOperation, buffer: Value): boolean => {
  if (dim.is(operation) || rank.is(operation)) return true;
  if (operation.results.some(({ type }) => isBufferType(type))) return false;
  if (call.is(operation)) return true;
  const effects = effectsOf(registry, operation) ?? [];
  // A buffer stored as an element of another buffer is an operand that no effect mentions.
  return (
    effects.some(({ value }) => value?.id === buffer.id) &&
    effects.every(({ kind }) => kind === 'read' || kind === 'write')
  );
};

/** Whether a buffer, or a view of it, escapes its iteration. */
const escapes = (rewriter: Rewriter, buffer: Value): boolean =>
  rewriter.users(buffer).some((user) => {
    if (modelOf(rewriter.registry, viewLike, user) === undefined)
      return !onlyAccesses(rewriter, user, buffer);
    return user.results.filter(({ type }) => isBufferType(type)).some((view) => escapes(rewriter, view));
  });

/** The outermost of the sequential loops directly around `operation`. */
const outermostLoop = ({ registry }: Rewriter, operation: DraftOperation): DraftOperation | undefined => {
  const isSequential = (loop: DraftOperation) => modelOf(registry, loopLike, loop)?.isSequential === true;
  let found: DraftOperation | undefined;
  for (let at = operation.parent; at !== undefined && isSequential(at); at = at.parent) found = at;
  return found;
};

/**
 * Hoists static-size allocations out of the sequential loops around them, if the buffer does not escape an iteration.
 */
export const hoistAllocations = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const operation of rewriter.walk(root)) {
    if (!alloc.is(operation) || operation.operands.length > 0) continue;
    const loop = outermostLoop(rewriter, operation);
    if (loop !== undefined && !escapes(rewriter, operation.results[0]!)) {
      rewriter.moveBefore(operation, loop);
    }
  }
};

/** Erases unused buffers and views, such as an empty tensor's after all its users got buffers of their own. */
export const eraseUnusedBuffers = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const operation of rewriter.walk(root).toReversed()) {
    const isView = modelOf(rewriter.registry, viewLike, operation) !== undefined;
    if (!isView && !alloc.is(operation)) continue;
    if (!operation.results.some((result) => rewriter.hasUses(result))) rewriter.eraseOperation(operation);
  }
};
