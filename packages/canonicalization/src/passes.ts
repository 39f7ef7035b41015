/** The passes of this package, for a registry. */
import { affineSimplifyStructures } from './passes/affine-simplify-structures.ts';
import { canonicalize } from './passes/canonicalize.ts';
import { cse } from './passes/cse.ts';
import { expandStridedMetadata } from './passes/expand-strided-metadata.ts';
import { foldMemrefAliasOps } from './passes/fold-memref-alias-ops.ts';

export const passes = [
  canonicalize,
  cse,
  affineSimplifyStructures,
  foldMemrefAliasOps,
  expandStridedMetadata,
] as const;
