/** The pass `linalg-generalize-named-ops`. */
import { success } from '@sconv/diagnostics';
import { defineOperationPass } from '@sconv/ir';
import { generalizeOp } from './generalize-op.ts';

/** Generalizes every named structured op; those that cannot be generalized stay. */
export const generalizePass = defineOperationPass({
  name: 'linalg-generalize-named-ops',
  title: 'LinalgGeneralizeNamedOpsPass',
  summary: 'generalize named structured operations',
  runOn: (rewriter, operation) => {
    for (const each of rewriter.walk(operation)) {
      if (each.name.startsWith('linalg.') && each.name !== 'linalg.generic') generalizeOp(rewriter, each);
    }
    return success(undefined);
  },
});
