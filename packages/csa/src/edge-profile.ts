/** Edges in the `traffic` model: the cost of partial tiles computed without packing. */

import { filterFootprint, inputFootprint } from './footprint.ts';
import { neverBefore, reuseAt, type Reuse } from './reuse.ts';
import type { PartSpans } from './slicing-nest.ts';
import type { SlicedConvolution } from './tiling.ts';

/** The memory behaviour of a part of the loop nest. */
export interface AccessProfile {
  /** Loads and stores. */
  readonly accesses: number;
  /** Touches that may miss a cache. */
  readonly reuses: readonly Reuse[];
}

/**
 * Loops over filters, then windows; each multiply-add reads both operands. `before`: lines that the fragments touched,
 * `Infinity` if there are none.
 */
export const edgeProfile = (
  sliced: SlicedConvolution,
  edge: PartSpans,
  before: number,
  line: number,
): AccessProfile => {
  const { channels, taps, shape, elementBytes } = sliced;
  const single = { ...sliced, microkernel: { windows: 1, filters: 1 } };
  const input = inputFootprint(single, channels, line);
  const ofWindow = input.raw(1);
  const ofFilter = filterFootprint(single, channels, line).raw(1);
  const windows = edge.windows.to - edge.windows.from;
  const filters = edge.filters.to - edge.filters.from;
  const ofWindows = input.raw(windows);
  const planes = input.strided(1);
  const outputs = (windows * elementBytes) / line;
  const step = ofWindow + ofFilter + 1;
  const row = input.raw(Math.min(shape.outputWidth, windows)) + ofFilter;
  const pass = ofWindows + ofFilter + outputs;
  // The fragments have touched the other operand: the filters for the window edge, the input for the filter edge.
  const lastWindows = edge.filters.from === 0;
  const usedBefore = (lines: number): Reuse => ({ touches: lines, from: before, to: before + pass });
  return {
    accesses: filters * windows * (2 * channels * taps + 2),
    reuses: [
      { touches: filters * (windows - 1) * ofFilter, from: step, to: step, strided: [planes] },
      reuseAt(filters * (windows * ofWindow - input.rawByRow(windows)), step, planes),
      reuseAt(filters * (input.rawByRow(windows) - ofWindows), row),
      reuseAt((filters - 1) * ofWindows, pass, input.strided(windows)),
      lastWindows ? neverBefore(ofWindows) : usedBefore(ofWindows),
      lastWindows ? usedBefore(filters * ofFilter) : neverBefore(filters * ofFilter),
      neverBefore(filters * outputs),
    ],
  };
};
