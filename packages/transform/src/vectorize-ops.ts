/** Ops that hoist vector transfers. */
import { defineTransformOp } from './define-transform-op.ts';
import { consumes, produces } from './handle-specs.ts';
import { functional } from './forms.ts';

export const hoistBroadcasts = defineTransformOp({
  name: 'transform.structured.hoist_redundant_vector_broadcasts',
  summary: 'Hoists loop-invariant broadcasts out of loops.',
  operands: { target: consumes('functions') },
  results: { transformed: produces('the rewritten target') },
  assembly: functional(),
});

export const vectorizeOps = [hoistBroadcasts];
