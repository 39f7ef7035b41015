/** The figures of a benchmark as data, from which tables, pictures and JSON are made. */
import type { ConvolutionShape } from '@sconv/csa';
import type { FilterUse } from './implementation.ts';
import type { Spread } from './statistics.ts';
import { geometricMean } from './statistics.ts';

/** One side's figures. */
export interface SideFigures {
  readonly name: string;
  /** How it is computed, if the side tells: the plan. */
  readonly how: string | null;
  /** Of one call. */
  readonly seconds: Spread;
  /** Of all timed calls, including the warm-up. */
  readonly leastSeconds: number;
  /** Calls per sample. */
  readonly calls: number;
  /** From the median; null if the work is unknown. */
  readonly gflops: number | null;
  /**
   * Share of the peak of the same instructions, measured next to each sample; null for code with unknown instructions.
   */
  readonly peakShare: Spread | null;
  /**
   * The time to read input and filters and write the output once, over the time of the call; null if the call is not
   * bandwidth-bound.
   */
  readonly bandwidthShare: Spread | null;
  /** Its time over the first side's, per round: above 1, the first is faster. Null for the first. */
  readonly ratio: Spread | null;
}

/** A side without figures. */
export interface FailedSide {
  readonly name: string;
  readonly reason: string;
}

/** Figures of one convolution, or of one payload. */
export interface Row {
  /** Its name at its origin; empty for a shape given by the user. */
  readonly name: string;
  /** Null for a matrix product, and for a payload that is not a single convolution. */
  readonly shape: ConvolutionShape | null;
  /** Of every side. */
  readonly threads: number;
  readonly flop: number | null;
  readonly flopPerByte: number | null;
  readonly sides: readonly SideFigures[];
  readonly failed: readonly FailedSide[];
}

/** Rows that are aggregated together. */
export interface Group {
  /** The set they belong to; empty for shapes given by the user. */
  readonly set: string;
  /** Null for payloads, and for matrix products, whose operands all are arguments. */
  readonly filters: FilterUse | null;
  readonly rows: readonly Row[];
}

/** Geometric means of one side over the rows of a group with figures for it; null if there are none. */
export interface Means {
  readonly name: string;
  readonly rows: number;
  readonly gflops: number | null;
  readonly peakShare: number | null;
  readonly bandwidthShare: number | null;
  readonly ratio: number | null;
  /** The least ratio, the number of rows with one, and the number where it is below 1. */
  readonly leastRatio: number | null;
  readonly comparedRows: number;
  readonly slowerRows: number;
}

/** A side whose median exceeds its least time by this factor counts as disturbed. */
export const disturbedFrom = 1.25;

/** Whether the machine was busy otherwise: the call can be much faster than in most samples. */
export const isDisturbed = ({ seconds, leastSeconds }: SideFigures): boolean =>
  seconds.median > disturbedFrom * leastSeconds;

const isThere = <T>(value: T | null): value is T => value !== null;

/** The means of each side that appears in the group. */
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
