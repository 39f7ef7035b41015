/** Arm machines: the SME machine of ST, and a NEON server core. */

import type { Microkernel } from './microkernel.ts';
import { openblasKernel, vectorKernel } from './kernels.ts';
import { define, type Target } from './target.ts';

const smeKernel = (windows: number, filters: number, source: string): Microkernel => ({
  kind: 'microkernel',
  name: `sme-${windows}x${filters}`,
  windows,
  filters,
  panels: { windows, filters },
  vectorized: 'both',
  elementType: 'f32',
  generation: 'intrinsics',
  source,
});

const jena = 'Remke, Breuer: Hello SME! (SC 2024)';

/** The machine of ST. Without an L3 the constraint on K3 is dropped. */
export const sme: Target = define({
  kind: 'target',
  name: 'sme',
  machine: {
    kind: 'machine',
    name: 'apple-m4',
    title: 'Apple M4',
    isa: 'aarch64',
    cache: {
      // ST gives 192 KiB, which is the size of the instruction cache; macOS reports 128 KiB of data cache.
      l1: { bytes: 192 * 1024, lineBytes: 128, latency: 3, sharing: 'core' },
      l2: { bytes: 16 * 1024 * 1024, lineBytes: 128, latency: 15, sharing: 'cluster' },
    },
    memoryLatency: 300,
    frequencyGhz: 4.4,
    vector: {
      extension: 'NEON',
      bits: 128,
      registers: 32,
      fused: true,
      units: 4,
      broadcasts: 'one',
      prefetch: true,
    },
    matrix: { extension: 'SME', accumulators: 4, rows: 16, columns: 16, units: 2 },
    flopPerCycle: 114,
    sources: {
      'cache.l1':
        'ST Table 1; 128-byte lines: macOS hw.cachelinesize; 3 cycles: soohamurai.com, Measuring ' +
        'Cache Hierarchy on Apple M4 (0.7 ns)',
      'cache.l2': 'ST Table 1: 16 MiB shared; 15 cycles: assumed, as measured on M1 (7-cpu.com)',
      memoryLatency: 'default of SConvTransform',
      frequencyGhz: 'ST Table 1',
      vector: '32 registers: Arm ARM; four 128-bit units: assumed, as measured on M1',
      matrix: `ST Table 1: two units; SVL 512 bits, so four 16 x 16 tiles of 32-bit elements: ${jena}`,
      flopPerCycle: 'ST Table 1: 502 GFLOP/s measured at 4.4 GHz',
    },
  },
  microkernel: smeKernel(16, 16, 'one ZA tile at SVL 512; the microkernel of ST on this machine'),
  otherMicrokernels: [smeKernel(32, 32, `all four ZA tiles: ${jena}`)],
});

const trm = 'Arm Neoverse N1 Technical Reference Manual';

/** NEON on a server core (AWS Graviton2). */
export const neon: Target = define({
  kind: 'target',
  name: 'neon',
  machine: {
    kind: 'machine',
    name: 'neoverse-n1',
    title: 'Arm Neoverse N1 (AWS Graviton2)',
    isa: 'aarch64',
    cache: {
      l1: { bytes: 64 * 1024, lineBytes: 64, latency: 4, ways: 4, sharing: 'core' },
      l2: { bytes: 1024 * 1024, lineBytes: 64, latency: 11, ways: 8, sharing: 'core' },
      l3: { bytes: 32 * 1024 * 1024, lineBytes: 64, latency: 75, ways: 16, sharing: 'chip' },
    },
    memoryLatency: 250,
    frequencyGhz: 2.5,
    vector: {
      extension: 'NEON',
      bits: 128,
      registers: 32,
      fused: true,
      units: 2,
      broadcasts: 'one',
      prefetch: true,
    },
    flopPerCycle: 16,
    sources: {
      'cache.l1': `${trm}: 64 KiB, 4 ways; 4 cycles: Neoverse N1 Software Optimization Guide`,
      'cache.l2': `learn.arm.com, cache hierarchy (Graviton2): 1 MiB, 8 ways; 11 cycles: ${trm}`,
      'cache.l3':
        'learn.arm.com, cache hierarchy (Graviton2): 32 MiB; 16 ways: wikichip, Neoverse N1; 75 cycles: assumed, 30 ns',
      memoryLatency: 'assumed: 100 ns at 2.5 GHz',
      frequencyGhz: 'AWS, EC2 M6g: Graviton2 at 2.5 GHz',
      vector: 'two 128-bit pipes: Neoverse N1 Software Optimization Guide; 32 registers: Arm ARM',
      flopPerCycle: 'two FMLA of four lanes a cycle: Neoverse N1 Software Optimization Guide',
    },
  },
  microkernel: vectorKernel(8, 8, 'own choice: 16 accumulators and 3 operand registers of 32'),
  otherMicrokernels: [
    openblasKernel({
      core: 'NEOVERSEN1',
      windows: 16,
      filters: 4,
      source: 'OpenBLAS 0.3.21 param.h, NEOVERSEN1: UNROLL_M 16, UNROLL_N 4',
    }),
    vectorKernel(4, 8, 'remainders of the windows'),
    vectorKernel(8, 1, 'remainders of the filters'),
    vectorKernel(4, 1, 'remainders of both; filters too large for L1'),
  ],
});
