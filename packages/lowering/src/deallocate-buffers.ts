/** Frees buffers at the end of the block that allocates them. */
import { alloc, dealloc } from '@sconv/dialects/memref';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { bodyOf, builder, children, symbolNameOf } from '@sconv/ir';
import type { BufferFlow } from '@sconv/dialects';
import { bufferFlow, isFreed } from '@sconv/dialects';
import { call, funcOp } from '@sconv/dialects/func';

/**
 * Frees each buffer allocated at or below `root` at the end of its block, unless it escapes. A returned buffer
 * belongs to the caller; one that is carried by a loop, or that a called function may keep or return, stays.
 */
export const deallocateBuffers = (rewriter: Rewriter, root: DraftOperation): void => {
  const borrows = borrowing(rewriter);
  for (const operation of rewriter.walk(root)) {
    const { block } = operation;
    const last = block?.last;
    if (!alloc.is(operation) || last === undefined) continue;
    const flow = bufferFlow(rewriter, operation.results[0]!);
    if (!isOnlyLent(flow, borrows) || isFreed(rewriter, flow)) continue;
    rewriter.setInsertionPointBefore(last);
    builder(rewriter)(dealloc, { memref: operation.results[0]! });
  }
};

/** Whether a called function neither keeps nor returns the buffers at these positions. */
type Borrows = (operation: DraftOperation, flow: BufferFlow) => boolean;

/** Whether a buffer is only viewed where it is allocated, and by the functions that it is passed to. */
const isOnlyLent = (flow: BufferFlow, borrows: Borrows): boolean =>
  flow.isOnlyViewed && flow.keepers.every((each) => borrows(each, flow));

const borrowing = (rewriter: Rewriter): Borrows => {
  const functions = new Map(
    children(rewriter.root).flatMap((each) => (funcOp.is(each) ? [[symbolNameOf(each), each] as const] : [])),
  );
  const known = new Map<string, boolean>();
  const borrows: Borrows = (operation, { values }) => {
    const callee = call.is(operation) ? functions.get(call.attributes(operation).callee) : undefined;
    if (callee?.regions[0]?.blocks.length !== 1) return false;
    return operation.operands.every(({ id }, i) => {
      if (values.every((value) => value.id !== id)) return true;
      const key = `${callee.id} ${i}`;
      const lent = known.get(key);
      if (lent !== undefined) return lent;
      // For recursive calls.
      known.set(key, false);
      const flow = bufferFlow(rewriter, bodyOf(rewriter.find(callee.id)).arguments[i]!);
      known.set(key, isOnlyLent(flow, borrows));
      return known.get(key)!;
    });
  };
  return borrows;
};
