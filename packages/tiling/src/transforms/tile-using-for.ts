/** `tileUsingForOp` as a transform. */
import { andThen, collect, expectObject, mapSuccess } from '@sconv/diagnostics';
import type { MixedIndex } from '@sconv/dialects';
import { constantIndexOf } from '@sconv/dialects';
import type { Rewriter } from '@sconv/ir';
import { documented, DYNAMIC, i64ArrayAttribute, unitAttributeKind, withImplicitDefault } from '@sconv/ir';
import type { Handle, Param, RecordOptions } from '@sconv/transform';
import {
  callSite,
  consumes,
  defineTransformOp,
  directives,
  flagsArrayAttribute,
  notImplemented,
  produces,
  producesAll,
  readsSizes,
} from '@sconv/transform';
import { padded } from '../check-tiling.ts';
import { tileExactlyUsingForOp } from '../tile-exactly-using-for-op.ts';
import { tileUsingForOp } from '../tile-using-for-op.ts';
import { largeSizeWarnings, warnOfLargeSizes } from './large-sizes.ts';
import { targetSizes, targetSizesFailures } from './target-sizes.ts';
import { slicingFailures, tilingFailures } from './slicing-failures.ts';

const tileOp = defineTransformOp({
  name: 'transform.structured.tile_using_for',
  summary: 'Tiles the target with `scf.for` loops.',
  paper: ['ST §5.3, stages 3a and 3b'],
  operands: {
    target: consumes('tileable ops'),
    dynamicSizes: readsSizes('sizes held by parameters, or computed by operations, one per target'),
  },
  attributes: {
    staticSizes: documented(
      withImplicitDefault(i64ArrayAttribute, []),
      'one per dimension; 0 leaves a dimension untiled, DYNAMIC takes the next of `dynamicSizes`',
    ),
    interchange: documented(
      withImplicitDefault(i64ArrayAttribute, []),
      'the order of the loops, outermost first, as dimensions',
    ),
    scalableSizes: documented(
      withImplicitDefault(flagsArrayAttribute, []),
      'which sizes are multiplied by `vector.vscale`',
    ),
    exact: documented(
      unitAttributeKind,
      'requires sizes that divide their dimensions, and keeps static shapes',
    ),
  },
  results: {
    tiledLinalgOp: produces('the tiles'),
    loops: producesAll('the loops, outermost first', 'scf.for'),
  },
  variadicResults: ({ staticSizes = [] }) => staticSizes.filter((size) => size !== 0).length,
  failures: {
    'tile/not-tileable': { mode: 'silenceable', when: 'a target cannot be tiled' },
    'tile/not-generic': { mode: 'silenceable', when: '`exact`: a target is not a linalg.generic' },
    'tile/sizes': { mode: 'silenceable', when: 'there are more sizes than loops, or one is negative' },
    'tile/interchange': { mode: 'silenceable', when: 'the interchange is not a permutation' },
    'tile/remainder': { mode: 'silenceable', when: '`exact`: a size does not divide its dimension' },
    ...slicingFailures,
    ...tilingFailures,
    ...targetSizesFailures,
  },
  warnings: {
    'tile/interchange-without-effect': 'the interchange leaves the tiled dimensions in their order',
    ...largeSizeWarnings,
  },
  assembly: {
    format:
      '$target `tile_sizes` custom<DynamicIndexList>($dynamicSizes, $static_sizes, $scalable_sizes) ' +
      '(`interchange` `=` $interchange^)? attr-dict `:` functional-type(operands, results)',
    directives,
  },
  *verify({ operands, results, attributes: { staticSizes, scalableSizes } }) {
    const dynamic = staticSizes.filter((size) => size === DYNAMIC).length;
    const tiled = staticSizes.filter((size) => size !== 0).length;
    if (dynamic !== operands.dynamicSizes.length) {
      yield `expects a parameter for each dynamic size, got ${operands.dynamicSizes.length} for ${dynamic}`;
    } else if (scalableSizes.length > 0 && scalableSizes.length !== staticSizes.length) {
      yield `expected same number of sizes (${staticSizes.length}) and scalable sizes (${scalableSizes.length})`;
    } else if (results.loops.length !== tiled) {
      yield (
        `expected number of loops to tile (${tiled}) to match number of \`loops\` results ` +
        `(${results.loops.length})`
      );
    }
  },
  apply: (
    { rewriter, resultCount, warn, location },
    { target, dynamicSizes },
    { staticSizes, interchange, scalableSizes, exact },
  ) => {
    if (exact && scalableSizes.includes(true)) return notImplemented('`exact` of a scalable size', location);
    const moved = interchange.some((position, i) => position !== i);
    const tiled = padded(interchange, staticSizes.length).filter(
      (position) => (staticSizes[position] ?? 0) !== 0,
    );
    if (moved && tiled.every((position, i) => i === 0 || position > tiled[i - 1]!)) {
      warn(
        'tile/interchange-without-effect',
        `interchange [${interchange.join(', ')}] leaves the tiled dimensions in their order: ` +
          'positions count iteration dimensions, not loops',
      );
    }
    warnOfLargeSizes({ rewriter, warn }, target, staticSizes);
    return mapSuccess(
      andThen(targetSizes(staticSizes, dynamicSizes, target, location), (sizes) =>
        collect(target.entries(), ([i, operation]) =>
          exact
            ? tileExactlyUsingForOp(
                rewriter,
                operation,
                sizes[i]!.map((size) => constantSize(rewriter, size)),
                interchange,
              )
            : tileUsingForOp(rewriter, operation, sizes[i]!, interchange, scalableSizes),
        ),
      ),
      (tiles) => ({
        tiledLinalgOp: tiles.map(({ tiled }) => tiled),
        loops:
          tiles.length === 0
            ? Array.from({ length: resultCount - 1 }, () => [])
            : tiles[0]!.loops.map((_, depth) => tiles.map(({ loops }) => loops[depth]!)),
      }),
    );
  },
});

