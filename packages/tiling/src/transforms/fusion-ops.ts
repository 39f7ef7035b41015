/** Ops that tile in other ways than `tile_using_for` and `tile_using_forall`; most have no behaviour yet. */
import { fuse, fuseIntoContaining } from './fuse.ts';
import { continuousTileSizes, multitileSizes, scalarize } from './sizes.ts';
import { i64ArrayAttribute, optionalAttribute, withDefault } from '@sconv/ir';
import {
  consumes,
  defineTransformOp,
  functional,
  mappingAttribute,
  produces,
  producesAll,
} from '@sconv/transform';

/** What tiling a reduction makes. */
const reductionResults = {
  fillOp: producesAll('what fills the parts'),
  splitLinalgOp: produces('the tile'),
  combiningLinalgOp: produces('what combines the parts'),
} as const;

export const tileReductionUsingFor = defineTransformOp({
  name: 'transform.structured.tile_reduction_using_for',
  summary: 'Tiles a reduction with loops that keep a tile of partial results.',
  operands: { target: consumes('reductions') },
  attributes: { tileSizes: withDefault(i64ArrayAttribute, []) },
  results: { ...reductionResults, forOp: produces('the loop') },
  variadicResults: () => 1,
  assembly: {
    format: '$target `by` `tile_sizes` `=` $tile_sizes attr-dict `:` functional-type(operands, results)',
  },
});

export const tileReductionUsingForall = defineTransformOp({
  name: 'transform.structured.tile_reduction_using_forall',
  summary: 'Tiles a reduction with a parallel loop, each iteration of which has partial results of its own.',
  operands: { target: consumes('reductions') },
  attributes: {
    numThreads: withDefault(i64ArrayAttribute, []),
    tileSizes: withDefault(i64ArrayAttribute, []),
    mapping: optionalAttribute(mappingAttribute),
  },
  results: { ...reductionResults, forallOp: produces('the loop') },
  variadicResults: () => 1,
  assembly: {
    format:
      '$target `by` (`num_threads` `=` $num_threads^)? (`,` `tile_sizes` `=` $tile_sizes^)? (`,` `mapping` `=` $mapping^)? attr-dict `:` functional-type(operands, results)',
  },
});

export const convertToLoops = defineTransformOp({
  name: 'transform.structured.convert_to_loops',
  summary: 'Makes the target loops over scalars.',
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
