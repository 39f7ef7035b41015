/**
 * Numbers of the IR are JS numbers where they are sizes, offsets, strides and bounds, exact up to 2^53. What is
 * beyond is refused where it enters the IR, as an `affine/overflow`, which becomes a failure where an edit ends.
 */
import { exact, isAffineError } from '@sconv/affine';
import type { Diagnosed, Location } from '@sconv/diagnostics';
import { error, expectList, silenceable } from '@sconv/diagnostics';
import { DYNAMIC } from './dynamic.ts';

/** The sizes, offsets or strides, frozen. Throws an `affine/overflow` for one that is not exact; `DYNAMIC` passes. */
export const exactSizes = (sizes: readonly number[]): readonly number[] => {
  expectList('a list of sizes', sizes);
  for (const size of sizes) if (size !== DYNAMIC) exact(size);
  return Object.freeze([...sizes]);
};

/** The result of `body`; a silenceable failure with `code` where numbers pass 2^53, or what they give is not affine. */
export const failingInexact = <T>(
  code: string,
  location: Location,
  body: () => Diagnosed<T>,
): Diagnosed<T> => {
  try {
    return body();
  } catch (problem) {
    if (!isAffineError(problem)) throw problem;
    return silenceable(error(code, `the numbers here cannot be computed with: ${problem.message}`, location));
  }
};
