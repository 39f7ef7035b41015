/** What the report of a tuned contraction says. */
import type { TuningRecord } from '@sconv/tuning';
import { measured } from '@sconv/tuning';
import type { TunedWorkload } from './tune.ts';

/** Figures of a contraction's candidates. */
export interface TuningSummary {
  readonly candidates: number;
  /** Candidates whose code is that of another one. */
  readonly duplicates: number;
  /** By what is wrong with them, `correct` first. */
  readonly counts: Readonly<Partial<Record<TuningRecord['invalidity'], number>>>;
  /** Of which a block was measured while the machine changed its speed. */
  readonly noisy: number;
  /** Of predicted costs and measured times, from -1 to 1; undefined for fewer than three. */
  readonly rankCorrelation: number | undefined;
}

export const summaryOf = ({ records, duplicates }: TunedWorkload): TuningSummary => {
  const counts: Partial<Record<TuningRecord['invalidity'], number>> = {};
  for (const { invalidity } of records) counts[invalidity] = (counts[invalidity] ?? 0) + 1;
  return {
    candidates: records.length + duplicates,
    duplicates,
    counts,
    noisy: records.filter(({ noisy }) => noisy === true).length,
    rankCorrelation: rankCorrelation(predictions(records)),
  };
};

/** The predicted cost and the ratio of each record with both. */
export const predictions = (
  records: readonly TuningRecord[],
): readonly (readonly [predicted: number, ratio: number])[] =>
  records.flatMap((record) => {
    const [predicted, ratio] = [measured(record, 'predicted'), measured(record, 'ratio')];
    return predicted === undefined || ratio === undefined ? [] : [[predicted, ratio] as const];
  });

/** Spearman's. */
const rankCorrelation = (pairs: readonly (readonly [number, number])[]): number | undefined => {
  const count = pairs.length;
  if (count < 3) return undefined;
  const [a, b] = [ranks(pairs.map(([first]) => first)), ranks(pairs.map(([, second]) => second))];
  const mean = (count - 1) / 2;
  let [product, squaresOfA, squaresOfB] = [0, 0, 0];
  for (let i = 0; i < count; i += 1) {
    product += (a[i]! - mean) * (b[i]! - mean);
    squaresOfA += (a[i]! - mean) ** 2;
    squaresOfB += (b[i]! - mean) ** 2;
  }
  return squaresOfA === 0 || squaresOfB === 0 ? undefined : product / Math.sqrt(squaresOfA * squaresOfB);
};

/** The rank of each value; equal ones share the mean of theirs. */
const ranks = (values: readonly number[]): readonly number[] =>
  values.map((value) => {
    const below = values.filter((each) => each < value).length;
    return below + (values.filter((each) => each === value).length - 1) / 2;
  });
