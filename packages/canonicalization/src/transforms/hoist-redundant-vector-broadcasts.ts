/** `transform.structured.hoist_redundant_vector_broadcasts`. */
import { success } from '@sconv/diagnostics';
import { consumes, defineTransformOp, functional, produces } from '@sconv/transform';
import { hoistBroadcasts } from '../hoist-broadcasts.ts';

/** `transform.structured.hoist_redundant_vector_broadcasts`: lets loops carry vectors instead of their broadcasts. */
export const hoistRedundantVectorBroadcasts = defineTransformOp({
  name: 'transform.structured.hoist_redundant_vector_broadcasts',
  summary: 'Lets loops carry vectors instead of their broadcasts.',
  operands: { target: consumes('where to look') },
  results: { transformed: produces('the rewritten target') },
  assembly: functional(),
  apply: ({ rewriter }, { target }) => {
    for (const operation of target) hoistBroadcasts(rewriter, operation);
    return success({ transformed: target });
  },
});
