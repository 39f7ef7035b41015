/** WebAssembly: the machine below is not known, so caches are a common denominator of today's desktop cores. */

import type { KernelSpeeds } from './kernel-speeds.ts';
import type { Machine } from './machine.ts';
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
  // V8 keeps one of the 16 registers of x86-64 as scratch. It hoists loads to the top of their basic block, of which a step
  // may have several.
  vector: { extension: 'SIMD128', bits: 128, registers: 15, fused: false, units: 2, broadcasts: 'one' },
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
 * Of register tiles as the code generator writes them. Their share of the peak at K = 288: 8x5 0.95, 12x3 0.93, 8x4 0.85,
 * 8x3 0.82, 4x7 0.81, 12x2 0.78, 4x10 0.79, 16x2 0.76, 8x2 0.72.
 */
const speeds: KernelSpeeds = {
  lanes: 4,
  stepCycles: [
    [2.5, 2.5, 2.6, 2.65, 3.4, 3.8, 4.3, 5.1, 5.9, 6.4, 7.1, 7.7],
    [2.5, 2.8, 3.7, 4.7, 5.2],
    [2.6, 3.8, 4.8],
    [3, 5.3],
  ],
  passCycles: { each: 1, always: 20 },
  scalarCycles: 4,
  source: 'V8 11 over Zen 4, between K = 64 and 256; the cycles are those of the loop that reaches the peak',
};

/** WebAssembly SIMD128 with separate multiply and add: deterministic to the bit. */
export const wasm: Target = define({
  kind: 'target',
  name: 'wasm',
  machine: generic,
  microkernel: kernel(8, 5, 'the register tile with the largest share of the peak'),
  otherMicrokernels: [
    {
      ...kernel(
        8,
        8,
        'filters that are multiples of eight: two passes, 6 % slower than 8x5; wider panels are slower',
      ),
      registerTile: { windows: 8, filters: 5 },
    },
    kernel(8, 4, 'filters that are multiples of four'),
    kernel(12, 3, 'the second largest share of the peak'),
    kernel(4, 10, 'few windows'),
    kernel(4, 4, 'remainders of the windows'),
    kernel(8, 2, 'remainders of the filters'),
    kernel(8, 1, 'remainders of the filters'),
    kernel(4, 1, 'remainders of both'),
  ],
  speeds,
});

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
  };
  draft.machine.sources['vector'] =
    'WebAssembly relaxed SIMD proposal; register limit and units as for SIMD128';
  draft.machine.sources['flopPerCycle'] =
    'two units of four lanes, fused multiply-add: half of the AVX2 peak of Zen 3';
});
