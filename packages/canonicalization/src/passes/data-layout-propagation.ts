/** The pass `test-linalg-data-layout-propagation`. */
import { applyPatternsGreedily, defineOperationPass } from '@sconv/ir';
import { dataLayoutPropagationPatterns } from '../layouts/data-layout-propagation.ts';
import { simplifyRegions } from '../simplify-regions.ts';

/** Moves packings through what they pack or unpack, wherever they can; fails where that does not end. */
export const dataLayoutPropagation = defineOperationPass({
  name: 'test-linalg-data-layout-propagation',
  title: 'TestDataLayoutPropagationPass',
  summary: 'move tensor.pack up and tensor.unpack down',
  runOn: (rewriter, operation) =>
    applyPatternsGreedily(rewriter, [operation], dataLayoutPropagationPatterns(), {
      topDown: false,
      afterRound: (_, parts) => {
        for (const part of parts) simplifyRegions(rewriter, part, { mergeBlocks: true });
      },
    }),
});
