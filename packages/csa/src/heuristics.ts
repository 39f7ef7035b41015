/** Searches for the largest useful value of one parameter under a monotone constraint. */

import { describeValue } from '@sconv/diagnostics';
import { CsaError } from './errors.ts';

/** `exhaustive` searches all three parameters jointly; the others one after the other. */
export type Heuristic = 'halving' | 'binary-search' | 'divisors' | 'exhaustive';

export const heuristics: readonly Heuristic[] = ['halving', 'binary-search', 'divisors', 'exhaustive'];

/** Picks a value in 1..largest; 1 where no value satisfies the constraint, so the caller has to check. */
export type Search = (largest: number, holds: (value: number) => boolean) => number;

/** SC §4.1: start at the largest value and halve until the constraint holds. */
export const halving: Search = (largest, holds) => {
  let value = largest;
  // @deviation The authors' implementation never terminates if even 0 does not fit; here the search stops at 1.
  while (value > 1 && !holds(value)) value = Math.floor(value / 2);
  return Math.max(value, 1);
};

/** Proposed in SC §9: the largest valid value, in logarithmic time since the constraint is monotone. */
export const binarySearch: Search = (largest, holds) => {
  let fits = 1;
  let exceeds = largest + 1;
  while (exceeds - fits > 1) {
    const middle = Math.floor((fits + exceeds) / 2);
    if (holds(middle)) fits = middle;
    else exceeds = middle;
  }
  return fits;
};

/** The largest divisor that fits, so that no remainder is left for an edge kernel (TT §5.3). */
export const divisors: Search = (largest, holds) => {
  let best = 1;
  for (let small = 1; small * small <= largest; small += 1) {
    if (largest % small !== 0) continue;
    const large = largest / small;
    if (holds(large)) return large;
    if (holds(small)) best = small;
  }
  return best;
};

/** Convolutions have no more elements. */
const largestSize = 2 ** 40;

/**
 * Candidate values for a dimension of `size`, descending. Per number of blocks the smallest value that yields it, since
 * a larger one gives as many blocks, less even: about 2√size values, thinned out to `limit`, plus all values that
 * halving tries. Independent of the machine, so a larger cache only ever adds candidates.
 */
export const candidateSizes = (size: number, limit: number): readonly number[] => {
  if (!Number.isSafeInteger(size) || size < 0 || size > largestSize)
    throw new CsaError(
      'csa/not-positive',
      'size',
      `expected a size of at least 0, not ${describeValue(size)}`,
    );
  if (typeof limit !== 'number' || !(limit > 0))
    throw new CsaError('csa/not-positive', 'limit', `expected a number above 0, not ${describeValue(limit)}`);
  const even: number[] = [];
  for (let value = size; value > 0;) {
    even.push(value);
    const blocks = Math.ceil(size / value);
    value = Math.min(value - 1, Math.ceil(size / (blocks + 1)));
  }
  const step = Math.max(1, (even.length - 1) / (limit - 1));
  const kept = Array.from(
    { length: Math.min(even.length, limit) },
    (_, index) => even[Math.round(index * step)] ?? 1,
  );
  const halves: number[] = [];
  for (let value = size; value > 0; value = Math.floor(value / 2)) halves.push(value);
  return [...new Set([...kept, ...halves])].sort((a, b) => b - a);
};
