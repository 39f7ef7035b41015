/**
 * Result types of slices: `tensor.extract_slice` and `memref.subview`, rank reduction included.
 */
import type { MemRefType, TensorType } from '@sconv/ir';
import { DYNAMIC, memrefType, stridedLayoutAttribute, tensorType } from '@sconv/ir';
import type { MixedIndex, MixedSlice } from './mixed-indices.ts';
import { addSizes, multiplySizes, stridedLayoutOf } from './strided-layout.ts';

/** Numbers unchanged, values as `DYNAMIC`. */
export const staticSizes = (mixed: readonly MixedIndex[]): readonly number[] =>
  mixed.map((index) => (typeof index === 'number' ? index : DYNAMIC));

/** The first `count` unit dimensions: upstream's choice for the canonical reduced type. */
const droppedUnits = (shape: readonly number[], count: number): ReadonlySet<number> => {
  const units = shape.flatMap((size, i) => (size === 1 ? [i] : []));
  if (units.length < count) throw new Error(`cannot drop ${count} unit dimensions of ${shape.join('x')}`);
  return new Set(units.slice(0, count));
};

/**
 * The type of a slice of `source` with these sizes. A `rank` below the source's drops leading unit dimensions; throws
 * if there are not enough.
 */
export const inferExtractSliceType = (
  source: TensorType,
  sizes: readonly MixedIndex[],
  rank: number = sizes.length,
): TensorType => {
  const shape = staticSizes(sizes);
  const dropped = droppedUnits(shape, shape.length - rank);
  return tensorType(
    shape.filter((_, i) => !dropped.has(i)),
    source.elementType,
    source.encoding,
  );
};

/**
 * The type of a subview of `source`, always with a strided layout. A `rank` below the source's drops leading unit
 * dimensions. Throws if the source is not strided.
 */
export const inferSubviewType = (
  source: MemRefType,
  slice: MixedSlice,
  rank: number = slice.sizes.length,
): MemRefType => {
  const shape = staticSizes(slice.sizes);
  const dropped = droppedUnits(shape, shape.length - rank);
  return subviewTypeKeeping(source, slice, (i) => !dropped.has(i));
};

/** `inferSubviewType` for the dimensions selected by `keep`. */
export const subviewTypeKeeping = (
  source: MemRefType,
  slice: MixedSlice,
  keep: (dimension: number) => boolean,
): MemRefType => {
  const base = stridedLayoutOf(source);
  if (base === undefined) throw new Error('a subview needs a strided source');
  const [offsets, sizes, strides] = [slice.offsets, slice.sizes, slice.strides].map(staticSizes);
  let offset = base.offset;
  offsets?.forEach((size, i) => {
    offset = addSizes(offset, multiplySizes(size, base.strides[i] ?? DYNAMIC));
  });
  const viewStrides = base.strides.map((stride, i) => multiplySizes(stride, strides?.[i] ?? DYNAMIC));
  return memrefType(
    (sizes ?? []).filter((_, i) => keep(i)),
    source.elementType,
    stridedLayoutAttribute(
      offset,
      viewStrides.filter((_, i) => keep(i)),
    ),
    source.memorySpace,
  );
};

/**
 * The (unit) dimensions of `full` to drop to get `reduced`; undefined if impossible. Greedy from the left, as
 * upstream: a dimension is kept if it equals the next one of the reduced shape.
 */
export const rankReductionMask = (
  full: readonly number[],
  reduced: readonly number[],
): ReadonlySet<number> | undefined => {
  const dropped = new Set<number>();
  let next = 0;
  for (const [i, size] of full.entries()) {
    if (next < reduced.length && size === reduced[next]) next++;
    else if (size === 1) dropped.add(i);
    else return undefined;
  }
  return next === reduced.length ? dropped : undefined;
};

/**
 * The type of a subview of `source` with this shape, which may leave out dimensions of size 1. Throws if the slice has
 * another shape, or the source is not strided.
 */
export const reducedSubviewType = (
  source: MemRefType,
  slice: MixedSlice,
  shape: readonly number[],
): MemRefType => {
  const dropped = rankReductionMask(staticSizes(slice.sizes), shape);
  if (dropped === undefined) throw new Error('the slice has another shape');
  return subviewTypeKeeping(source, slice, (dimension) => !dropped.has(dimension));
};

/**
 * The dimensions that the type of a subview of `source` drops; undefined if impossible. Strides disambiguate unit
 * dimensions: upstream's `computeMemRefRankReductionMask`.
 */
export const subviewMask = (
  source: MemRefType,
  slice: MixedSlice,
  reduced: MemRefType,
): ReadonlySet<number> | undefined => {
  const full = subviewTypeKeeping(source, slice, () => true);
  const count = full.shape.length - reduced.shape.length;
  const units = full.shape.flatMap((size, i) => (size === 1 ? [i] : []));
  const dropped = new Set<number>(units.length === count ? units : []);
  const [before, after] = [stridedLayoutOf(full), stridedLayoutOf(reduced)];
  if (before === undefined || after === undefined) return undefined;
  if (dropped.size < count) {
    const left = occurrences(before.strides);
    const kept = occurrences(after.strides);
    for (const i of units) {
      const stride = before.strides[i]!;
      if (left.get(stride)! <= (kept.get(stride) ?? 0)) continue;
      left.set(stride, left.get(stride)! - 1);
      dropped.add(i);
    }
  }
  const shape = full.shape.filter((_, i) => !dropped.has(i));
  return dropped.size === count && shape.every((size, i) => size === reduced.shape[i]) ? dropped : undefined;
};

const occurrences = (strides: readonly number[]): Map<number, number> => {
  const counts = new Map<number, number>();
  for (const stride of strides) counts.set(stride, (counts.get(stride) ?? 0) + 1);
  return counts;
};
