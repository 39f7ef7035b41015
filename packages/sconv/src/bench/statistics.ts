/** The few statistics for measurements on a shared machine. */

/** The middle half of the samples of a quantity. */
export interface Spread {
  readonly median: number;
  /** Quartiles. */
  readonly low: number;
  readonly high: number;
  readonly samples: number;
}

/** The `fraction` quantile of sorted values, interpolated between neighbours. */
const quantile = (sorted: readonly number[], fraction: number): number => {
  const place = (sorted.length - 1) * fraction;
  const below = sorted[Math.floor(place)]!;
  return below + (sorted[Math.ceil(place)]! - below) * (place - Math.floor(place));
};

/** Median and quartiles. Throws a RangeError without values. */
export const spreadOf = (values: readonly number[]): Spread => {
  if (values.length === 0) throw new RangeError('no values');
  const sorted = [...values].sort((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.25),
    high: quantile(sorted, 0.75),
    samples: sorted.length,
  };
};

/** The geometric mean; undefined without values. */
export const geometricMean = (values: readonly number[]): number | undefined =>
  values.length === 0
    ? undefined
    : Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
