/** The passes of this package, for a registry. */
import { affineExpandIndexOps } from './passes/affine-expand-index-ops.ts';
import { affineSimplifyStructures } from './passes/affine-simplify-structures.ts';
import { canonicalize } from './passes/canonicalize.ts';
import { cse } from './passes/cse.ts';
import { dataLayoutPropagation } from './passes/data-layout-propagation.ts';
import { decomposeAffineOps } from './passes/decompose-affine-ops.ts';
import { expandStridedMetadata } from './passes/expand-strided-metadata.ts';
import { foldMemrefAliasOps } from './passes/fold-memref-alias-ops.ts';
import { inline } from './passes/inline.ts';
import { loopInvariantCodeMotion } from './passes/loop-invariant-code-motion.ts';
import { lowerAffine } from './passes/lower-affine.ts';
import { sccp } from './passes/sccp.ts';
import { scfForLoopCanonicalization } from './passes/scf-for-loop-canonicalization.ts';
import { symbolDce } from './passes/symbol-dce.ts';

export const passes = [
  canonicalize,
  cse,
  sccp,
  symbolDce,
  inline,
  loopInvariantCodeMotion,
  affineSimplifyStructures,
  affineExpandIndexOps,
  decomposeAffineOps,
  foldMemrefAliasOps,
  expandStridedMetadata,
  scfForLoopCanonicalization,
  lowerAffine,
  dataLayoutPropagation,
] as const;
