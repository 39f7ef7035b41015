/** IBM POWER10: the MMA machine of ST, and SC's. */

import type { Microkernel } from './microkernel.ts';
import { openblasKernel, vectorKernel } from './kernels.ts';
import { define, derive, type Target } from './target.ts';

const hotChips = "Starke, Thompto: IBM's POWER10 Processor, Hot Chips 32 (2020)";

const intrinsics = (windows: number, filters: number, source: string): Microkernel => ({
  kind: 'microkernel',
  name: `mma-${windows}x${filters}`,
  windows,
  filters,
  panels: { windows, filters },
  vectorized: 'both',
  elementType: 'f32',
  generation: 'intrinsics',
  source,
});

/** The machine of ST. */
export const mma: Target = define({
  kind: 'target',
  name: 'mma',
  machine: {
    kind: 'machine',
    name: 'power10-e1080',
    title: 'IBM Power E1080 (POWER10)',
    isa: 'ppc64le',
    cache: {
      l1: { bytes: 32 * 1024, lineBytes: 128, latency: 4, ways: 8, sharing: 'core' },
      l2: { bytes: 1024 * 1024, lineBytes: 128, latency: 13.5, ways: 8, sharing: 'core' },
      l3: { bytes: 4 * 1024 * 1024, lineBytes: 128, latency: 27.5, ways: 16, sharing: 'core' },
    },
    memoryLatency: 300,
    frequencyGhz: 2.7,
    vector: {
      extension: 'VSX',
      bits: 128,
      registers: 64,
      fused: true,
      units: 1,
      broadcasts: 'one',
      prefetch: true,
    },
    matrix: { extension: 'MMA', accumulators: 8, rows: 4, columns: 4, units: 1 },
    flopPerCycle: 32,
    sources: {
      'cache.l1': `ST Table 1; 128-byte lines: Power ISA implementations; 4 cycles: ${hotChips}; 8 ways: assumed`,
      'cache.l2': `ST Table 1; 13.5 cycles: ${hotChips}; 8 ways: assumed`,
      'cache.l3': `ST Table 1: 4 MiB; 27.5 cycles: ${hotChips}; 16 ways: assumed`,
      memoryLatency: 'default of SConvTransform',
      frequencyGhz: 'ST Table 1',
      vector: 'ST Table 1: one VSX unit; 64 VSRs: Power ISA 3.1',
      matrix: 'ST Table 1: one MMA unit; 8 accumulators of 4 x 4: Power ISA 3.1, SC §2.3',
      flopPerCycle: 'one 4 x 4 outer product a cycle on the one unit of ST Table 1',
    },
  },
  microkernel: openblasKernel({
    core: 'POWER10',
    windows: 16,
    filters: 8,
    source: 'SC §5.1; OpenBLAS 0.3.21 param.h, POWER10: UNROLL_M 16, UNROLL_N 8',
  }),
  otherMicrokernels: [
    intrinsics(16, 8, 'SC §5.1: all 8 accumulators'),
    intrinsics(8, 8, 'remainders of the windows: 4 accumulators'),
    intrinsics(4, 4, 'remainders of both: 1 accumulator'),
    vectorKernel(4, 1, 'VSX: remainders of both; filters too large for L1'),
  ],
});

/** The machine of SC. */
export const power10: Target = derive(mma, (draft) => {
  draft.name = 'power10-e1050';
  const { machine } = draft;
  machine.name = 'power10-e1050';
  machine.title = 'IBM Power E1050 (POWER10)';
  machine.frequencyGhz = 4;
  machine.flopPerCycle = 64;
  if (machine.matrix !== undefined) machine.matrix.units = 2;
  if (machine.vector !== undefined) machine.vector.units = 4;
  const { sources } = machine;
  for (const path of ['cache.l1', 'cache.l2', 'cache.l3']) {
    sources[path] = sources[path]?.replace('ST Table 1', 'SC Table 1') ?? 'SC Table 1';
  }
  sources['frequencyGhz'] = 'SC Table 1';
  sources['vector'] = 'SC Table 1: four VSX units; 64 VSRs: Power ISA 3.1';
  sources['matrix'] = 'SC Table 1: two MMA units; 8 accumulators of 4 x 4: SC §2.3';
  sources['flopPerCycle'] = 'SC Table 1: 256 GFLOP/s at 4 GHz';
});
