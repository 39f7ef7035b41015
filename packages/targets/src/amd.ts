/** AMD Zen 3 and Zen 4: AVX2 and AVX-512 as measured by this project. */

import { avx2Remainders, avx2SmallTiles, avx2Speeds, avx2Unit } from './avx2.ts';
import { avx512Unit } from './avx512.ts';
import { filterVectorKernel, imageKernel, openblasKernel, vectorKernel } from './kernels.ts';
import { avx2Kernels, avx512Kernels } from './measured-kernels.ts';
import { vectorDialectTiles } from './register-tiles.ts';
import { define, type Target } from './target.ts';

const guide = 'AMD, Software Optimization Guide for Family 19h Processors (56665), caches';
const measured = 'measured on one Zen 3 core, share of the FMA peak at K = 288';

/** AMD Zen 3, with AVX2. */
export const avx2: Target = define({
  kind: 'target',
  name: 'avx2',
  machine: {
    kind: 'machine',
    name: 'zen3',
    title: 'AMD Zen 3 server core',
    isa: 'x86-64',
    cache: {
      l1: { bytes: 32 * 1024, lineBytes: 64, latency: 4, ways: 8, sharing: 'core' },
      l2: { bytes: 512 * 1024, lineBytes: 64, latency: 12, ways: 8, sharing: 'core' },
      l3: { bytes: 32 * 1024 * 1024, lineBytes: 64, latency: 46, ways: 16, sharing: 'cluster' },
    },
    memoryLatency: 300,
    frequencyGhz: 2.6,
    vector: avx2Unit,
    flopPerCycle: 32,
    sources: {
      cache: guide,
      memoryLatency: 'default of SConvTransform',
      frequencyGhz: 'from 84 GFLOP/s measured at 32 flop a cycle on a shared server',
      vector: `${guide}; 16 ymm registers: AMD64 Architecture Programmer's Manual volume 1`,
      flopPerCycle: 'two FMA of 8 lanes a cycle (56665, floating-point unit)',
    },
  },
  microkernel: vectorKernel(16, 6, `${measured}: 94-98 %`),
  otherMicrokernels: [
    vectorKernel(24, 4, `${measured}: better than 16x6 at small K (82-91 % against 65 % at K = 32)`),
    vectorKernel(16, 4, `${measured}: as good as 16x6`),
    ...avx2SmallTiles,
    openblasKernel({
      core: 'ZEN',
      windows: 8,
      filters: 4,
      source: 'OpenBLAS 0.3.21, gotoblas table of ZEN: UNROLL_M 8, UNROLL_N 4',
    }),
    openblasKernel({
      core: 'ZEN',
      windows: 8,
      filters: 8,
      source: `${measured}: 85 %`,
    }),
    ...avx2Remainders,
  ],
  speeds: {
    ...avx2Speeds,
    // 1.05 times as fast as input stationary over the layers of TT's Figure 8 (geometric mean); zen4 1.05 over half
    // of them and ConvBench.
    schedule: 'ws',
  },
  kernels: avx2Kernels,
});

const zen4Measured = 'measured on one Zen 4 core, share of the FMA peak at K = 288';

const avx512Rows = (vectors: number, most: number): readonly number[] =>
  Array.from({ length: most }, (_, i) => Math.max(4.1, 1.02 * vectors * (i + 1)));

/** AVX-512 with our own microkernels; Zen 5, which starts two multiply-adds per cycle, runs the same code. */
export const zen4: Target = define({
  kind: 'target',
  name: 'zen4',
  machine: {
    kind: 'machine',
    name: 'zen4',
    title: 'AMD Zen 4 server core',
    isa: 'x86-64',
    cache: {
      l1: { bytes: 32 * 1024, lineBytes: 64, latency: 4, ways: 8, sharing: 'core' },
      l2: { bytes: 1024 * 1024, lineBytes: 64, latency: 14, ways: 8, sharing: 'core' },
      l3: { bytes: 32 * 1024 * 1024, lineBytes: 64, latency: 50, ways: 16, sharing: 'cluster' },
    },
    memoryLatency: 350,
    frequencyGhz: 3.6,
    vector: avx512Unit,
    flopPerCycle: 32,
    sources: {
      cache: 'AMD, Software Optimization Guide for the Zen4 Microarchitecture (57647), caches',
      memoryLatency: 'assumed: 97 ns at 3.6 GHz',
      frequencyGhz: 'from 115 GFLOP/s measured at 32 flop a cycle on a shared server',
      vector: '57647: 512-bit operations take two passes of 256 bits; 32 zmm registers',
      flopPerCycle: 'one FMA of 16 lanes a cycle (57647, floating-point unit), measured',
    },
  },
  microkernel: vectorKernel(48, 8, `${zen4Measured}: 98 %; the best on Zen 5`),
  otherMicrokernels: [
    vectorKernel(64, 6, `${zen4Measured}: 99 %`),
    vectorKernel(32, 12, `${zen4Measured}: 98 %`),
    vectorKernel(32, 8, `${zen4Measured}: 98 %`),
    vectorKernel(16, 16, `${zen4Measured}: 98 %; few windows`),
    imageKernel(
      49,
      16,
      { steps: 110, registerTile: { windows: 48, filters: 8 } },
      'outputs of 7x7 in one pass over the filters, the last window with lanes along them',
    ),
    filterVectorKernel(7, 32, 'outputs of 7x7: seven tiles without a remainder'),
    vectorKernel(16, 8, 'remainders of the windows'),
    vectorKernel(16, 1, 'remainders of the filters'),
    vectorKernel(4, 1, 'remainders of both; filters too large for L1'),
  ],
  speeds: {
    lanes: 16,
    stepCycles: [avx512Rows(1, 28), avx512Rows(2, 14), avx512Rows(3, 9), avx512Rows(4, 6)],
    passCycles: { each: 2, always: 15, transposed: 20 },
    lastWindowCycles: 1,
    registers: avx512Unit.registers,
    ...vectorDialectTiles,
    scalarCycles: 4,
    packCycles: 3,
    streamCycles: 10,
    partCycles: 500,
    steps: 400,
    schedule: 'ws',
    source: 'microkernels in a loop at K = 288 beside the peak, the best of some runs: LLVM 19 over Zen 4',
  },
  kernels: avx512Kernels,
});
