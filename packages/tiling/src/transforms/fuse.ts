/** `fuseOp` and `fuseIntoContainingOp` as transforms. */
import { collect, definite, error, mapSuccess, success } from '@sconv/diagnostics';
import { withDefault } from '@sconv/ir';
import {
  consumes,
  defineTransformOp,
  integersAttribute,
  permutationErrors,
  produces,
  producesAll,
  reads,
} from '@sconv/transform';
import { fuseIntoContainingOp } from '../fuse-into-containing-op.ts';
import { fuseOp } from '../fuse-op.ts';
import { fusedSliceFailures } from '../fuse-slice.ts';
import { largeSizeWarnings, warnOfLargeSizes } from './large-sizes.ts';
import { slicingFailures, tilingFailures } from './slicing-failures.ts';

/** `transform.structured.fuse`. */
export const fuse = defineTransformOp({
  name: 'transform.structured.fuse',
  summary: 'Tiles the target and fuses its producers.',
  operands: { target: consumes('tileable ops') },
  attributes: {
    tileSizes: withDefault(integersAttribute, []),
    tileInterchange: withDefault(integersAttribute, []),
  },
  results: { transformed: produces('the tiles'), loops: producesAll('the loops, outermost first') },
  variadicResults: ({ tileSizes = [] }) => tileSizes.filter((size) => size !== 0).length,
  failures: {
    'tile/not-tileable': { mode: 'silenceable', when: 'a target cannot be tiled' },
    'tile/sizes': { mode: 'silenceable', when: 'there are more sizes than loops, or one is negative' },
    'tile/interchange': { mode: 'silenceable', when: 'the interchange is not a permutation' },
    'tile/unsound-slice': slicingFailures['tile/unsound-slice'],
    ...tilingFailures,
  },
  warnings: largeSizeWarnings,
  assembly: {
    format:
      '$target ($tile_sizes^)? (`interchange` $tile_interchange^)? attr-dict `:` functional-type(operands, results)',
  },
  *verify({ results, attributes: { tileSizes, tileInterchange } }) {
    yield* permutationErrors('interchange', tileInterchange, (text) => `[${text}]`);
    const loops = tileSizes.filter((size) => size !== 0).length;
    if (results.loops.length !== loops) yield `expects ${loops} loop results`;
  },
  apply: ({ rewriter, resultCount, warn }, { target }, { tileSizes, tileInterchange }) => {
    warnOfLargeSizes({ rewriter, warn }, target, tileSizes);
    return mapSuccess(
      collect(target, (operation) => fuseOp(rewriter, operation, tileSizes, tileInterchange)),
      (tiles) => ({
        transformed: tiles.map(({ tiled }) => tiled),
        loops: Array.from({ length: resultCount - 1 }, (_, depth) => tiles.map(({ loops }) => loops[depth]!)),
      }),
    );
  },
});

/** `transform.structured.fuse_into_containing_op`. */
export const fuseIntoContaining = defineTransformOp({
  name: 'transform.structured.fuse_into_containing_op',
  summary: 'Fuses a producer into the loop that reads tiles of it.',
  operands: { producerOp: consumes('the ops that produce the tensor'), containingOp: reads('one loop') },
  allowsRepeatedPayload: true,
  results: { fusedOp: produces('the tiles'), newContainingOp: produces('the loop') },
  failures: {
    'fuse/containing': { mode: 'definite', when: 'there is not one loop' },
    'fuse/no-producer': { mode: 'silenceable', when: 'the loop does not use the result of a producer' },
    'fuse/no-use': {
      mode: 'silenceable',
      when:
        'the loop uses the result only as an output, without reading a slice of it; or not as a slice, ' +
        'and the producer has effects',
    },
    ...fusedSliceFailures,
    'tile/unsound-slice': slicingFailures['tile/unsound-slice'],
    'tile/order': {
      mode: 'silenceable',
      when: 'iterations would run in another order, which may change the result',
    },
  },
  assembly: { format: '$producerOp `into` $containingOp attr-dict `:` functional-type(operands, results)' },
  apply: ({ rewriter, location }, { producerOp, containingOp }) => {
    const [containing, ...others] = containingOp;
    if (containing === undefined || others.length > 0) {
      const message = `requires exactly one containing_op handle (got ${containingOp.length})`;
      return definite(error('fuse/containing', message, location));
    }
    if (producerOp.length === 0) return success({ fusedOp: [], newContainingOp: [containing] });
    return mapSuccess(fuseIntoContainingOp(rewriter, producerOp, containing), (made) => ({
      fusedOp: made.fused,
      newContainingOp: [made.containing],
    }));
  },
});
