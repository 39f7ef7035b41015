/** What there is to see of many numbers. */

/** Of the elements of an output. */
export interface Summary {
  readonly least: number;
  readonly greatest: number;
  readonly mean: number;
  /** The five greatest of a vector of classes, with their numbers; none of other outputs. */
  readonly classes: readonly { readonly index: number; readonly value: number }[];
}

/** Sums up an output of this shape. */
export const summaryOf = (shape: readonly number[], values: readonly number[]): Summary => {
  let [least, greatest, sum] = [Infinity, -Infinity, 0];
  for (const value of values) {
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
    sum += value;
  }
  const isVector = shape.filter((size) => size > 1).length === 1 && values.length >= 10;
  const classes = isVector
    ? values
        .map((value, index) => ({ index, value }))
        .sort((a, b) => b.value - a.value)
        .slice(0, 5)
    : [];
  return { least, greatest, mean: sum / values.length, classes };
};

/** The middle one of sorted times, or the mean of the middle two. */
export const median = (times: readonly number[]): number => {
  const sorted = times.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
};
