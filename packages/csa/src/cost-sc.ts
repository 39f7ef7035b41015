/** The cost model of SC §4.1.1 as printed. */

import { priced, type Cost, type CostModel } from './cost.ts';
import { roles, type Hierarchy, type SlicedConvolution, type Tiling } from './tiling.ts';

/**
 * Eqs. 6-14 with real division. Counts are per group and image, scaled by batch and groups.
 *
 * Where K2 or K3 exceeds the number of tiles (a convolution smaller than one tile) nothing is reloaded: the differences
 * in the equations are clamped at 0.
 */
export const scCost: CostModel = (sliced: SlicedConvolution, tiling: Tiling, caches: Hierarchy): Cost => {
  const { stationary, moving } = roles(sliced, tiling.schedule, tiling.nc);
  const sets = sliced.channels / tiling.nc;
  const movingLines = (moving.tiles * moving.bytes) / caches.lineBytes;
  const stationaryLines = (stationary.tiles * stationary.bytes) / caches.lineBytes;
  const cold = sets * (stationaryLines + movingLines); // Eq. 8
  const movingSets = Math.max(moving.tiles / tiling.k2 - 1, 0); // Eq. 12
  const stationarySets = Math.max(stationary.tiles / tiling.k3 - 1, 0); // Eq. 10
  const reloads = sets * Math.min(movingSets, 1) * stationarySets * movingLines; // Eqs. 9, 11
  const l3 = sets * movingSets * stationaryLines; // Eq. 13
  const l2 = sets * Math.max(stationary.tiles - 1, 0) * movingLines; // Eq. 14
  const times = sliced.repetitions;
  return priced({ l1: 0, l2: times * l2, l3: times * l3, memory: times * (cold + reloads) }, caches); // Eqs. 6, 7
};
