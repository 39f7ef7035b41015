/** Test data that makes every sum exact. */

import { describeValue } from '@sconv/diagnostics';

/** A gigabyte. */
const mostData = 2 ** 28;

/** Seeded pseudo-random 32-bit integers (mulberry32). */
export const randomIntegers = (seed: number): (() => number) => {
  if (typeof (seed as unknown) !== 'number')
    throw new TypeError(`expected a seed, not ${describeValue(seed)}`);
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
};

/**
 * `count` seeded integers from `-range` to `range`. Sums of up to 2^24 / range^2 products of two such data sets are
 * exact in f32 in any order: a million for the default range of 4.
 */
export const integerData = (count: number, seed: number, range = 4): ReturnType<typeof Float32Array.of> => {
  if (!Number.isSafeInteger(count) || count < 0 || count > mostData)
    throw new RangeError(`expected a number of elements up to 2^28, not ${describeValue(count)}`);
  const next = randomIntegers(seed);
  const data = new Float32Array(count);
  for (let i = 0; i < count; i++) data[i] = (next() % (2 * range + 1)) - range;
  return data;
};
