/** The pass `canonicalize`. */
import { success } from '@sconv/diagnostics';
import {
  applyPatternsGreedily,
  choiceOption,
  defineOperationPass,
  flagOption,
  integerOption,
  listOption,
} from '@sconv/ir';
import { canonicalizationPatterns } from '../patterns.ts';
import { simplifyRegions } from '../simplify-regions.ts';

const unlimited = (limit: number): number => (limit < 0 ? Infinity : limit);

/**
 * Folds, erases dead code and applies the patterns of all dialects to a fixed point. Without convergence the IR stays
 * as far as it got, unless `test-convergence` turns that into a failure (`greedy/not-converged`).
 */
export const canonicalize = defineOperationPass({
  name: 'canonicalize',
  title: 'Canonicalizer',
  summary: 'fold, erase dead code, and apply the canonicalization patterns',
  options: {
    topDown: flagOption('begin with the first operation', true),
    regionSimplify: choiceOption('what is done with blocks', ['normal', 'disabled', 'aggressive']),
    maxIterations: integerOption('rounds at most; -1 for no limit (default: 10)', 10),
    maxNumRewrites: integerOption('rewrites at most; -1 for no limit (default: -1)', -1),
    testConvergence: flagOption('fail where the limits are reached'),
    disablePatterns: listOption('patterns to leave out, separated by commas'),
    enablePatterns: listOption('patterns to use, separated by commas; all if there are none'),
  },
  runOn: (rewriter, operation, options) => {
    const { disablePatterns, enablePatterns, regionSimplify } = options;
    const patterns = canonicalizationPatterns.filter(
      ({ name }) =>
        !disablePatterns.includes(name) && (enablePatterns.length === 0 || enablePatterns.includes(name)),
    );
    const result = applyPatternsGreedily(rewriter, [operation], patterns, {
      maxRounds: unlimited(options.maxIterations),
      maxRewrites: unlimited(options.maxNumRewrites),
      topDown: options.topDown,
      ...(regionSimplify === 'disabled'
        ? {}
        : {
            afterRound: (_, parts) => {
              for (const part of parts)
                simplifyRegions(rewriter, part, { mergeBlocks: regionSimplify === 'aggressive' });
            },
          }),
    });
    return result.status === 'silenceable' && !options.testConvergence ? success(undefined) : result;
  },
});
