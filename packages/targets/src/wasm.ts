/** WebAssembly: the machine below is not known, so caches are a common denominator of today's desktop cores. */

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
  // V8 keeps one of the 16 registers of x86-64 as scratch; it hoists all loads of a loop body to its top.
  vector: { extension: 'SIMD128', bits: 128, registers: 15, fused: false, units: 2, broadcasts: 'all' },
  flopPerCycle: 16,
  sources: {
    cache:
      'a common denominator: Zen 3 L1 and L2, a quarter of its L3; latencies between Zen 3 and Skylake server',
    memoryLatency: 'about 60 ns at 3.5 GHz',
    vector: 'WebAssembly SIMD proposal (128-bit); register limit and units measured on V8 11 over Zen 3',
    flopPerCycle: 'two units of four lanes, one operation each: half of the AVX2 peak of Zen 3',
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

const measured = 'measured on V8 11 over Zen 3, share of the SIMD128 peak';

/** The tile that convolutions of all sizes ran fastest with, as passes of the register tile that holds it best. */
const composed: Microkernel = {
  ...kernel(
    16,
    4,
    'geometric mean over 14 layers of ResNet, AlexNet, MobileNet on V8 11 over Zen 5: 1.17 of 8x4, 1.03 of 16x2, as 16x8',
  ),
  registerTile: { windows: 16, filters: 2 },
};

/** WebAssembly SIMD128 with separate multiply and add: deterministic to the bit. */
export const wasm: Target = define({
  kind: 'target',
  name: 'wasm',
  machine: generic,
  microkernel: composed,
  otherMicrokernels: [
    kernel(8, 4, `${measured}: 71 % as mul + add`),
    kernel(4, 4, 'remainders of the windows'),
    kernel(16, 2, `${measured}: 65 % as mul + add`),
    kernel(8, 2, 'remainders of the filters'),
    kernel(8, 1, 'remainders of the filters'),
    kernel(4, 1, 'remainders of both'),
  ],
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
    broadcasts: 'all',
  };
  draft.machine.flopPerCycle = 32;
  draft.machine.sources['vector'] =
    'WebAssembly relaxed SIMD proposal; register limit and units as for SIMD128';
  draft.machine.sources['flopPerCycle'] =
    'two units of four lanes, fused multiply-add: the AVX2 peak of Zen 3, halved by the width';
  draft.microkernel = kernel(12, 3, `${measured}: 97 % as relaxed_madd`);
  draft.otherMicrokernels = [
    kernel(16, 2, `${measured}: 97 % as relaxed_madd`),
    kernel(8, 4, 'the kernel of the mul + add target'),
    kernel(4, 3, 'remainders of the windows'),
    kernel(12, 1, 'remainders of the filters'),
    kernel(4, 1, 'remainders of both'),
  ];
});