/** A size as a number; a dynamic one becomes a number that `exact` rejects. */
const constantSize = (rewriter: Rewriter, size: MixedIndex): number =>
  typeof size === 'number' ? size : (constantIndexOf(rewriter, size) ?? NaN);

/** This file: recorded call sites skip it. */
const here = callSite();

/** The options of `tile_using_for`. */
export interface TileOptions {
  /** Tile sizes by iteration dimension, 0 for an untiled one; missing sizes are 0. */
  readonly staticSizes?: readonly (number | Param<number>)[];
  /** The loop order as positions of iteration dimensions, padded with the identity. */
  readonly interchange?: readonly number[];
  /**
   * Tiles of static size in a perfect nest: the bounds of all loops precede it, operands that no loop tiles are not
   * sliced, and sizes that do not divide are rejected. Later steps of the convolution pipeline need such nests.
   */
  readonly exact?: boolean;
}

/** `transform.structured.tile_using_for`; a size may be a parameter of the schedule. */
export const tileUsingFor = Object.assign(
  <N extends string>(
    operands: { readonly target: Handle<N> },
    attributes: TileOptions = {},
    options?: RecordOptions,
  ): { readonly tiledLinalgOp: Handle<N>; readonly loops: readonly Handle<'scf.for'>[] } => {
    expectObject('the options of tileUsingFor', attributes);
    // The op reports unknown options, and anything that is not a list.
    const { staticSizes = [], ...others } = attributes;
    const sizes = Array.isArray(staticSizes) ? staticSizes : [];
    const numbers = sizes.map((size) => (typeof size === 'number' ? size : DYNAMIC));
    const { tiledLinalgOp, loops } = tileOp(
      { ...operands, dynamicSizes: sizes.filter((size) => typeof size !== 'number') },
      {
        staticSizes: sizes === staticSizes ? numbers : (staticSizes as readonly number[]),
        scalableSizes: sizes.map(() => false),
        ...others,
      },
      { helper: here, ...options },
    );
    // The tile has the name of its target.
    return { tiledLinalgOp: tiledLinalgOp as Handle<N>, loops };
  },
  { definition: tileOp.definition },
);
