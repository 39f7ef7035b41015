/** `transform.structured.hoist_redundant_vector_transfers`. */
import { success, wrongOpKind } from '@sconv/diagnostics';
import { funcOp } from '@sconv/dialects/func';
import { consumes, defineTransformOp, functional, produces } from '@sconv/transform';
import { hoistTransfers } from '../hoist-transfers.ts';

/**
 * `transform.structured.hoist_redundant_vector_transfers`: hoists loop-invariant vector reads and writes out of
 * loops.
 */
export const hoistRedundantVectorTransfers = defineTransformOp({
  name: 'transform.structured.hoist_redundant_vector_transfers',
  summary: 'Hoists loop-invariant vector reads and writes out of loops.',
  operands: { target: consumes('functions', 'func.func') },
  results: { transformed: produces('the rewritten target', 'func.func') },
  failures: { 'hoist-transfers/no-function': { mode: 'silenceable', when: 'a target is not a function' } },
  assembly: functional(),
  apply: ({ rewriter }, { target }) => {
    for (const operation of target) {
      if (!funcOp.is(operation)) return wrongOpKind('hoist-transfers/no-function', operation);
      hoistTransfers(rewriter, operation);
    }
    return success({ transformed: target });
  },
});
