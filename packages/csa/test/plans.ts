/** Plans that together cover everything that a picture and an explanation can show. */

import { machineFromFigures, sconvDefaults, wasm } from '@sconv/targets';
import {
  parseShape,
  planConvolution,
  type ConvolutionPlan,
  type PlanOptions,
  type PlanTarget,
} from '../src/index.ts';

/** A machine without L3, whose L1 is too small even for tiles of one channel. */
const tiny: PlanTarget = {
  machine: machineFromFigures({
    name: 'tiny',
    cacheBytes: [128, 4096, 0],
    lineBytes: 16,
    latencyCycles: [2, 10, 30, 300],
    source: 'a test',
  }),
  microkernel: { windows: 8, filters: 4 },
};

const wide: PlanTarget = { machine: wasm.machine, microkernel: { windows: 16, filters: 4 } };

export interface NamedPlan {
  readonly name: string;
  readonly plan: ConvolutionPlan;
  readonly machine: PlanTarget['machine'];
}

const named = (name: string, shape: string, target: PlanTarget, options: PlanOptions = {}): NamedPlan => ({
  name,
  plan: planConvolution(parseShape(shape), target, options),
  machine: target.machine,
});

export const namedPlans: readonly NamedPlan[] = [
  named('paper', '1x32x152x152,256x32x3x3,s2', sconvDefaults),
  named('groups-and-remainders', '2x60x29x29,60x30x3x3,p1,g2', sconvDefaults, { schedule: 'ws' }),
  named('many-fragments', '1x300x9x9,200x300x3x3', wide, {
    heuristic: 'binary-search',
    costModel: 'traffic',
  }),
  named('one-edge', '1x16x4x8,7x16x1x1', wide, { heuristic: 'exhaustive' }),
  named('only-an-edge', '1x16x1x1,2x16x1x1', wide),
  named('flat-curves', '1x1x2x2,4x1x1x1', { machine: wasm.machine, microkernel: { windows: 4, filters: 4 } }),
  named('no-valid-tiling', '1x8x6x6,8x8x3x3', tiny, { heuristic: 'divisors' }),
];
