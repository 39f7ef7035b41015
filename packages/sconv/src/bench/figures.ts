/** The figures of a benchmark, as data: what is printed, drawn and written as JSON is made of them. */
import type { ConvolutionShape } from '@sconv/csa';
import type { FilterUse } from './implementation.ts';
import type { Spread } from './statistics.ts';
import { geometricMean } from './statistics.ts';

/** One side's figures. */
export interface SideFigures {
  readonly name: string;
  /** How it is done, where the side says so: the plan. */
  readonly how: string | null;
  /** Of one call. */
  readonly seconds: Spread;
  /** Of all that was timed, the warm-up included. */
  readonly leastSeconds: number;
  /** Calls of a sample. */
  readonly calls: number;
  /** Of the median; null where the work is not known. */
  readonly gflops: number | null;
  /** Share of the peak of the same instructions, measured beside each sample; null for what is not WebAssembly. */
  readonly peakShare: Spread | null;
  /**
   * The time of reading input and filters and writing the output once, over the time of the call; null where the speed is
   * not a matter of the bandwidth.
   */
  readonly bandwidthShare: Spread | null;
  /** Its time over that of the first side, round by round: above 1, the first one is faster. Null for the first. */
  readonly ratio: Spread | null;
}

/** A side that gave no figures. */
export interface FailedSide {
  readonly name: string;
  readonly reason: string;
}

/** Figures of one convolution, or of one payload. */
export interface Row {
  /** What it is called where it comes from; empty for a shape that was given. */
  readonly name: string;
  /** Null for a payload that is not one convolution. */
  readonly shape: ConvolutionShape | null;
  /** Of every side. */
  readonly threads: number;
  readonly flop: number | null;
  readonly flopPerByte: number | null;
  readonly sides: readonly SideFigures[];
  readonly failed: readonly FailedSide[];
}

/** Rows that are summed up together. */
export interface Group {
  /** The set that they are of; empty for what was given. */
  readonly set: string;
  /** Null for payloads. */
  readonly filters: FilterUse | null;
  readonly rows: readonly Row[];
}

/** Geometric means of one side over the rows of a group that it has figures for; null where there are none. */
export interface Means {
  readonly name: string;
  readonly rows: number;
  readonly gflops: number | null;
  readonly peakShare: number | null;
  readonly bandwidthShare: number | null;
  readonly ratio: number | null;
  /** The least ratio, on how many rows there is one, and on how many it is below 1. */
  readonly leastRatio: number | null;
  readonly comparedRows: number;
  readonly slowerRows: number;
}

/** A side whose median is so many times its least time counts as disturbed. */
export const disturbedFrom = 1.25;

/** Whether the machine was busy with something else: the call can do much better than it did in most samples. */
export const isDisturbed = ({ seconds, leastSeconds }: SideFigures): boolean =>
  seconds.median > disturbedFrom * leastSeconds;

const isThere = <T>(value: T | null): value is T => value !== null;

/** The means of each side that a row of the group has. */
export const meansOf = ({ rows }: Pick<Group, 'rows'>): readonly Means[] => {
  const names = [...new Set(rows.flatMap(({ sides }) => sides.map(({ name }) => name)))];
  return names.map((name) => {
    const figures = rows.flatMap(({ sides }) => sides.filter((side) => side.name === name));
    const mean = (value: (side: SideFigures) => number | null) =>
      geometricMean(figures.map(value).filter(isThere)) ?? null;
    const ratios = figures.map(({ ratio }) => ratio?.median ?? null).filter(isThere);
    return {
      name,
      rows: figures.length,
      gflops: mean(({ gflops }) => gflops),
      peakShare: mean(({ peakShare }) => peakShare?.median ?? null),
      bandwidthShare: mean(({ bandwidthShare }) => bandwidthShare?.median ?? null),
      ratio: geometricMean(ratios) ?? null,
      leastRatio: ratios.length === 0 ? null : Math.min(...ratios),
      comparedRows: ratios.length,
      slowerRows: ratios.filter((ratio) => ratio < 1).length,
    };
  });
};
