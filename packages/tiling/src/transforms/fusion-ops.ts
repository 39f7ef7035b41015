/** Tiling ops other than `tile_using_for` and `tile_using_forall`. */
import { fuse, fuseIntoContaining } from './fuse.ts';
import { continuousTileSizes, multitileSizes, scalarize } from './sizes.ts';
import { tileReductionUsingFor, tileReductionUsingForall } from './tile-reduction.ts';

export const fusionOps = [
  fuse,
  fuseIntoContaining,
  multitileSizes,
  scalarize,
  continuousTileSizes,
  tileReductionUsingFor,
  tileReductionUsingForall,
];
