/** `tileUsingForallOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { i64ArrayAttribute, optionalAttribute, withImplicitDefault } from '@sconv/ir';
import type { Handle, RecordOptions } from '@sconv/transform';
import {
  callSite,
  consumes,
  defineTransformOp,
  directives,
  mappingAttribute,
  notImplemented,
  produces,
  readsOptionalSize,
  readsSizes,
} from '@sconv/transform';
import { tileUsingForallOp } from '../tile-using-forall-op.ts';
import { slicingFailures } from './slicing-failures.ts';

const tileOp = defineTransformOp({
  name: 'transform.structured.tile_using_forall',
  summary: 'Tiles the target with one `scf.forall`, whose iterations may run at the same time.',
  operands: {
    target: consumes('structured ops on static tensors', 'linalg.*'),
    numThreads: readsSizes('not supported'),
    tileSizes: readsSizes('not supported'),
    packedNumThreads: readsOptionalSize('not supported'),
    packedTileSizes: readsOptionalSize('not supported'),
  },
  attributes: {
    staticNumThreads: withImplicitDefault(i64ArrayAttribute, []),
    staticTileSizes: withImplicitDefault(i64ArrayAttribute, []),
    mapping: optionalAttribute(mappingAttribute),
  },
  results: {
    tiledOp: produces('the tiles, of the kind of the targets'),
    forallOp: produces('the loops', 'scf.forall'),
  },
  failures: {
    'tile/not-structured': { mode: 'silenceable', when: 'a target is not a structured op' },
    'tile/sizes': {
      mode: 'silenceable',
      when: 'there are more numbers than loops, a negative one, or none but 0',
    },
    'tile/reduction': { mode: 'silenceable', when: 'a dimension is not parallel' },
    'tile/race': { mode: 'silenceable', when: 'tiles would write the same elements of a result' },
    'tile/remainder': { mode: 'silenceable', when: 'a number does not divide its dimension' },
    ...slicingFailures,
    'tile/named-map': {
      mode: 'silenceable',
      when: 'a tile would index an operand otherwise than a named op does',
    },
  },
  assembly: {
    format:
      '$target oilist(`num_threads` custom<PackedOrDynamicIndexList>($packedNumThreads, $numThreads, $static_num_threads) | `tile_sizes` custom<PackedOrDynamicIndexList>($packedTileSizes, $tileSizes, $static_tile_sizes)) (`(` `mapping` `=` $mapping^ `)`)? attr-dict `:` functional-type(operands, results)',
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
  apply: (
    { rewriter, location },
    payload,
    { staticNumThreads: threads, staticTileSizes: tileSizes, mapping },
  ) => {
    const { target, packedNumThreads, packedTileSizes, ...dynamic } = payload;
    const isPacked = packedNumThreads !== undefined || packedTileSizes !== undefined;
    if (isPacked || dynamic.numThreads.length + dynamic.tileSizes.length > 0)
      return notImplemented('a size that an operand gives', location);
    if (mapping !== undefined) return notImplemented('a mapping', location);
    if (threads.length > 0 && tileSizes.length > 0)
      return notImplemented('a number of threads with sizes of tiles', location);
    return mapSuccess(
      collect(target, (operation) =>
        tileUsingForallOp(rewriter, operation, threads.length > 0 ? { threads } : { tileSizes }),
      ),
      (tiles) => ({
        tiledOp: tiles.map(({ tiled }) => tiled),
        forallOp: tiles.map(({ loop }) => loop),
      }),
    );
  },
});

/** This file, whose calls record ops for those who call it. */
const here = callSite();

/** How a `tile_using_forall` is to tile; 0 for a dimension that is not tiled, and missing numbers are 0. */
export type ForallTileOptions =
  /** How many tiles there are along each iteration dimension. */
  | { readonly staticNumThreads: readonly number[] }
  /** Iterations of a tile in each iteration dimension. */
  | { readonly staticTileSizes: readonly number[] };

/** `transform.structured.tile_using_forall`; the tiles are ops of the name that the target has. */
export const tileUsingForall = Object.assign(
  <N extends `linalg.${string}`>(
    { target }: { readonly target: Handle<N> },
    options: ForallTileOptions,
    recording?: RecordOptions,
  ): { readonly tiledOp: Handle<N>; readonly forallOp: Handle<'scf.forall'> } => {
    const { tiledOp, forallOp } = tileOp({ target, numThreads: [], tileSizes: [] }, options, {
      helper: here,
      ...recording,
    });
    // A tile is made as its target is.
    return { tiledOp: tiledOp as Handle<N>, forallOp };
  },
  { definition: tileOp.definition },
);
