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

/** What there may be in a distribution to threads. */
export interface PartOptions {
  /** Last parts without iterations. */
  readonly empty: boolean;
  /** Windows, of which a part without iterations begins at the end of the range, so that it is within the operand. */
  readonly windows: boolean;
}

/**
 * The part of thread `thread` of `threads`, each with `size` of `range` iterations.
 *
 * @deviation Upstream's parts without iterations begin beyond the range, which windows must not.
 */
export const partOfThread = (
  rewriter: Rewriter,
  thread: Value,
  threads: MixedIndex,
  range: MixedIndex,
  size: MixedIndex,
  mayHave: PartOptions,
): { readonly offset: MixedIndex; readonly size: MixedIndex } => {
  const offset = applyFolded(rewriter, start, [thread, size]);
  const beyond = applyFolded(rewriter, overrun, [threads, size, range]);
  let taken = size;
  if (indexNumber(rewriter, beyond) !== 0) {
    const remaining = applyFolded(rewriter, left, [offset, range]);
    taken = minFolded(rewriter, identityMap(2), [remaining, size]);
  }
  if (!mayHave.empty || endsWithin(rewriter, taken, threads, range)) return { offset, size: taken };
  const begin = mayHave.windows ? minFolded(rewriter, identityMap(2), [offset, range]) : offset;
  return { offset: begin, size: maxFolded(rewriter, identityMap(2), [0, taken]) };
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
