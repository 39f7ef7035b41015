/** Iteration boxes of tiles. */
import { affineMap, identityMap } from '@sconv/affine';
import type { MixedIndex } from '@sconv/dialects';
import { applyFolded, indexNumber, indexValue, maxFolded, minFolded } from '@sconv/dialects';
import type { Rewriter, Value } from '@sconv/ir';

const rest = affineMap('(d0)[s0, s1] -> (s0, s1 - d0)');

/** The size of the tile at `offset`: `size`, or what is left of `range`. */
export const boundedSize = (
  rewriter: Rewriter,
  offset: Value,
  range: MixedIndex,
  size: MixedIndex,
): MixedIndex => {
  const [known, extent] = [indexNumber(rewriter, size), indexNumber(rewriter, range)];
  if (known === 1 || (known !== undefined && extent !== undefined && extent % known === 0)) return size;
  return minFolded(rewriter, rest, [offset, size, indexValue(rewriter, range)]);
};

const perThread = affineMap('()[s0, s1] -> (s0 ceildiv s1)');
const start = affineMap('(d0)[s0] -> (d0 * s0)');
const overrun = affineMap('(d0)[s0, s1] -> (d0 * s0 - s1)');
const left = affineMap('(d0)[s0] -> (s0 - d0)');

/** How many of `range` iterations each of `threads` gets. */
export const sizePerThread = (rewriter: Rewriter, range: MixedIndex, threads: MixedIndex): MixedIndex =>
  applyFolded(rewriter, perThread, [range, threads]);

/**
 * The part of thread `thread` of `threads`, each with `size` of `range` iterations; `mayBeEmpty` allows empty last
 * parts.
 */
export const partOfThread = (
  rewriter: Rewriter,
  thread: Value,
  threads: MixedIndex,
  range: MixedIndex,
  size: MixedIndex,
  mayBeEmpty: boolean,
): { readonly offset: MixedIndex; readonly size: MixedIndex } => {
  const offset = applyFolded(rewriter, start, [thread, size]);
  const beyond = applyFolded(rewriter, overrun, [threads, size, range]);
  let taken = size;
  if (indexNumber(rewriter, beyond) !== 0) {
    const remaining = applyFolded(rewriter, left, [offset, range]);
    taken = minFolded(rewriter, identityMap(2), [remaining, size]);
  }
  if (mayBeEmpty && !endsWithin(rewriter, taken, threads, range))
    taken = maxFolded(rewriter, identityMap(2), [0, taken]);
  return { offset, size: taken };
};

/** Whether the last thread provably starts inside the range. */
const endsWithin = (
  rewriter: Rewriter,
  size: MixedIndex,
  threads: MixedIndex,
  range: MixedIndex,
): boolean => {
  const [each, number, extent] = [size, threads, range].map((index) => indexNumber(rewriter, index));
  return each !== undefined && number !== undefined && extent !== undefined && each * (number - 1) < extent;
};
