/** Tiling ops other than `tile_using_for` and `tile_using_forall`; most have no implementation yet. */
import { fuse, fuseIntoContaining } from './fuse.ts';
import { continuousTileSizes, multitileSizes, scalarize } from './sizes.ts';
import { consumes, defineTransformOp, functional, produces } from '@sconv/transform';
import { tileReductionUsingFor, tileReductionUsingForall } from './tile-reduction.ts';

export const convertToLoops = defineTransformOp({
  name: 'transform.structured.convert_to_loops',
  summary: 'Converts the target to loops over scalars.',
  operands: { target: consumes('ops that can be tiled') },
  results: { result: produces('the loops') },
  assembly: functional(),
});

export const fusionOps = [
  fuse,
  fuseIntoContaining,
  multitileSizes,
  scalarize,
  continuousTileSizes,
  tileReductionUsingFor,
  tileReductionUsingForall,
  convertToLoops,
];
