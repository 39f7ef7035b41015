/** Intel machines: those measured in the two SConv papers, and two with AVX2 only. */

import { avx2Remainders, avx2SmallTiles, avx2Speeds, avx2Unit } from './avx2.ts';
import { avx512Unit } from './avx512.ts';
import { openblasKernel, vectorKernel } from './kernels.ts';
import { define, type Target } from './target.ts';

const manual = 'Intel 64 and IA-32 Architectures Optimization Reference Manual (248966)';
const table = 'OpenBLAS 0.3.21, gotoblas table of SKYLAKEX: UNROLL_M 16, UNROLL_N 4';

const skylakex = (windows: number, filters: number, source: string) =>
  openblasKernel({ core: 'SKYLAKEX', windows, filters, source });

/** The AVX-512 machine of ST. */
export const avx512: Target = define({
  kind: 'target',
  name: 'avx512',
  machine: {
    kind: 'machine',
    name: 'i7-11700k',
    title: 'Intel Core i7-11700K (Rocket Lake)',
    isa: 'x86-64',
    cache: {
      l1: { bytes: 48 * 1024, lineBytes: 64, latency: 5, ways: 12, sharing: 'core' },
      l2: { bytes: 512 * 1024, lineBytes: 64, latency: 13, ways: 8, sharing: 'core' },
      l3: { bytes: 16 * 1024 * 1024, lineBytes: 64, latency: 42, ways: 16, sharing: 'chip' },
    },
    memoryLatency: 300,
    frequencyGhz: 3.6,
    vector: avx512Unit,
    flopPerCycle: 32,
    sources: {
      'cache.l1': `${manual}, Sunny Cove: 48 KiB, 12 ways, 5 cycles; ST Table 1`,
      'cache.l2': `ST Table 1; 8 ways, 13 cycles: Chips and Cheese, Raptor Lake's L2 caches (Sunny Cove client)`,
      'cache.l3':
        'ST Table 1: 16 MiB shared; 16 ways: cpuid leaf 4; 42 cycles: assumed, as for Skylake client ' +
        `(${manual})`,
      memoryLatency: 'default of SConvTransform',
      frequencyGhz: 'ST Table 1',
      vector: 'ST Table 1: one AVX-512 unit; 32 registers: Intel SDM volume 1',
      flopPerCycle: 'ST Table 1: 115 GFLOP/s measured at 3.6 GHz; one 16-lane FMA a cycle',
    },
  },
  microkernel: skylakex(16, 4, table),
  otherMicrokernels: [
    skylakex(16, 24, "SC §5.2: 16 windows x 24 filters, as the kernel's widest loop"),
    vectorKernel(16, 8, 'measured: one zmm FMA for each embedded broadcast'),
    vectorKernel(16, 1, 'remainders of the filters'),
    vectorKernel(4, 1, 'remainders of both; filters too large for L1'),
  ],
});

/** The x86 machine of SC. */
export const cascadeLake: Target = define({
  kind: 'target',
  name: 'cascade-lake',
  machine: {
    kind: 'machine',
    name: 'xeon-silver-cascade-lake',
    title: 'Intel Xeon Silver (Cascade Lake)',
    isa: 'x86-64',
    cache: {
      l1: { bytes: 32 * 1024, lineBytes: 64, latency: 4, ways: 8, sharing: 'core' },
      l2: { bytes: 1024 * 1024, lineBytes: 64, latency: 14, ways: 16, sharing: 'core' },
      l3: { bytes: 4 * 1024 * 1024, lineBytes: 64, latency: 77, sharing: 'chip' },
    },
    memoryLatency: 200,
    frequencyGhz: 2.1,
    vector: avx512Unit,
    flopPerCycle: 32,
    sources: {
      'cache.l1': `SC Table 1; 8 ways, 4 cycles: AnandTech 11550 (Skylake-SP)`,
      'cache.l2': `SC Table 1; 16 ways: AnandTech 11550; 14 cycles: ${manual}, Skylake server`,
      'cache.l3': 'SC Table 1: 4 MB; 77 cycles: AnandTech 11550 (Skylake-SP)',
      memoryLatency: 'assumed: 95 ns to local DDR4 at 2.1 GHz',
      frequencyGhz: 'SC Table 1',
      vector: 'SC Table 1: one AVX-512 unit; 32 registers: Intel SDM volume 1',
      flopPerCycle: 'SC Table 1: 67.2 GFLOP/s at 2.1 GHz',
    },
  },
  microkernel: skylakex(16, 24, 'SC §5.2: 16 windows x 24 filters'),
  otherMicrokernels: [
    skylakex(16, 4, table),
    vectorKernel(16, 1, 'remainders of the filters'),
    vectorKernel(4, 1, 'remainders of both; filters too large for L1'),
  ],
});

