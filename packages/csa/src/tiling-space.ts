/** All tilings that satisfy the constraints of a convolution on a machine (SC Eqs. 2, 4, 5). */

import { l1Bytes, l2Bytes, l3Bytes } from './constraints.ts';
import { expectRecord } from './errors.ts';
import { roles, type Dataflow, type Hierarchy, type SlicedConvolution, type Tiling } from './tiling.ts';

/** Tilings that differ in K3 only: 1 to `maxK3`. */
export interface TilingRow {
  readonly schedule: Dataflow;
  readonly nc: number;
  readonly k2: number;
  readonly maxK3: number;
}

/** The largest K3 that Eq. 5 (SC §4.1) allows, in closed form; 0 if none. */
const largestK3 = (sliced: SlicedConvolution, { room }: Hierarchy, row: Omit<TilingRow, 'maxK3'>): number => {
  const operands = roles(sliced, row.schedule, row.nc);
  if (room.l3 === Infinity) return operands.stationary.tiles;
  const fixed = l3Bytes(operands, row.k2, 0);
  const each = l3Bytes(operands, row.k2, 1) - fixed;
  return Math.max(0, Math.min(operands.stationary.tiles, Math.floor((room.l3 - fixed) / each)));
};

/**
 * The valid tilings of the schedules as rows, Nc and K2 ascending. `values` picks the values to visit, given a
 * parameter's largest; default: all.
 */
export function* tilingRows(
  sliced: SlicedConvolution,
  caches: Hierarchy,
  schedules: readonly Dataflow[] = ['is', 'ws'],
  values: (largest: number) => Iterable<number> = upTo,
): Generator<TilingRow> {
  expectRecord('sliced', sliced, 'microkernel', 'tiles');
  expectRecord('caches', caches, 'room');
  for (const schedule of schedules) {
    for (const nc of values(sliced.channels)) {
      const operands = roles(sliced, schedule, nc);
      if (l1Bytes(operands) > caches.room.l1) continue;
      for (const k2 of values(operands.moving.tiles)) {
        if (l2Bytes(operands, k2) > caches.room.l2) continue;
        const maxK3 = largestK3(sliced, caches, { schedule, nc, k2 });
        if (maxK3 > 0) yield { schedule, nc, k2, maxK3 };
      }
    }
  }
}

function* upTo(largest: number): Generator<number> {
  for (let value = 1; value <= largest; value += 1) yield value;
}

/** The number of valid tilings, and the tiling at each index. */
export interface TilingSpace {
  readonly size: number;
  /** Throws `RangeError` outside 0..size-1. */
  readonly at: (index: number) => Tiling;
}

/** The valid tilings as an indexable collection, for uniform sampling. */
export const tilingSpace = (sliced: SlicedConvolution, caches: Hierarchy): TilingSpace => {
  const rows = [...tilingRows(sliced, caches)];
  const size = rows.reduce((sum, { maxK3 }) => sum + maxK3, 0);
  return {
    size,
    at: (index) => {
      let rest = index;
      for (const { maxK3, ...row } of rows) {
        if (rest >= 0 && rest < maxK3) return { ...row, k3: rest + 1 };
        rest -= maxK3;
      }
      throw new RangeError(`tiling ${index} of ${size}`);
    },
  };
};
