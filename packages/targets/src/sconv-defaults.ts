/** The machine that SConvTransform assumes if no attribute describes one, with POWER10's microkernel. */

import { vectorKernel } from './kernels.ts';
import { machineFromFigures } from './machine.ts';
import { define, type Target } from './target.ts';

/** ST's defaults: 32 KiB, 1 MiB, 4 MiB, lines of 128 bytes; 2, 10, 30 and 300 cycles; 16 windows x 8 filters. */
export const sconvDefaults: Target = define({
  kind: 'target',
  name: 'default',
  machine: machineFromFigures({
    name: 'sconvtransform-defaults',
    title: 'Defaults of SConvTransform (a POWER10 core)',
    cacheBytes: [32_768, 1_048_576, 4_194_304],
    lineBytes: 128,
    latencyCycles: [2, 10, 30, 300],
    source: 'default attributes of transform.structured.sconv in the implementation that ST describes (§5.5)',
  }),
  microkernel: {
    kind: 'microkernel',
    name: 'default-16x8',
    windows: 16,
    filters: 8,
    panels: { windows: 16, filters: 8 },
    vectorized: 'both',
    elementType: 'f32',
    generation: 'vector-dialect',
    source: 'ST §5.5, Listing 9: mk_info = [16, 8]',
  },
  otherMicrokernels: [vectorKernel(4, 1, 'remainders; filters too large for L1')],
});
