/** The transform ops of this package: recording functions, and a list for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { applyCse } from './transforms/apply-cse.ts';
import { applyDce } from './transforms/apply-dce.ts';
import { applyLicm } from './transforms/apply-licm.ts';
import { applyPatterns, patternSets } from './transforms/apply-patterns.ts';
import { eraseDeadAllocAndStores } from './transforms/erase-dead-alloc-and-stores.ts';
import { hoistLoopInvariantSubsets } from './transforms/hoist-loop-invariant-subsets.ts';
import { hoistRedundantVectorBroadcasts } from './transforms/hoist-redundant-vector-broadcasts.ts';
import { hoistRedundantVectorTransfers } from './transforms/hoist-redundant-vector-transfers.ts';
import { simplifyBoundedAffineOps } from './transforms/simplify-bounded-affine-ops.ts';

export {
  applyCse,
  applyDce,
  applyLicm,
  applyPatterns,
  eraseDeadAllocAndStores,
  hoistLoopInvariantSubsets,
  hoistRedundantVectorBroadcasts,
  hoistRedundantVectorTransfers,
  patternSets,
  simplifyBoundedAffineOps,
};
export type { PatternSet } from './transforms/apply-patterns.ts';

export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [
  applyPatterns,
  applyCse,
  applyDce,
  applyLicm,
  simplifyBoundedAffineOps,
  eraseDeadAllocAndStores,
  hoistRedundantVectorTransfers,
  hoistRedundantVectorBroadcasts,
  hoistLoopInvariantSubsets,
];
