/** Computes only the slice of a producer's result that is read. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, silenceableError, success } from '@sconv/diagnostics';
import type { MixedBox, Tile } from '@sconv/dialects';
import { createSizes, extractSliceState, mixedSlice, sliceAtOrigin, tileableOf } from '@sconv/dialects';
import { cast } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { typeEquals } from '@sconv/ir';

/** The failures of `fusedSlice`. */
export const fusedSliceFailures = {
  'fuse/strides': { mode: 'silenceable', when: 'a slice of the result of a producer has strides' },
  'fuse/not-permuted': {
    mode: 'silenceable',
    when: 'the indexing map of the result of a producer is not a permutation',
  },
} as const;

/** The producer's tile that replaces a slice of its result, and the position of the slice. */
export interface FusedSlice {
  readonly tile: Tile;
  readonly box: MixedBox;
}

/**
 * Replaces `slice` of result `result` of the tileable op `producer` by the tile of `producer` that computes it, on
 * `destinations` if given. The dead slice stays.
 */
export const fusedSlice = (
  rewriter: Rewriter,
  producer: DraftOperation,
  result: number,
  slice: DraftOperation,
  destinations?: readonly Value[],
): Diagnosed<FusedSlice> => {
  const tileable = tileableOf(rewriter.registry, producer);
  if (tileable === undefined) throw new Error(`'${producer.name}' cannot be tiled`);
  const { offsets, sizes, strides } = mixedSlice(slice);
  if (strides.some((stride) => stride !== 1))
    return silenceableError('fuse/strides', 'a slice with strides is not a tile', slice);
  const box = { offsets, sizes };
  // As upstream, which clones the op to change its destinations: the sizes are computed before the op.
  rewriter.setInsertionPointBefore(destinations === undefined ? producer : slice);
  const needed = tileable.boxOfResult?.(rewriter, result, box);
  if (needed === undefined) {
    return silenceableError(
      'fuse/not-permuted',
      'unhandled tiled implementation generation when result is not accessed using a permuted projection',
      producer,
    );
  }
  const cut = needed.sizes.map((size, dimension) => {
    const isGiven = offsets.includes(needed.offsets[dimension]!) && sizes.includes(size);
    return isGiven ? size : undefined;
  });
  rewriter.setInsertionPointBefore(slice);
  return andThen(tileable.check(cut), () => {
    const tile = tileable.tile(rewriter, needed, destinations ?? tileable.destinations(rewriter));
    const value = reduced(rewriter, tile.values[result]!, slice.results[0]!);
    rewriter.replaceAllUsesWith(slice.results[0]!, value);
    return success({ tile, box });
  });
};

/** The value in the type of the slice: without the unit dimensions that it drops, and with the sizes that it knows. */
const reduced = (rewriter: Rewriter, source: Value, { type }: Value): Value => {
  if (source.type.kind !== 'tensor' || type.kind !== 'tensor') throw new Error('a slice is a tensor');
  const { shape } = source.type;
  if (typeEquals(source.type, type)) return source;
  if (shape.length === type.shape.length)
    return rewriter.createValue(cast.state({ operands: { source }, resultTypes: [type] }));
  const slice = sliceAtOrigin(createSizes(rewriter, source));
  return rewriter.createValue(extractSliceState(source, slice, type));
};
