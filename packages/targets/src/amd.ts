/** AMD's Zen 3: AVX2 as this project measures it. */

import { openblasKernel, vectorKernel } from './kernels.ts';
import { define, type Target } from './target.ts';

const guide = 'AMD, Software Optimization Guide for Family 19h Processors (56665), caches';
const clang = '--target=x86_64-linux-gnu -march=znver3';
const measured = 'measured on one Zen 3 core, share of the FMA peak at K = 288';

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
    vector: { extension: 'AVX2', bits: 256, registers: 16, fused: true, units: 2, broadcasts: 'one' },
    flopPerCycle: 32,
    sources: {
      cache: guide,
      memoryLatency: 'default of SConvTransform',
      frequencyGhz: 'from 84 GFLOP/s measured at 32 flop a cycle on a shared server',
      vector: `${guide}; 16 ymm registers: AMD64 Architecture Programmer's Manual volume 1`,
      flopPerCycle: 'two FMA of 8 lanes a cycle (56665, floating-point unit)',
    },
  },
  microkernel: vectorKernel(16, 6, { clang }, `${measured}: 94-98 %`),
  otherMicrokernels: [
    vectorKernel(
      24,
      4,
      { clang },
      `${measured}: better than 16x6 at small K (82-91 % against 65 % at K = 32)`,
    ),
    vectorKernel(16, 4, { clang }, `${measured}: as good as 16x6`),
    openblasKernel({
      core: 'ZEN',
      windows: 8,
      filters: 4,
      clang,
      source: 'OpenBLAS 0.3.21, gotoblas table of ZEN: UNROLL_M 8, UNROLL_N 4',
    }),
    openblasKernel({
      core: 'ZEN',
      windows: 8,
      filters: 8,
      clang,
      source: `${measured}: 85 %`,
    }),
    vectorKernel(8, 6, { clang }, 'remainders of the windows'),
    vectorKernel(8, 1, { clang }, 'remainders of the filters'),
    vectorKernel(4, 1, { clang }, 'remainders of both; filters too large for L1'),
  ],
});
