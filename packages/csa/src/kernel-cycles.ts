/** How long the microkernels of a convolution take, by measured speeds: memory is left out of it. */
import type { KernelSpeeds } from '@sconv/targets';
import { tileCycles } from '@sconv/targets';
import type { Edges, TileRun } from './edges.ts';
import { tileRuns } from './edges.ts';
import type { SlicedConvolution } from './tiling.ts';

/** Steps of k in a call: more than these stay in no cache, and few channel sets make no difference. */
const mostSteps = 512;

/** Predicted cycles of all microkernels, and of the scalar code that is left, of one group of one image. */
export const kernelCycles = (sliced: SlicedConvolution, edges: Edges, speeds: KernelSpeeds): number => {
  const { windows, filters, microkernel, channels, taps } = sliced;
  const steps = channels * taps;
  const calls = Math.ceil(steps / mostSteps);
  const runsOf = (dimension: 'windows' | 'filters', size: number, lanes: number): readonly TileRun[] =>
    tileRuns(size, microkernel[dimension], edges, lanes);
  let cycles = 0;
  for (const byWindows of runsOf('windows', windows, speeds.lanes)) {
    for (const byFilters of runsOf('filters', filters, 1)) {
      if (byWindows.width === undefined || byFilters.width === undefined) {
        cycles += byWindows.size * byFilters.size * steps * speeds.scalarCycles;
        continue;
      }
      const tile = { windows: byWindows.width, filters: byFilters.width };
      const tiles = (byWindows.size / tile.windows) * (byFilters.size / tile.filters);
      cycles += tiles * calls * tileCycles(speeds, tile, steps / calls);
    }
  }
  return cycles;
};
