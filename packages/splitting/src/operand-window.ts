/**
 * Which part of an operand an iteration domain touches, and the map into that part. A part is taken exactly, and the map
 * is re-based in the same step, so that it stays right where the part does not begin at a row.
 *
 * @deviation ST slices the linearised input and leaves its `floordiv`/`mod` map as it was; the map then restarts at 0 and
 * reads wrong addresses until a later correction (see the fragments of ST's Listings 4-6).
 */
import type { AffineMap } from '@sconv/affine';
import { dim, isFunctionOfDim, makeMap, substitute } from '@sconv/affine';
import { touchedRange } from '@sconv/dialects';

/** A part of an operand and how an op over the restricted domain indexes it. */
export interface OperandWindow {
  readonly offsets: readonly number[];
  readonly sizes: readonly number[];
  /** Indices into the part. */
  readonly map: AffineMap;
}

/**
 * The part of an operand that `map` touches when dimension `dimension` starts at `start` and has `size` iterations;
 * the other dimensions run over `loopRanges`. The new map counts that dimension from 0. Undefined where something is
 * touched outside of `shape`. Throws `AffineError` for indices beyond 2^53.
 */
export const operandWindow = (
  map: AffineMap,
  shape: readonly number[],
  loopRanges: readonly number[],
  dimension: number,
  start: number,
  size: number,
): OperandWindow | undefined => {
  const extents = loopRanges.with(dimension, size);
  const parts = map.results.map((result, i) => {
    if (!isFunctionOfDim(result, dimension)) return { lo: 0, hi: shape[i]!, result };
    const shifted = substitute(result, {
      dims: loopRanges.map((_, position) =>
        position === dimension ? dim(position).add(start) : dim(position),
      ),
    });
    const touched = touchedRange(shifted, extents);
    // An enclosure that is not exact may reach past the operand; the operand's own bounds are as sound.
    const lo = Math.max(0, touched.lo);
    const hi = Math.min(shape[i]!, touched.hi);
    const isCut = lo !== touched.lo || hi !== touched.hi;
    return lo > hi || (touched.exact && isCut) ? undefined : { lo, hi, result: shifted.sub(lo) };
  });
  if (!parts.every((part) => part !== undefined)) return undefined;
  return {
    offsets: parts.map(({ lo }) => lo),
    sizes: parts.map(({ lo, hi }) => hi - lo),
    map: makeMap(
      map.numDims,
      0,
      parts.map(({ result }) => result),
    ),
  };
};
