/** Comparisons of floats. */

/** The comparisons of `arith.cmpf`, in predicate order. */
export const floatComparisons: readonly ((a: number, b: number) => boolean)[] = [
  () => false,
  (a, b) => a === b,
  (a, b) => a > b,
  (a, b) => a >= b,
  (a, b) => a < b,
  (a, b) => a <= b,
  (a, b) => a < b || a > b,
  (a, b) => !Number.isNaN(a) && !Number.isNaN(b),
  (a, b) => !(a < b || a > b),
  (a, b) => !(a <= b),
  (a, b) => !(a < b),
  (a, b) => !(a >= b),
  (a, b) => !(a > b),
  (a, b) => a !== b,
  (a, b) => Number.isNaN(a) || Number.isNaN(b),
  () => true,
];
