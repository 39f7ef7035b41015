/**
 * The part of an operand that an iteration domain touches, and the map into that part. The part is exact and the map is
 * re-based in the same step, so it remains correct if the part does not start at a row.
 *
 * @deviation ST slices the linearised input and keeps its `floordiv`/`mod` map; the map then restarts at 0 and reads
 * wrong addresses until a later correction (see the fragments of ST's Listings 4-6).
 */
import type { AffineMap } from '@sconv/affine';
import { dim, isFunctionOfDim, makeMap, substitute } from '@sconv/affine';
import { touchedRange } from '@sconv/dialects';

/** A part of an operand, and how an op over the restricted domain indexes it. */
export interface OperandWindow {
  readonly offsets: readonly number[];
  readonly sizes: readonly number[];
  /** Indices into the part. */
  readonly map: AffineMap;
}

/** A part of an op's iterations, and an operand's indexing over all of them. */
export interface WindowedDimension {
  /** Indices of the operand, over the dimensions of the iteration domain; without symbols. */
  readonly map: AffineMap;
  /** The sizes of the operand, one per result of the map. */
  readonly shape: readonly number[];
  /** The trip count of each dimension. */
  readonly loopRanges: readonly number[];
  /** The restricted dimension. */
  readonly dimension: number;
  /** The first iteration of the part. */
  readonly start: number;
  /** Its number of iterations. */
  readonly size: number;
}

/**
 * The part of an operand that a part of the iterations touches. The new map counts these from 0. Undefined for
 * out-of-bounds accesses.
 *
 * Throws a RangeError for lists that do not match the map, for negative or non-integer sizes, and for a dimension or
 * iterations that do not exist; `AffineError` for indices beyond 2^53.
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
    // An inexact enclosure may exceed the operand; the operand's own bounds are just as sound.
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
