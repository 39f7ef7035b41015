/** The passes of this package, for a registry. */
import { insertOfExpanded } from '@sconv/canonicalization';
import { mapSuccess } from '@sconv/diagnostics';
import { applyPatternsGreedily, defineOperationPass } from '@sconv/ir';
import { slicePatterns } from './slice-patterns.ts';

/** Accesses of slices as accesses of the whole tensors. */
export const passes = [
  defineOperationPass({
    name: 'fold-tensor-subset-ops',
    title: 'FoldTensorSubsetOps',
    summary: 'fold slices into transfers of vectors, and into insertions',
    runOn: (rewriter, operation) =>
      mapSuccess(
        applyPatternsGreedily(rewriter, [operation], [...slicePatterns, ...insertOfExpanded]),
        () => undefined,
      ),
  }),
] as const;
