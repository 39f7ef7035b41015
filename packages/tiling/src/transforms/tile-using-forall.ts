/** `tileUsingForallOp` as a transform. */
import type { Diagnosed, Location } from '@sconv/diagnostics';
import { andThen, collect, mapSuccess } from '@sconv/diagnostics';
import type { MixedIndex } from '@sconv/dialects';
import {
  documented,
  arrayAttribute,
  DYNAMIC,
  i64ArrayAttribute,
  optionalAttribute,
  unitAttributeKind,
  withImplicitDefault,
} from '@sconv/ir';
import type { Handle, PayloadItem, RecordOptions } from '@sconv/transform';
import {
  callSite,
  consumes,
  defineTransformOp,
  directives,
  mappingAttribute,
  notImplemented,
  payloadSizes,
  produces,
  readsOptionalSize,
  readsSizes,
} from '@sconv/transform';
import { tileExactlyUsingForallOp } from '../tile-exactly-using-forall-op.ts';
import { tileUsingForallOp } from '../tile-using-forall-op.ts';
import {
  largeSizeWarnings,
  manyThreadsWarnings,
  warnOfLargeSizes,
  warnOfManyThreads,
} from './large-sizes.ts';
import { slicingFailures, tilingFailures } from './slicing-failures.ts';

const tileOp = defineTransformOp({
  name: 'transform.structured.tile_using_forall',
  summary: 'Tiles the target with one `scf.forall`, whose iterations may run in parallel.',
  operands: {
    target: consumes('tileable ops'),
    numThreads: readsSizes('numbers of tiles, held by parameters, or computed by operations'),
    tileSizes: readsSizes('sizes held by parameters, or computed by operations'),
    packedNumThreads: readsOptionalSize('one handle to the operations that compute all numbers of tiles'),
    packedTileSizes: readsOptionalSize('one handle to the operations that compute all sizes'),
  },
  attributes: {
    staticNumThreads: documented(
      withImplicitDefault(i64ArrayAttribute, []),
      'one per dimension; 0 leaves a dimension untiled, DYNAMIC takes the next of `numThreads`',
    ),
    staticTileSizes: documented(
      withImplicitDefault(i64ArrayAttribute, []),
      'one per dimension; 0 leaves a dimension untiled, DYNAMIC takes the next of `tileSizes`',
    ),
    mapping: documented(optionalAttribute(mappingAttribute), 'the `mapping` of the loop'),
    exact: documented(
      unitAttributeKind,
      'requires sizes that divide their dimensions, and keeps static shapes',
    ),
  },
  results: {
    tiledOp: produces('the tiled ops'),
    forallOp: produces('the loops', 'scf.forall'),
  },
  failures: {
    'tile/not-tileable': { mode: 'silenceable', when: 'a target cannot be tiled' },
    'tile/not-structured': { mode: 'silenceable', when: '`exact`: a target is not a structured op' },
    'tile/sizes': {
      mode: 'silenceable',
      when: 'there are more numbers than loops, one is negative, or all are 0',
    },
    'tile/reduction': { mode: 'silenceable', when: 'a dimension is not parallel' },
    'tile/race': { mode: 'silenceable', when: 'tiles would write the same elements of a result' },
    'tile/remainder': { mode: 'silenceable', when: '`exact`: a number does not divide its dimension' },
    ...slicingFailures,
    ...tilingFailures,
    'tile/named-map': {
      mode: 'silenceable',
      when: '`exact`: a tile would need an indexing map that its named op does not have',
    },
  },
  warnings: { ...largeSizeWarnings, ...manyThreadsWarnings },
  assembly: {
    format:
      '$target oilist(`num_threads` custom<PackedOrDynamicIndexList>($packedNumThreads, $numThreads, ' +
      '$static_num_threads) | `tile_sizes` custom<PackedOrDynamicIndexList>($packedTileSizes, ' +
      '$tileSizes, $static_tile_sizes)) (`(` `mapping` `=` $mapping^ `)`)? attr-dict `:` ' +
      'functional-type(operands, results)',
    directives,
  },
  *verify({
    operands: { packedNumThreads, packedTileSizes },
    attributes: { staticNumThreads, staticTileSizes },
  }) {
    const isGiven = staticNumThreads.length + staticTileSizes.length > 0;
    if (!isGiven && packedNumThreads === undefined && packedTileSizes === undefined) {
      yield 'either (packed_)num_threads or (packed_)tile_sizes must be specified';
    }
  },
  apply: ({ rewriter, location, warn }, payload, { staticNumThreads, staticTileSizes, mapping, exact }) => {
    const { target, packedNumThreads, packedTileSizes } = payload;
    const isCounted = staticNumThreads.length > 0 || packedNumThreads !== undefined;
    if (isCounted && (staticTileSizes.length > 0 || packedTileSizes !== undefined))
      return notImplemented('a number of threads with sizes of tiles', location);
    const given = isCounted
      ? sizesOf(staticNumThreads, payload.numThreads, packedNumThreads, location)
      : sizesOf(staticTileSizes, payload.tileSizes, packedTileSizes, location);
    warnOfLargeSizes({ rewriter, warn }, target, staticTileSizes);
    warnOfManyThreads({ rewriter, warn }, target, staticNumThreads);
    return mapSuccess(
      andThen(given, (numbers) =>
        collect(target, (operation) => {
          if (!exact) {
            const tiling = isCounted ? { threads: numbers } : { tileSizes: numbers };
            return tileUsingForallOp(rewriter, operation, tiling, mapping);
          }
          const known = numbers.map((number) => (typeof number === 'number' ? number : NaN));
          const tiling = isCounted ? { threads: known } : { tileSizes: known };
          return mapSuccess(tileExactlyUsingForallOp(rewriter, operation, tiling), (tiles) => {
            if (mapping !== undefined) rewriter.setAttribute(tiles.loop, 'mapping', arrayAttribute(mapping));
            return tiles;
          });
        }),
      ),
      (tiles) => ({
        tiledOp: tiles.map(({ tiled }) => tiled),
        forallOp: tiles.map(({ loop }) => loop),
      }),
    );
  },
});

