/** Ops that make vectors of structured operations, and what is done to the vectors. */
import { unitAttributeKind } from '@sconv/ir';
import { consumes, defineTransformOp, produces } from './define-transform-op.ts';
import { functional } from './forms.ts';

export const vectorizeChildren = defineTransformOp({
  name: 'transform.structured.vectorize_children_and_apply_patterns',
  summary: 'Makes all structured ops in the target operate on vectors, and tidies what comes of it.',
  operands: { target: consumes('what is isolated from above') },
  attributes: {
    vectorizePadding: unitAttributeKind,
    vectorizeNdExtract: unitAttributeKind,
    flatten_1d_depthwise_conv: unitAttributeKind,
    disableMultiReductionToContractPatterns: unitAttributeKind,
    disableTransferPermutationMapLoweringPatterns: unitAttributeKind,
  },
  results: { transformed: produces('the target afterwards') },
  assembly: functional(),
});

export const hoistBroadcasts = defineTransformOp({
  name: 'transform.structured.hoist_redundant_vector_broadcasts',
  summary: 'Moves broadcasts of the same value in each iteration out of loops.',
  operands: { target: consumes('functions') },
  results: { transformed: produces('the target afterwards') },
  assembly: functional(),
});

export const vectorizeOps = [vectorizeChildren, hoistBroadcasts];
