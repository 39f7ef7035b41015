/**
 * A sample of the tilings that the reference implementation of SConvTransform chooses for ConvBench; all 47,726
 * are compared by tools/csa/check-golden.js.
 */

import { machineFromFigures } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { parseShape, planConvolution } from '../src/index.ts';

/** Cache sizes and line in bytes, latencies in cycles, microkernel windows x filters. */
const configurations = {
  ref_default_mk16x8: {
    cacheBytes: [32768, 1048576, 4194304],
    lineBytes: 128,
    latencyCycles: [2, 10, 30, 300],
    windows: 16,
    filters: 8,
  },
  ref_default_mk16x4: {
    cacheBytes: [32768, 1048576, 4194304],
    lineBytes: 128,
    latencyCycles: [2, 10, 30, 300],
    windows: 16,
    filters: 4,
  },
  i7_11700k_mk16x4_lat_default: {
    cacheBytes: [49152, 524288, 16777216],
    lineBytes: 64,
    latencyCycles: [2, 10, 30, 300],
    windows: 16,
    filters: 4,
  },
  i7_11700k_mk16x24: {
    cacheBytes: [49152, 524288, 16777216],
    lineBytes: 64,
    latencyCycles: [2, 10, 30, 300],
    windows: 16,
    filters: 24,
  },
  m4_mk16x16_l3_eq_l2: {
    cacheBytes: [196608, 16777216, 16777216],
    lineBytes: 128,
    latencyCycles: [2, 10, 30, 300],
    windows: 16,
    filters: 16,
  },
  zen3_mk8x8: {
    cacheBytes: [32768, 524288, 33554432],
    lineBytes: 64,
    latencyCycles: [4, 12, 46, 300],
    windows: 8,
    filters: 8,
  },
  wasm_generic_mk4x4: {
    cacheBytes: [32768, 524288, 8388608],
    lineBytes: 64,
    latencyCycles: [4, 14, 50, 200],
    windows: 4,
    filters: 4,
  },
} as const;

