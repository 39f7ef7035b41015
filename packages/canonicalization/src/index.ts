export { dataLayoutPropagationPatterns } from './layouts/data-layout-propagation.ts';
export { furtherLayoutPatterns } from './layouts/further-propagation.ts';
export type { PropagationControl, PropagationPlace } from './layouts/propagation-control.ts';
export { affineSimplifyStructures } from './passes/affine-simplify-structures.ts';
export { canonicalize } from './passes/canonicalize.ts';
export { cse, eliminateCommonSubexpressions } from './passes/cse.ts';
export {
  expandStridedMetadata,
  expandStridedMetadataPatterns,
  expandView,
} from './passes/expand-strided-metadata.ts';
export { aliasPatterns, foldMemrefAliasOps } from './passes/fold-memref-alias-ops.ts';
export { dataLayoutPropagation } from './passes/data-layout-propagation.ts';
export { inline } from './passes/inline.ts';
export { hoistInvariants, loopInvariantCodeMotion } from './passes/loop-invariant-code-motion.ts';
export { lowerAffine, lowerDelinearize } from './passes/lower-affine.ts';
export { loopPatterns, scfForLoopCanonicalization } from './passes/scf-for-loop-canonicalization.ts';
export { sccp } from './passes/sccp.ts';
export { symbolDce } from './passes/symbol-dce.ts';
export { canonicalizationPatterns } from './patterns.ts';
export { insertOfExpanded } from './patterns/merge-slices.ts';
export { passes } from './passes.ts';
export { simplifyRegions } from './simplify-regions.ts';
