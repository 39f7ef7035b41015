/** The transform ops of this package: recording functions, and a list for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { fuse, fuseIntoContaining } from './transforms/fuse.ts';
import { fuseEpilogue } from './transforms/fuse-epilogue.ts';
import { continuousTileSizes, multitileSizes, scalarize } from './transforms/sizes.ts';
import { fusionOps } from './transforms/fusion-ops.ts';
import { loopOps, makeMemrefLoopIndependent, makeTensorLoopIndependent } from './transforms/loop-ops.ts';
import { gatherOperand } from './transforms/gather-operand.ts';
import { tileReductionUsingFor, tileReductionUsingForall } from './transforms/tile-reduction.ts';
import { tileUsingFor } from './transforms/tile-using-for.ts';
import { tileUsingForall } from './transforms/tile-using-forall.ts';
import { swapInductionVars } from './transforms/swap-induction-vars.ts';

export {
  tileReductionUsingFor,
  tileReductionUsingForall,
  fuse,
  fuseIntoContaining,
  fuseEpilogue,
  continuousTileSizes,
  multitileSizes,
  scalarize,
  gatherOperand,
  tileUsingFor,
  tileUsingForall,
  swapInductionVars,
  makeTensorLoopIndependent,
  makeMemrefLoopIndependent,
};

/** In pipeline order, then upstream's. */
export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [
  gatherOperand,
  tileUsingFor,
  tileUsingForall,
  swapInductionVars,
  fuseEpilogue,
  ...fusionOps,
  ...loopOps,
];
