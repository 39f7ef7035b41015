/** Vectorizes all structured ops in a target. */
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, definite, error, mapSuccess } from '@sconv/diagnostics';
import { simplifyRegions } from '@sconv/canonicalization';
import { transferPatterns } from '@sconv/canonicalization/matching';
import { isStructured } from '@sconv/dialects/linalg';
import type { DraftOperation, Id, RewritePattern, Rewriter } from '@sconv/ir';
import { applyPatternsGreedily, hasTrait, unitAttributeKind, walk } from '@sconv/ir';
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
  warnings: { 'vectorize-children/left': 'structured ops are left as they are: the notes say why' },
  assembly: functional(),
  apply: ({ rewriter, location, warn }, { target }, options) => {
    const reasons = new Map<Id, string>();
    const patterns: readonly RewritePattern[] = [
      ...(options.disableTransferPermutationMapLoweringPatterns ? [] : transferPermutationPatterns),
      ...(options.disableMultiReductionToContractPatterns ? [] : reductionToContractPatterns),
      ...sinkBroadcastPatterns,
      ...forwardingPatterns,
      ...transferPatterns,
      ...slicePatterns,
      ...copyPatterns,
      ...(options.vectorizePadding ? padPatterns : []),
      vectorizeAny(reasons, {
        vectorizeNdExtract: options.vectorizeNdExtract,
        flattenDepthwise: options.flatten_1d_depthwise_conv,
      }),
    ];
    const warnOfLeft = (each: DraftOperation): void => {
      const left = [...walk(each)].filter(({ id }) => reasons.has(id));
      if (left.length === 0) return;
      const notes = left
        .slice(0, mostListed)
        .map(({ id, location }) => ({ message: reasons.get(id)!, location }));
      const message = left.length === 1 ? 'a structured op is' : `${left.length} structured ops are`;
      warn('vectorize-children/left', `${message} not vectorized`, notes);
    };
    return mapSuccess(
      collect(target, (each): Diagnosed<undefined> => {
        if (hasTrait(rewriter.registry, each, 'isolated-from-above'))
          return mapSuccess(applyIn(rewriter, each, patterns), () => {
            warnOfLeft(each);
            return undefined;
          });
        const note = { message: 'non-isolated target', location: each.location };
        return definite(
          error('vectorize-children/not-isolated', 'requires isolated-from-above targets', location, [note]),
        );
      }),
      () => ({ transformed: target }),
    );
  },
});

/** The most operations that a warning lists. */
const mostListed = 8;

/** Vectorizes any structured op that supports it; notes for the others why they do not. */
const vectorizeAny = (reasons: Map<Id, string>, options: VectorizeOptions): RewritePattern => ({
  name: 'vectorize',
  rewrite: (rewriter, operation) => {
    if (!isStructured(rewriter.registry, operation)) return;
    const [problem] = vectorizeOp(rewriter, operation, options).diagnostics;
    if (problem === undefined) reasons.delete(operation.id);
    else reasons.set(operation.id, `'${operation.name}': ${problem.message}`);
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
