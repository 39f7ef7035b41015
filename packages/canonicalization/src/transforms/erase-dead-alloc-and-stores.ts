/** `transform.memref.erase_dead_alloc_and_stores`. */
import { success } from '@sconv/diagnostics';
import { defineTransformOp, functional, reads } from '@sconv/transform';
import { eraseDeadAllocations, forwardTransfers } from '../dead-stores.ts';

/**
 * `transform.memref.erase_dead_alloc_and_stores`: forwards stored vectors to loads, and erases buffers that are never
 * read, with the writes to them.
 */
export const eraseDeadAllocAndStores = defineTransformOp({
  name: 'transform.memref.erase_dead_alloc_and_stores',
  summary:
    'Forwards stored vectors to loads, and erases buffers that are never read, with the writes to them.',
  operands: { target: reads('the ops to clean up') },
  assembly: functional(),
  apply: ({ rewriter }, { target }) => {
    for (const operation of target) {
      forwardTransfers(rewriter, operation);
      eraseDeadAllocations(rewriter, operation);
    }
    return success({});
  },
});