/** The numbers in a list, or the payload ops of one handle. */
const sizesOf = (
  fixed: readonly number[],
  dynamic: readonly (readonly PayloadItem[])[],
  packed: readonly PayloadItem[] | undefined,
  location: Location,
): Diagnosed<readonly MixedIndex[]> =>
  packed === undefined
    ? payloadSizes(fixed, dynamic, location)
    : payloadSizes(
        packed.map(() => DYNAMIC),
        packed.map((item) => [item]),
        location,
      );

/** This file: recorded call sites skip it. */
const here = callSite();

/** The options of `tile_using_forall`; 0 for an untiled dimension; missing numbers are 0. */
export type ForallTileOptions =
  /** The number of tiles along each iteration dimension. */
  (
    | { readonly staticNumThreads: readonly number[] }
    /** Tile sizes by iteration dimension. */
    | { readonly staticTileSizes: readonly number[] }
  ) & {
    /** Tiles of static size; untiled operands are not sliced; numbers that do not divide are rejected. */
    readonly exact?: boolean;
  };

/** `transform.structured.tile_using_forall`; the tiles have the name of the target. */
export const tileUsingForall = Object.assign(
  <N extends string>(
    operands: { readonly target: Handle<N> },
    options: ForallTileOptions,
    recording?: RecordOptions,
  ): { readonly tiledOp: Handle<N>; readonly forallOp: Handle<'scf.forall'> } => {
    const { tiledOp, forallOp } = tileOp({ ...operands, numThreads: [], tileSizes: [] }, options, {
      helper: here,
      ...recording,
    });
    // The tile has the name of its target.
    return { tiledOp: tiledOp as Handle<N>, forallOp };
  },
  { definition: tileOp.definition },
);
