/** The statistic of repeated times. */

/**
 * The median: for an even number of values the mean of the middle two. Of 20 runs, TT's rule, to drop the 5 best and
 * the 5 worst and take the median of the others (§7), gives the same. NaN without values.
 */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle - 1)]! + sorted[Math.floor(middle)]!) / 2;
};
