/** Time spent in a convolution's microkernels by measured speeds; memory is not modelled. */
import type { KernelSpeeds } from '@sconv/targets';
import { tileCycles } from '@sconv/targets';
import type { Edges, TileRun } from './edges.ts';
import { tiledRuns } from './edges.ts';
import type { SlicedConvolution } from './tiling.ts';

/** Cost of each further part of a plan per run: V8 takes ten milliseconds to compile it, amortized over 800 runs. */
const compiledPartCycles = 50_000;

/**
 * Predicted cycles of all microkernels and of the scalar remainder, for one group of one image. A call has as many k
 * steps as `l1` bytes hold of its two tiles (SC Eq. 2); filters beyond `l2` bytes are streamed for each run of window
 * tiles.
 */
export const kernelCycles = (
  sliced: SlicedConvolution,
  edges: Edges,
  speeds: KernelSpeeds,
  { l1, l2 }: Readonly<Record<'l1' | 'l2', number>>,
): number => {
  const { filters, microkernel, channels, taps, elementBytes } = sliced;
  const bytesOfStep = (microkernel.windows + microkernel.filters) * elementBytes;
  // Without an L1, `l1` is infinite.
  const sets = Math.max(Math.ceil(channels / Math.max(Math.floor(l1 / (bytesOfStep * taps)), 1)), 1);
  const runs = tiledRuns(sliced, microkernel, edges, elementBytes);
  const { streamCycles = 0 } = speeds;
  const isStreamed = filters * channels * taps * elementBytes > l2;
  /** Cycles until a filter has been read. */
  const filterCycles = isStreamed ? ((channels * taps) / speeds.lanes) * streamCycles : 0;
  const cyclesOf = (w: TileRun, f: TileRun, lanes: 'windows' | 'filters'): number => {
    if (w.width === undefined || f.width === undefined)
      return w.size * f.size * channels * taps * speeds.scalarCycles;
    const tile = { windows: w.width, filters: f.width, vectorized: lanes };
    const computing = (w.size / w.width) * sets * tileCycles(speeds, tile, (channels * taps) / sets);
    return (f.size / f.width) * Math.max(computing, f.width * filterCycles);
  };
  const cycles = runs.flatMap((run) => run.filters.map((f) => cyclesOf(run.windows, f, run.lanes)));
  const { packCycles = 0, partCycles = compiledPartCycles } = speeds;
  // Each run of filters repacks the windows.
  const vectors = runs.reduce((sum, { windows: { size, width }, filters }) => {
    if (width === undefined) return sum;
    const packings = filters.filter((f) => f.width !== undefined).length;
    return sum + packings * (size / width) * Math.ceil(width / speeds.lanes);
  }, 0);
  const packing = vectors * channels * taps * packCycles;
  return (
    cycles.reduce((sum, own) => sum + own) + packing + ((cycles.length - 1) * partCycles) / sliced.repetitions
  );
};
