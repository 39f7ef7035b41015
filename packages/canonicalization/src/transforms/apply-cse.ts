/** `transform.apply_cse`. */
import { success } from '@sconv/diagnostics';
import { appliedToItself, defineTransformOp, itselfFailures, reads, typedTo } from '@sconv/transform';
import { eliminateCommonSubexpressions } from '../passes/cse.ts';

/** `transform.apply_cse`: eliminates common subexpressions in the target. */
export const applyCse = defineTransformOp({
  name: 'transform.apply_cse',
  summary: 'Eliminates common subexpressions in the target.',
  operands: { target: reads('the ops to clean up') },
  failures: itselfFailures,
  assembly: typedTo,
  apply: (context, { target }) => {
    const itself = appliedToItself(context, target);
    if (itself !== undefined) return itself;
    for (const each of target) eliminateCommonSubexpressions(context.rewriter, each);
    return success({});
  },
});
