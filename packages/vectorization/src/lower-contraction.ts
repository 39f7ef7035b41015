/**
 * Lowers contractions to outer products, dot products, elementwise products or `vector.matrix_multiply`; those of more
 * dimensions are unrolled first: upstream's `populateVectorContractLoweringPatterns`.
 *
 *     for each k:  sum = outerproduct lhs[:, k], rhs[k, :], sum
 */
import { onOp } from '@sconv/canonicalization/matching';
import { contract } from '@sconv/dialects/vector';
import type { RewritePattern } from '@sconv/ir';
import type { ContractionStrategy } from './contraction-strategies.ts';
import { byStrategy } from './contraction-strategies.ts';
import { contractionOf } from './contraction.ts';
import { unrollContraction } from './unroll-contraction.ts';

/** The patterns that lower contractions with one strategy, as far as it applies. */
export const contractionPatterns = (strategy: ContractionStrategy): readonly RewritePattern[] => [
  onOp(contract, 'lower-contraction', (rewriter, operation) => {
    const contraction = contractionOf(operation);
    const root = contraction.mask === undefined ? operation : operation.parent!;
    const made = rewriter.scoped(() => {
      rewriter.setInsertionPointBefore(root);
      return byStrategy[strategy](rewriter, contraction) ?? unrollContraction(rewriter, contraction);
    });
    if (made !== undefined) rewriter.replaceOperation(root, [made]);
  }),
];
