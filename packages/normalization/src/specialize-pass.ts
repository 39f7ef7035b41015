/** The pass `linalg-specialize-generic-ops`. */
import { generic } from '@sconv/dialects/linalg';
import { success } from '@sconv/diagnostics';
import { defineOperationPass } from '@sconv/ir';
import { specializeOp } from './specialize-op.ts';

/** Gives every `linalg.generic` the name of what it computes; what has none stays. */
export const specializePass = defineOperationPass({
  name: 'linalg-specialize-generic-ops',
  title: 'LinalgSpecializeGenericOpsPass',
  summary: 'specialize linalg.generic to named structured operations',
  runOn: (rewriter, operation) => {
    for (const each of rewriter.walk(operation)) if (generic.is(each)) specializeOp(rewriter, each);
    return success(undefined);
  },
});
