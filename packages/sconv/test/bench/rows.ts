/** Made-up figures, for testing what is derived from them. */
import { parseShape } from '@sconv/csa';
import type { Row, SideFigures } from '../../src/bench/figures.ts';
import type { Spread } from '../../src/bench/statistics.ts';

/** A median with quartiles 10 % around it. */
const around = (median: number): Spread => ({
  median,
  low: 0.9 * median,
  high: 1.1 * median,
  samples: 3,
});

export const sideOf = (
  name: string,
  values: {
    readonly how?: string;
    readonly seconds?: number;
    readonly leastSeconds?: number;
    readonly gflops?: number;
    readonly peakShare?: number;
    readonly bandwidthShare?: number;
    readonly ratio?: number;
  },
): SideFigures => ({
  name,
  how: values.how ?? null,
  seconds: around(values.seconds ?? 1e-3),
  leastSeconds: values.leastSeconds ?? 0.8 * (values.seconds ?? 1e-3),
  calls: 20,
  gflops: values.gflops ?? null,
  peakShare: values.peakShare === undefined ? null : around(values.peakShare),
  bandwidthShare: values.bandwidthShare === undefined ? null : around(values.bandwidthShare),
  ratio: values.ratio === undefined ? null : around(values.ratio),
});

export const rowOf = (sides: readonly SideFigures[], values: Partial<Row> = {}): Row => ({
  name: '',
  shape: parseShape('1x2x8x8,4x2x3x3'),
  threads: 1,
  flop: 2e6,
  flopPerByte: 12.5,
  sides,
  failed: [],
  ...values,
});
