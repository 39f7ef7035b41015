/** What targets with AVX2 share, AMD's and Intel's: the vector unit, microkernels, and their speeds. */

import { filterVectorKernel, imageKernel, vectorKernel } from './kernels.ts';
import type { KernelSpeeds } from './kernel-speeds.ts';
import type { Microkernel } from './microkernel.ts';
import { vectorDialectTiles } from './register-tiles.ts';

/** Since Haswell and Zen 2. */
export const avx2Unit = {
  extension: 'AVX2',
  bits: 256,
  registers: 16,
  fused: true,
  units: 2,
  broadcasts: 'one',
  maskedLoads: 32,
  pairProducts: 'pmaddwd',
  prefetch: true,
} as const;

/** With one row of window vectors the sums are latency-bound; more than 16 registers spill. */
export const avx2Speeds: KernelSpeeds = {
  lanes: 8,
  stepCycles: [
    [4, 4, 4, 4, 4.05, 4.1, 4.4, 6.1, 5.9, 6.4, 6.5, 6.9, 7.5],
    [4, 4, 4.6, 4.5, 5.4, 6.3],
    [4, 4.05, 4.9, 6],
    [4.1, 4.6],
  ],
  passCycles: { each: 1.5, always: 15, transposed: 12 },
  lastWindowCycles: 1.5,
  registers: avx2Unit.registers,
  ...vectorDialectTiles,
  scalarCycles: 4,
  packCycles: 2,
  streamCycles: 5,
  partCycles: 500,
  // With more steps, 24 windows leave no room in L1.
  steps: 300,
  source:
    'microkernels in a loop at K = 288 beside the peak, the best of some runs: LLVM 19 over Zen 4 with AVX2',
};

/** Tiles for outputs of few windows. */
export const avx2SmallTiles: readonly Microkernel[] = [
  imageKernel(
    49,
    8,
    { steps: 100, registerTile: { windows: 24, filters: 4 } },
    'outputs of 7x7 in one pass over the filters, the last window with lanes along them',
  ),
  filterVectorKernel(4, 24, 'outputs of 7x7, which fill tiles of 24 windows badly'),
  filterVectorKernel(6, 16, 'the same for fewer filters'),
];

/** What computes the edges of larger tiles. */
export const avx2Remainders: readonly Microkernel[] = [
  vectorKernel(8, 6, 'remainders of the windows'),
  vectorKernel(8, 1, 'remainders of the filters'),
  vectorKernel(4, 1, 'remainders of both; filters too large for L1'),
];
