/** WebAssembly: the underlying machine is unknown, so caches are a common denominator of today's desktop cores. */

import { castDraft } from 'immer';
import type { KernelSpeeds } from './kernel-speeds.ts';
import type { Machine } from './machine.ts';
import { wasmKernels, wasmRelaxedKernels } from './measured-kernels.ts';
import type { Microkernel } from './microkernel.ts';
import { define, derive, type Target } from './target.ts';

const generic: Machine = {
  kind: 'machine',
  name: 'wasm-generic',
  title: 'WebAssembly SIMD128 on a generic 64-bit core',
  isa: 'wasm32',
  cache: {
    l1: { bytes: 32 * 1024, lineBytes: 64, latency: 4, sharing: 'core', ways: 8 },
    l2: { bytes: 512 * 1024, lineBytes: 64, latency: 14, sharing: 'core', ways: 8 },
    l3: { bytes: 8 * 1024 * 1024, lineBytes: 64, latency: 50, sharing: 'chip', ways: 16 },
  },
  memoryLatency: 200,
  // V8 reserves one of the 16 registers of x86-64 as scratch. It hoists loads to the top of their basic block; a step
  // may have several blocks.
  vector: {
    extension: 'SIMD128',
    bits: 128,
    registers: 15,
    fused: false,
    units: 2,
    broadcasts: 'one',
    pairProducts: 'i32x4.dot_i16x8_s',
  },
  flopPerCycle: 16,
  sources: {
    cache:
      'a common denominator: Zen 3 L1 and L2, a quarter of its L3; latencies between Zen 3 and Skylake server',
    memoryLatency: 'about 60 ns at 3.5 GHz',
    vector: 'WebAssembly SIMD proposal (128-bit); register limit and units measured on V8 11 over Zen 3',
    flopPerCycle: 'two products and two sums of four lanes: half of the AVX2 peak of Zen 3',
  },
};

const kernel = (windows: number, filters: number, source: string): Microkernel => ({
  kind: 'microkernel',
  name: `wasm-${windows}x${filters}`,
  windows,
  filters,
  panels: { windows, filters },
  vectorized: 'windows',
  elementType: 'f32',
  generation: 'wasm',
  source,
});

/**
 * A call of few steps takes about as long as the storing of its outputs. Along the windows these are neighbours;
 * along the filters each call stores to other pages. 1x1 convolutions of 8 to 64 channels are 1.06 times as fast
 * weight stationary (geometric mean), at most 1.17, and none is slower; above that both are as fast.
 */
const scheduleOfFewSteps = { schedule: 'ws', scheduleUpToSteps: 64 } as const;

/**
 * Register tiles as the code generator emits them. Their share of the peak: 8x4 0.87, 8x5 and 12x3 0.86, 4x7 0.80, 8x3
 * 0.79, 4x8 0.76, 12x2 0.76, 16x2 0.72, 4x10 0.71, 8x2 0.67.
 */
const speeds: KernelSpeeds = {
  lanes: 4,
  stepCycles: [
    [2.3, 2.6, 2.7, 3, 3.6, 3.8, 4.4, 5.25, 5.85, 7, 7.9, 8.6],
    [2.65, 3, 3.8, 4.6, 5.8],
    [2.9, 3.95, 5.25],
    [3.5, 5.55],
  ],
  passCycles: { each: 4.3, always: 4 },
  scalarCycles: 2.6,
  ...scheduleOfFewSteps,
  source: 'sconv kernels measure, the least of three runs: V8 11 over Zen 4',
};

/** WebAssembly SIMD128 with separate multiply and add: deterministic to the bit. */
export const wasm: Target = define({
  kind: 'target',
  name: 'wasm',
  machine: generic,
  microkernel: kernel(8, 4, 'the register tile with the largest share of the peak'),
  otherMicrokernels: [
    kernel(8, 5, 'nearly as large a share, and fewer loads'),
    kernel(12, 3, 'filters that are multiples of three'),
    kernel(4, 7, 'few windows'),
    kernel(4, 4, 'remainders of the windows'),
    kernel(8, 2, 'remainders of the filters'),
    kernel(8, 1, 'remainders of the filters'),
    kernel(4, 1, 'remainders of both'),
  ],
  speeds,
  kernels: wasmKernels,
});

/** Shares of the peak: 8x6 0.98, 8x5 0.94, 8x4 0.91, 12x3 0.90, 16x2 0.88. */
const relaxedSpeeds: KernelSpeeds = {
  lanes: 4,
  stepCycles: [
    [3.7, 3.95, 4, 4.05, 4.05, 4.05, 4.2, 4.85, 5.4, 6.25, 6.7, 7.3, 8.2],
    [4.05, 4.05, 4.05, 4.4, 5.3, 6.1],
    [4, 4.1, 5],
    [4.1, 4.55],
  ],
  passCycles: { each: 3, always: 0 },
  scalarCycles: 3,
  ...scheduleOfFewSteps,
  source: 'sconv kernels measure --relaxed, the least of three runs: V8 11 over Zen 4',
};

/** WebAssembly relaxed SIMD: fused multiply-add, faster, but the last bits depend on the machine. */
export const wasmRelaxed: Target = derive(wasm, (draft) => {
  draft.name = 'wasm-relaxed';
  draft.machine.name = 'wasm-relaxed-generic';
  draft.machine.title = 'WebAssembly relaxed SIMD on a generic 64-bit core';
  draft.machine.vector = {
    extension: 'relaxed SIMD128',
    bits: 128,
    registers: 15,
    fused: true,
    units: 2,
    broadcasts: 'one',
    pairProducts: 'i32x4.dot_i16x8_s',
  };
  draft.microkernel = kernel(8, 6, 'the register tile with the largest share of the peak');
  draft.otherMicrokernels = castDraft([
    kernel(8, 5, 'filters that are multiples of five'),
    kernel(8, 4, 'filters that are multiples of four'),
    kernel(12, 3, 'filters that are multiples of three'),
    kernel(4, 10, 'few windows'),
    kernel(4, 4, 'remainders of the windows'),
    kernel(8, 2, 'remainders of the filters'),
    kernel(8, 1, 'remainders of the filters'),
    kernel(4, 1, 'remainders of both'),
  ]);
  draft.speeds = castDraft(relaxedSpeeds);
  draft.kernels = castDraft(wasmRelaxedKernels);
  draft.machine.sources['vector'] =
    'WebAssembly relaxed SIMD proposal; register limit and units as for SIMD128';
  draft.machine.sources['flopPerCycle'] =
    'two units of four lanes, fused multiply-add: half of the AVX2 peak of Zen 3';
});
