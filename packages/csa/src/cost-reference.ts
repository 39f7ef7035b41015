/**
 * The cost formulas of the authors' implementation, which differ from the paper's. For reproducing its choices;
 * `traffic` predicts better.
 */

import { priced, type Cost, type CostModel } from './cost.ts';
import { roles, type Hierarchy, type SlicedConvolution, type Tiling } from './tiling.ts';

const quotient = (a: number, b: number): number => Math.floor(a / b);

type Level = 'l1' | 'l2' | 'l3' | 'memory';

/** The nearest level that holds the input windows, filters and output of one channel set together. */
const outputLevel = (sliced: SlicedConvolution, sets: number, { room, bytes }: Hierarchy): Level => {
  const depth = quotient(sliced.channels, sets) * sliced.taps;
  const { windows, filters } = sliced;
  const footprint = (windows * depth + filters * depth + filters * windows) * sliced.elementBytes;
  for (const level of ['l1', 'l2', 'l3'] as const) {
    if (bytes[level] > 0 && footprint <= room[level]) return level;
  }
  return 'memory';
};

/**
 * @deviation From SC §4.1.1, as in that implementation: all quotients are integer divisions; Eq. 9 takes the larger of
 * its two values; L1 accesses are counted; with several channel sets the output is reloaded. Its 32-bit overflow is not
 * reproduced.
 */
export const referenceCost: CostModel = (
  sliced: SlicedConvolution,
  tiling: Tiling,
  caches: Hierarchy,
): Cost => {
  const { stationary, moving } = roles(sliced, tiling.schedule, tiling.nc);
  const line = caches.lineBytes;
  const sets = quotient(sliced.channels, tiling.nc);
  const movingBytes = moving.tiles * moving.bytes;
  const stationaryBytes = stationary.tiles * stationary.bytes;
  const movingSets = quotient(moving.tiles, tiling.k2) - 1;
  const stationarySets = quotient(stationary.tiles, tiling.k3) - 1;

  const cold = quotient(sets * (stationaryBytes + movingBytes), line);
  const reloads = quotient(sets * Math.max(movingSets, 1) * stationarySets * movingBytes, line);
  const l3 = quotient(sets * movingSets * stationaryBytes, line);
  const l2 = quotient(sets * (stationary.tiles - 1) * movingBytes, line);
  const outputs = sliced.filters * sliced.windows;
  const operands = 2 * outputs * sliced.taps * sliced.channels;
  const accesses = { l1: operands - (l2 + l3 + cold + reloads), l2, l3, memory: cold + reloads };

  if (sets > 1) {
    const touches = (sets - 1) * outputs;
    const lines = quotient(touches * sliced.elementBytes, line);
    const level = outputLevel(sliced, sets, caches);
    accesses[level] += lines;
    accesses.l1 += touches - lines;
  }
  const times = sliced.repetitions;
  return priced(
    {
      l1: times * accesses.l1,
      l2: times * accesses.l2,
      l3: times * accesses.l3,
      memory: times * accesses.memory,
    },
    caches,
  );
};
