/** How far floats may be off in a check. */

export type Numbers = ArrayLike<number> | ArrayLike<bigint>;

/** The rounding error allowed per element, relative to the largest one, if no tolerance is given. */
export const roundingTolerance = 1e-5;

/** The largest magnitude of a finite element: one that is infinite must not excuse the others. */
export const largest = (values: Numbers): number => {
  let most = 0;
  for (const value of Array.from<number | bigint>(values)) {
    const magnitude = Math.abs(Number(value));
    if (magnitude > most && magnitude < Infinity) most = magnitude;
  }
  return most;
};
