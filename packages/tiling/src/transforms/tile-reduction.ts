/** `tileReductionUsingForOp` and `tileReductionUsingForallOp` as transforms. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, mapSuccess, silenceableError, success } from '@sconv/diagnostics';
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
import {
  largeSizeWarnings,
  manyThreadsWarnings,
  warnOfLargeSizes,
  warnOfManyThreads,
} from './large-sizes.ts';
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
  'reduction/results': {
    mode: 'silenceable',
    when: 'the number of results does not fit the number of outputs of a target',
  },
  'tile/unsound-slice': slicingFailures['tile/unsound-slice'],
} as const;

/** The number of results besides those for fills. */
const otherResults = 3;

const reductionsOf = (
  targets: readonly DraftOperation[],
  resultCount: number,
  tile: (target: DraftOperation) => Diagnosed<TileReductionResult>,
) => {
  const tiled = collect(targets, (target) =>
    andThen(tile(target), (made) => {
      const count = made.fills.length + otherResults;
      if (count === resultCount) return success(made);
      const message = `expected to produce ${resultCount} results (actually produced ${count})`;
      return silenceableError('reduction/results', message, target);
    }),
  );
  return mapSuccess(tiled, (made) => ({
    fillOp: Array.from({ length: resultCount - otherResults }, (_, i) => made.map(({ fills }) => fills[i]!)),
    splitLinalgOp: made.map(({ tiled }) => tiled),
    combiningLinalgOp: made.map(({ merging }) => merging),
    loop: made.map(({ loop }) => loop),
  }));
};

/** `transform.structured.tile_reduction_using_for`. */
export const tileReductionUsingFor = defineTransformOp({
  name: 'transform.structured.tile_reduction_using_for',
  summary: 'Tiles a reduction with loops that carry a tile of partial results.',
  operands: { target: consumes('reductions') },
  attributes: { tileSizes: withDefault(i64ArrayAttribute, []) },
  results: { ...results, forOp: produces('the outermost loop') },
  variadicResults: () => 1,
  failures,
  warnings: largeSizeWarnings,
  assembly: {
    format: '$target `by` `tile_sizes` `=` $tile_sizes attr-dict `:` functional-type(operands, results)',
  },
  apply: ({ rewriter, resultCount, warn }, { target }, { tileSizes }) => {
    warnOfLargeSizes({ rewriter, warn }, target, tileSizes);
    return mapSuccess(
      reductionsOf(target, resultCount, (operation) =>
        tileReductionUsingForOp(rewriter, operation, tileSizes),
      ),
      ({ loop, ...made }) => ({ ...made, forOp: loop }),
    );
  },
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
  warnings: manyThreadsWarnings,
  assembly: {
    format:
      '$target `by` (`num_threads` `=` $num_threads^)? (`,` `tile_sizes` `=` $tile_sizes^)? (`,` ' +
      '`mapping` `=` $mapping^)? attr-dict `:` functional-type(operands, results)',
  },
  apply: ({ rewriter, resultCount, location, warn }, { target }, { numThreads, tileSizes, mapping }) => {
    if (tileSizes.length > 0) return notImplemented('tiles that threads take in turns', location);
    warnOfManyThreads({ rewriter, warn }, target, numThreads);
    return mapSuccess(
      reductionsOf(target, resultCount, (operation) =>
        tileReductionUsingForallOp(rewriter, operation, numThreads, mapping),
      ),
      ({ loop, ...made }) => ({ ...made, forallOp: loop }),
    );
  },
});
