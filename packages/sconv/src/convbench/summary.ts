/** The summary of records: one line per dataset. */
import { geometricMean, spreadOf } from '../bench/statistics.ts';
import type { Entry } from './records.ts';

/** A dataset's rows, aggregated. */
export interface DatasetSummary {
  readonly dataset: string;
  readonly rows: number;
  readonly right: number;
  readonly wrong: number;
  readonly failed: number;
  /** Rows with windows or filters computed outside microkernels. */
  readonly withScalar: number;
  /** Geometric mean; null if nothing was timed. */
  readonly gflops: number | null;
  /** Shares of the peak: quartiles and extremes; null without a peak. */
  readonly peakShare: {
    readonly least: number;
    readonly low: number;
    readonly median: number;
    readonly high: number;
    readonly greatest: number;
  } | null;
}

export const datasetOf = ({ row }: Entry): string => row.slice(0, row.lastIndexOf(':'));

/** A summary per dataset, in order of appearance. */
export const summarise = (entries: readonly Entry[]): readonly DatasetSummary[] => {
  const datasets = new Map<string, Entry[]>();
  for (const entry of entries) {
    const own = datasets.get(datasetOf(entry)) ?? [];
    own.push(entry);
    datasets.set(datasetOf(entry), own);
  }
  return [...datasets].map(([dataset, rows]) => {
    const count = (check: Entry['check']): number => rows.filter((entry) => entry.check === check).length;
    const shares = rows.flatMap(({ peakShare }) => peakShare ?? []);
    const { low, median, high } = shares.length === 0 ? {} : spreadOf(shares);
    return {
      dataset,
      rows: rows.length,
      right: count('right'),
      wrong: count('wrong'),
      failed: count('failed'),
      withScalar: rows.filter(({ kernels }) => kernels?.includes('scalar') === true).length,
      gflops: geometricMean(rows.flatMap(({ gflops }) => gflops ?? [])) ?? null,
      peakShare:
        low === undefined || median === undefined || high === undefined
          ? null
          : { least: Math.min(...shares), low, median, high, greatest: Math.max(...shares) },
    };
  });
};

const two = (value: number): string => value.toFixed(2);

/** The summaries as a text table. */
export const printSummary = (summaries: readonly DatasetSummary[]): string => {
  const header = ['dataset', 'rows', 'right', 'wrong', 'failed', 'with scalar code', 'GFLOP/s', 'of peak'];
  const rows = summaries.map(
    ({ dataset, rows: all, right, wrong, failed, withScalar, gflops, peakShare }) => [
      dataset,
      ...[all, right, wrong, failed, withScalar].map(String),
      gflops === null ? '-' : gflops.toFixed(1),
      peakShare === null
        ? '-'
        : `${two(peakShare.median)} (${two(peakShare.low)}-${two(peakShare.high)}), ` +
          `${two(peakShare.least)} to ${two(peakShare.greatest)}`,
    ],
  );
  const widths = header.map((_, i) => Math.max(...[header, ...rows].map((cells) => cells[i]!.length)));
  return [header, ...rows]
    .map(
      (cells) =>
        `${cells
          .map((cell, i) => cell.padEnd(widths[i]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
};

/** The rows that are not right, and why: the first few for each reason. */
export const printProblems = (entries: readonly Entry[]): string => {
  const reasons = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.check === 'right') continue;
    const key = `${entry.check}: ${entry.reason ?? 'no reason'}`;
    const own = reasons.get(key) ?? [];
    own.push(entry);
    reasons.set(key, own);
  }
  return [...reasons]
    .map(([key, rows]) => {
      const named = rows.slice(0, 3).map(({ row, shape }) => `${row} (${shape})`);
      const more = rows.length > named.length ? ` and ${rows.length - named.length} more` : '';
      return `${key}: ${named.join(', ')}${more}\n`;
    })
    .join('');
};
