/** `tileReductionUsingForOp` and `tileReductionUsingForallOp` as transforms. */
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, mapSuccess } from '@sconv/diagnostics';
import type { DraftOperation } from '@sconv/ir';
import { i64ArrayAttribute, optionalAttribute, withDefault } from '@sconv/ir';
import {
  consumes,
  defineTransformOp,
  mappingAttribute,
  notImplemented,
  produces,
  producesAll,
} from '@sconv/transform';
import { partialReductionFailures } from '../partial-reduction.ts';
import type { TileReductionResult } from '../tile-reduction-using-for-op.ts';
import { tileReductionUsingForOp } from '../tile-reduction-using-for-op.ts';
import { tileReductionUsingForallOp } from '../tile-reduction-using-forall-op.ts';
import { slicingFailures } from './slicing-failures.ts';

/** What tiling a reduction makes. */
const results = {
  fillOp: producesAll('the ops that initialize the partial results'),
  splitLinalgOp: produces('the tile'),
  combiningLinalgOp: produces('the ops that combine the partial results'),
} as const;

const failures = {
  ...partialReductionFailures,
  'reduction/sizes': {
    mode: 'silenceable',
    when: 'there are more numbers than loops, one is negative, or that of a reduction dimension is 0',
  },
  'tile/unsound-slice': slicingFailures['tile/unsound-slice'],
} as const;

const reductionsOf = (
  targets: readonly DraftOperation[],
  tile: (target: DraftOperation) => Diagnosed<TileReductionResult>,
) =>
  mapSuccess(collect(targets, tile), (made) => ({
    fillOp: (made[0]?.fills ?? [undefined]).map((_, i) => made.map(({ fills }) => fills[i]!)),
    splitLinalgOp: made.map(({ tiled }) => tiled),
    combiningLinalgOp: made.map(({ merging }) => merging),
    loop: made.map(({ loop }) => loop),
  }));

/** `transform.structured.tile_reduction_using_for`. */
export const tileReductionUsingFor = defineTransformOp({
  name: 'transform.structured.tile_reduction_using_for',
  summary: 'Tiles a reduction with loops that carry a tile of partial results.',
  operands: { target: consumes('reductions') },
  attributes: { tileSizes: withDefault(i64ArrayAttribute, []) },
  results: { ...results, forOp: produces('the outermost loop') },
  variadicResults: () => 1,
  failures,
  assembly: {
    format: '$target `by` `tile_sizes` `=` $tile_sizes attr-dict `:` functional-type(operands, results)',
  },
  apply: ({ rewriter }, { target }, { tileSizes }) =>
    mapSuccess(
      reductionsOf(target, (operation) => tileReductionUsingForOp(rewriter, operation, tileSizes)),
      ({ loop, ...made }) => ({ ...made, forOp: loop }),
    ),
});

/** `transform.structured.tile_reduction_using_forall`. */
export const tileReductionUsingForall = defineTransformOp({
  name: 'transform.structured.tile_reduction_using_forall',
  summary: 'Tiles a reduction with a parallel loop; each iteration has its own partial results.',
  operands: { target: consumes('reductions') },
  attributes: {
    numThreads: withDefault(i64ArrayAttribute, []),
    tileSizes: withDefault(i64ArrayAttribute, []),
    mapping: optionalAttribute(mappingAttribute),
  },
  results: { ...results, forallOp: produces('the loop') },
  variadicResults: () => 1,
  failures: {
    ...failures,
    'reduction/one': {
      mode: 'silenceable',
      when: 'there is not exactly one output and one reduction dimension',
    },
    'tile/out-of-bounds': slicingFailures['tile/out-of-bounds'],
    'tile/race': { mode: 'silenceable', when: 'threads would write the same partial results' },
  },
  assembly: {
    format:
      '$target `by` (`num_threads` `=` $num_threads^)? (`,` `tile_sizes` `=` $tile_sizes^)? (`,` `mapping` `=` $mapping^)? attr-dict `:` functional-type(operands, results)',
  },
  apply: ({ rewriter, location }, { target }, { numThreads, tileSizes, mapping }) => {
    if (tileSizes.length > 0) return notImplemented('tiles that threads take in turns', location);
    return mapSuccess(
      reductionsOf(target, (operation) =>
        tileReductionUsingForallOp(rewriter, operation, numThreads, mapping),
      ),
      ({ loop, ...made }) => ({ ...made, forallOp: loop }),
    );
  },
});