const haswellKernel = openblasKernel({
  core: 'HASWELL',
  windows: 8,
  filters: 4,
  source: 'OpenBLAS 0.3.21, gotoblas table of HASWELL: UNROLL_M 8, UNROLL_N 4',
});

/** AVX2 on the microarchitecture that introduced it. */
export const haswell: Target = define({
  kind: 'target',
  name: 'haswell',
  machine: {
    kind: 'machine',
    name: 'i7-4770',
    title: 'Intel Core i7-4770 (Haswell)',
    isa: 'x86-64',
    cache: {
      l1: { bytes: 32 * 1024, lineBytes: 64, latency: 4, ways: 8, sharing: 'core' },
      l2: { bytes: 256 * 1024, lineBytes: 64, latency: 12, ways: 8, sharing: 'core' },
      l3: { bytes: 8 * 1024 * 1024, lineBytes: 64, latency: 36, ways: 16, sharing: 'chip' },
    },
    memoryLatency: 230,
    frequencyGhz: 3.4,
    vector: avx2Unit,
    flopPerCycle: 32,
    sources: {
      cache: '7-cpu.com, Intel Haswell (i7-4770): sizes, lines, ways, cycles; L3 ways: cpuid leaf 4',
      memoryLatency: '7-cpu.com, Intel Haswell: 36 cycles + 57 ns at 3.4 GHz',
      frequencyGhz: '7-cpu.com, Intel Haswell',
      vector: 'Intel SDM volume 1: 16 ymm registers; two FMA ports: uops.info',
      flopPerCycle: 'two FMA of 8 lanes a cycle: uops.info, VFMADD231PS on Haswell',
    },
  },
  microkernel: vectorKernel(16, 6, 'measured: llvm-mca 12 cycles for 24 FMA (ideal 12)'),
  otherMicrokernels: [haswellKernel, ...avx2Remainders],
});

const goldenCove = 'a loop of its instructions on one core of a Xeon with AMX, data in L1';

/** Intel's desktop processors since 2021: performance cores without AVX-512. */
export const alderLake: Target = define({
  kind: 'target',
  name: 'alder-lake',
  machine: {
    kind: 'machine',
    name: 'i9-12900k',
    title: 'Intel Core i9-12900K (Alder Lake), a performance core',
    isa: 'x86-64',
    cache: {
      l1: { bytes: 48 * 1024, lineBytes: 64, latency: 5, ways: 12, sharing: 'core' },
      l2: { bytes: 1280 * 1024, lineBytes: 64, latency: 15, ways: 10, sharing: 'core' },
      l3: { bytes: 30 * 1024 * 1024, lineBytes: 64, latency: 65, ways: 12, sharing: 'chip' },
    },
    memoryLatency: 460,
    frequencyGhz: 5.1,
    vector: avx2Unit,
    flopPerCycle: 32,
    sources: {
      'cache.l1': `${manual}, Golden Cove: 48 KiB, 12 ways, 5 cycles`,
      'cache.l2': `${manual}, Golden Cove: 1.25 MiB, 10 ways, 15 cycles`,
      'cache.l3': 'ark.intel.com: 30 MB; 12 ways and 65 cycles: assumed',
      memoryLatency: 'assumed: 90 ns at 5.1 GHz',
      frequencyGhz: 'ark.intel.com: maximum turbo of the performance cores',
      vector: 'Intel SDM volume 1: 16 ymm registers; two FMA ports: uops.info',
      flopPerCycle: 'two FMA of 8 lanes a cycle: uops.info, VFMADD231PS on Alder Lake P',
    },
  },
  microkernel: vectorKernel(24, 4, `${goldenCove}: 99 % at K = 288`),
  otherMicrokernels: [
    vectorKernel(16, 6, `${goldenCove}: 99 % at K = 288`),
    vectorKernel(16, 4, 'fewer filters'),
    ...avx2SmallTiles,
    haswellKernel,
    ...avx2Remainders,
  ],
  speeds: {
    ...avx2Speeds,
    // Input stationary keeps panels of 24 windows in L1 while those of 4 filters stream past: 1.04 times as fast over
    // half of ConvBench's rows, 1.15 over half of TT's Figure 8. With few steps it matters more that outputs are
    // written row by row: weight stationary is up to twice as fast.
    schedule: 'ws',
    scheduleUpToSteps: 32,
  },
});
