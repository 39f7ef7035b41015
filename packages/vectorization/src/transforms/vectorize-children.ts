/** Vectorizes all structured ops in a target. */
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, definite, error, mapSuccess } from '@sconv/diagnostics';
import { simplifyRegions } from '@sconv/canonicalization';
import { transferPatterns } from '@sconv/canonicalization/matching';
import { isStructured } from '@sconv/dialects/linalg';
import type { DraftOperation, RewritePattern, Rewriter } from '@sconv/ir';
import { applyPatternsGreedily, hasTrait, unitAttributeKind } from '@sconv/ir';
import { consumes, defineTransformOp, functional, produces } from '@sconv/transform';
import { reductionToContractPatterns, sinkBroadcastPatterns } from '../contraction-patterns.ts';
import { copyPatterns, forwardingPatterns } from '../copy-patterns.ts';
import { padPatterns } from '../pad-patterns.ts';
import { slicePatterns } from '../slice-patterns.ts';
import { transferPermutationPatterns } from '../transfer-permutation.ts';
import type { VectorizeOptions } from '../vectorize-op.ts';
import { vectorizeOp } from '../vectorize-op.ts';

/** `transform.structured.vectorize_children_and_apply_patterns`. */
export const vectorizeChildren = defineTransformOp({
  name: 'transform.structured.vectorize_children_and_apply_patterns',
  summary: 'Vectorizes all structured ops in the target, and cleans up the result.',
  operands: { target: consumes('ops isolated from above') },
  attributes: {
    vectorizePadding: unitAttributeKind,
    vectorizeNdExtract: unitAttributeKind,
    flatten_1d_depthwise_conv: unitAttributeKind,
    disableMultiReductionToContractPatterns: unitAttributeKind,
    disableTransferPermutationMapLoweringPatterns: unitAttributeKind,
  },
  results: { transformed: produces('the rewritten target') },
  failures: {
    'vectorize-children/not-isolated': { mode: 'definite', when: 'a target is not isolated from above' },
  },
  assembly: functional(),
  apply: ({ rewriter, location }, { target }, options) => {
    const patterns: readonly RewritePattern[] = [
      ...(options.disableTransferPermutationMapLoweringPatterns ? [] : transferPermutationPatterns),
      ...(options.disableMultiReductionToContractPatterns ? [] : reductionToContractPatterns),
      ...sinkBroadcastPatterns,
      ...forwardingPatterns,
      ...transferPatterns,
      ...slicePatterns,
      ...copyPatterns,
      ...(options.vectorizePadding ? padPatterns : []),
      vectorizeAny({
        vectorizeNdExtract: options.vectorizeNdExtract,
        flattenDepthwise: options.flatten_1d_depthwise_conv,
      }),
    ];
    return mapSuccess(
      collect(target, (each): Diagnosed<undefined> => {
        if (hasTrait(rewriter.registry, each, 'isolated-from-above'))
          return applyIn(rewriter, each, patterns);
        const note = { message: 'non-isolated target', location: each.location };
        return definite(
          error('vectorize-children/not-isolated', 'requires isolated-from-above targets', location, [note]),
        );
      }),
      () => ({ transformed: target }),
    );
  },
});

/** Vectorizes any structured op that supports it. */
const vectorizeAny = (options: VectorizeOptions): RewritePattern => ({
  name: 'vectorize',
  rewrite: (rewriter, operation) => {
    if (isStructured(rewriter.registry, operation)) vectorizeOp(rewriter, operation, options);
  },
});

const applyIn = (
  rewriter: Rewriter,
  target: DraftOperation,
  patterns: readonly RewritePattern[],
): Diagnosed<undefined> => {
  const result = applyPatternsGreedily(rewriter, [target], patterns, {
    topDown: false,
    afterRound: (_, parts) => {
      for (const part of parts) simplifyRegions(rewriter, part, { mergeBlocks: true });
    },
  });
  return mapSuccess(result, () => undefined);
};
