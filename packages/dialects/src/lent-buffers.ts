/** Whether the functions that a buffer is passed to give it back. */
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { bodyOf, children, symbolNameOf } from '@sconv/ir';
import { call, funcOp } from './func.ts';
import type { BufferFlow } from './memory-flow.ts';
import { bufferFlow } from './memory-flow.ts';

/**
 * A predicate: whether nobody keeps a reference to a buffer. The functions that it is passed to neither keep nor return
 * it, or a choice of it and others; recursive functions and those without a body may.
 */
export const lentBuffers = (rewriter: Rewriter): ((flow: BufferFlow) => boolean) => {
  const functions = new Map(
    children(rewriter.root).flatMap((each) => (funcOp.is(each) ? [[symbolNameOf(each), each] as const] : [])),
  );
  const known = new Map<string, boolean>();
  const isLent = (flow: BufferFlow): boolean => flow.keepers.every((each) => borrows(each, flow));
  const borrows = (operation: DraftOperation, { values }: BufferFlow): boolean => {
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
      known.set(key, flow.isOnlyViewed && isLent(flow));
      return known.get(key)!;
    });
  };
  return isLent;
};
