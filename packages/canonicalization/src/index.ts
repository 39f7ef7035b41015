export { affineSimplifyStructures } from './passes/affine-simplify-structures.ts';
export { canonicalize } from './passes/canonicalize.ts';
export { cse, eliminateCommonSubexpressions } from './passes/cse.ts';
export { expandStridedMetadata, expandStridedMetadataPatterns } from './passes/expand-strided-metadata.ts';
export { aliasPatterns, foldMemrefAliasOps } from './passes/fold-memref-alias-ops.ts';
export { canonicalizationPatterns } from './patterns.ts';
export { passes } from './passes.ts';
export { simplifyRegions } from './simplify-regions.ts';
