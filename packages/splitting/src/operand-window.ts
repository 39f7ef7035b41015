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

/** A part of the iterations of an op, and how an operand is indexed in all of them. */
export interface WindowedDimension {
  /** Indices of the operand, over the dimensions of the iteration domain; without symbols. */
  readonly map: AffineMap;
  /** The sizes of the operand, one for each result of the map. */
  readonly shape: readonly number[];
  /** The iterations of each dimension. */
  readonly loopRanges: readonly number[];
  /** The dimension of which a part is taken. */
  readonly dimension: number;
  /** The first iteration of the part. */
  readonly start: number;
  /** How many iterations it has. */
  readonly size: number;
}

/**
 * The part of an operand that is touched by a part of the iterations. The new map counts those from 0. Undefined where
 * something is touched outside of the operand.
 *
 * Throws a RangeError for lists of other lengths than the map's, for sizes that are negative or no integers, and for a
 * dimension or iterations that there are not; `AffineError` for indices beyond 2^53.
 */
export const operandWindow = (windowed: WindowedDimension): OperandWindow | undefined => {
  checkWindow(windowed);
  const { map, shape, loopRanges, dimension, start, size } = windowed;
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

const checkWindow = ({ map, shape, loopRanges, dimension, start, size }: WindowedDimension): void => {
  const check = (isRight: boolean, message: string): void => {
    if (!isRight) throw new RangeError(message);
  };
  const { numDims, numSymbols, results } = map;
  check(numSymbols === 0, `the map has ${numSymbols} symbols`);
  check(shape.length === results.length, `${shape.length} sizes for a map of ${results.length} results`);
  check(loopRanges.length === numDims, `${loopRanges.length} ranges for a map of ${numDims} dimensions`);
  for (const each of [...shape, ...loopRanges, start, size]) {
    check(Number.isSafeInteger(each) && each >= 0, `${each} is no number of elements or iterations`);
  }
  const range = loopRanges[dimension];
  if (range === undefined) throw new RangeError(`there is no dimension ${dimension} of ${numDims}`);
  check(start + size <= range, `iterations ${start} to ${start + size} of ${range}`);
};