/** Configuration, shape, schedule, Nc, [K2, K3] of IS and of WS. */
const rows: readonly (readonly [
  keyof typeof configurations,
  string,
  string,
  number,
  readonly [number, number],
  readonly [number, number],
])[] = [
  ['ref_default_mk16x8', '1x256x56x56,128x256x1x1', 'is', 256, [16, 98], [49, 16]],
  ['ref_default_mk16x8', '1x512x7x7,1152x512x1x1', 'is', 256, [72, 3], [3, 144]],
  ['ref_default_mk16x8', '1x12x112x112,24x12x1x1', 'is', 12, [3, 784], [392, 3]],
  ['ref_default_mk16x8', '1x128x14x14,256x128x2x2,s2', 'is', 64, [32, 3], [3, 32]],
  ['ref_default_mk16x8', '1x160x36x36,160x160x3x3,p1', 'is', 20, [20, 81], [40, 20]],
  ['ref_default_mk16x8', '1x3x384x384,96x3x3x3,s2,p1', 'is', 3, [12, 288], [288, 12]],
  ['ref_default_mk16x4', '1x128x28x28,512x128x1x1', 'is', 128, [128, 49], [49, 128]],
  ['ref_default_mk16x4', '1x384x14x14,1920x384x1x1', 'is', 192, [240, 12], [12, 480]],
  ['ref_default_mk16x4', '1x436x7x7,208x436x1x1', 'is', 218, [52, 3], [3, 52]],
  ['ref_default_mk16x4', '1x128x14x14,256x128x2x2,s2', 'is', 64, [64, 3], [3, 64]],
  ['ref_default_mk16x4', '1x160x36x36,160x160x3x3,p1', 'is', 40, [40, 81], [40, 40]],
  ['ref_default_mk16x4', '1x3x384x384,96x3x3x3,s2,p1', 'is', 3, [24, 288], [288, 24]],
  ['i7_11700k_mk16x4_lat_default', '1x256x56x56,128x256x1x1', 'is', 256, [32, 196], [24, 32]],
  ['i7_11700k_mk16x4_lat_default', '1x512x4x4,1024x512x1x1', 'is', 512, [32, 1], [1, 256]],
  ['i7_11700k_mk16x4_lat_default', '1x12x112x112,24x12x1x1', 'is', 12, [6, 784], [392, 6]],
  ['i7_11700k_mk16x4_lat_default', '1x32x112x112,32x32x3x3,s2,p1', 'is', 32, [8, 196], [24, 8]],
  ['i7_11700k_mk16x4_lat_default', '1x320x36x36,320x320x3x3,p1', 'is', 40, [40, 81], [20, 80]],
  ['i7_11700k_mk16x4_lat_default', '1x3x384x384,96x3x3x3,s2,p1', 'is', 3, [24, 1152], [144, 24]],
  ['i7_11700k_mk16x24', '1x1760x14x14,640x1760x1x1', 'ws', 220, [13, 12], [12, 26]],
  ['i7_11700k_mk16x24', '1x384x7x7,1920x384x1x1', 'ws', 192, [20, 3], [3, 80]],
  ['i7_11700k_mk16x24', '1x124x14x14,372x124x1x1', 'ws', 124, [15, 12], [12, 15]],
  ['i7_11700k_mk16x24', '1x768x14x14,1536x768x2x2,s2', 'ws', 48, [16, 3], [3, 64]],
  ['i7_11700k_mk16x24', '1x512x16x16,512x512x3x3,p1', 'ws', 16, [21, 16], [16, 21]],
  ['i7_11700k_mk16x24', '1x96x192x192,192x96x3x3,s2,p1', 'ws', 24, [8, 288], [18, 8]],
  ['m4_mk16x16_l3_eq_l2', '1x128x56x56,256x128x1x1', 'ws', 128, [16, 196], [196, 16]],
  ['m4_mk16x16_l3_eq_l2', '1x512x7x7,2560x512x1x1', 'is', 512, [160, 3], [3, 160]],
  ['m4_mk16x16_l3_eq_l2', '1x24x112x112,36x24x1x1', 'ws', 24, [2, 784], [784, 2]],
  ['m4_mk16x16_l3_eq_l2', '1x64x28x28,128x64x2x2,s2', 'ws', 64, [8, 12], [12, 8]],
  ['m4_mk16x16_l3_eq_l2', '1x320x36x36,320x320x3x3,p1', 'ws', 80, [20, 81], [81, 20]],
  ['m4_mk16x16_l3_eq_l2', '1x3x384x384,96x3x3x3,s2,p1', 'is', 3, [6, 1152], [2304, 3]],
  ['zen3_mk8x8', '1x128x28x28,512x128x1x1', 'ws', 128, [64, 98], [98, 64]],
  ['zen3_mk8x8', '1x384x14x14,1920x384x1x1', 'ws', 384, [30, 24], [24, 240]],
  ['zen3_mk8x8', '1x436x7x7,208x436x1x1', 'is', 436, [26, 6], [6, 26]],
  ['zen3_mk8x8', '1x128x14x14,256x128x2x2,s2', 'is', 64, [32, 6], [6, 32]],
  ['zen3_mk8x8', '1x160x36x36,160x160x3x3,p1', 'is', 40, [20, 162], [20, 20]],
  ['zen3_mk8x8', '1x3x384x384,96x3x3x3,s2,p1', 'ws', 3, [12, 4608], [288, 12]],
  ['wasm_generic_mk4x4', '1x128x28x28,512x128x1x1', 'ws', 128, [128, 196], [196, 128]],
  ['wasm_generic_mk4x4', '1x1024x4x4,512x1024x1x1', 'is', 512, [32, 4], [4, 128]],
  ['wasm_generic_mk4x4', '1x436x14x14,144x436x1x1', 'ws', 436, [36, 49], [49, 36]],
  ['wasm_generic_mk4x4', '1x64x28x28,128x64x2x2,s2', 'ws', 64, [32, 49], [49, 32]],
  ['wasm_generic_mk4x4', '1x160x36x36,160x160x3x3,p1', 'is', 80, [20, 324], [20, 40]],
  ['wasm_generic_mk4x4', '1x3x384x384,96x3x3x3,s2,p1', 'ws', 3, [24, 2304], [576, 24]],
];

describe('the reference model', () => {
  it.each(rows)('tiles %s %s: %s, Nc %i', (name, shape, schedule, nc, is, ws) => {
    const { cacheBytes, lineBytes, latencyCycles, ...microkernel } = configurations[name];
    const machine = machineFromFigures({
      name,
      cacheBytes,
      lineBytes,
      latencyCycles,
      source: 'csa-configs.json',
    });
    const plan = planConvolution(parseShape(shape), { machine, microkernel }, { costModel: 'reference' });
    expect(plan.schedule).toBe(schedule);
    expect(plan.nc).toBe(nc);
    expect([plan.candidates.is.k2, plan.candidates.is.k3]).toEqual(is);
    expect([plan.candidates.ws.k2, plan.candidates.ws.k3]).toEqual(ws);
  });
});
