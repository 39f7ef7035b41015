/** Schedules of nests whose loops are permuted, tiled and fused, one after the other. */
import { PresburgerError } from '../presburger-error.ts';
import type { Relation } from '../presburger-set.ts';
import { compose } from '../relations.ts';
import { fusedSchedules, permutedSchedule, tiledSchedule } from './schedule.ts';

/** What is done to each nest, in this order. */
export interface NestChanges {
  /** The loops from the outermost, by number: `[1, 0]` exchanges two. Loops that are not named follow as they were. */
  readonly order?: readonly number[];
  /** Sizes of tiles, for the loops as they are then, 0 for none: loops over tiles go outside. Others are not tiled. */
  readonly tile?: readonly number[];
  /** How many of the outermost loops all nests share then; by default none: nests run one after the other. */
  readonly fuse?: number;
}

/**
 * The schedules of nests of `depths` loops that are changed: `nestSchedules([2, 2], { tile: [8], fuse: 1 })` runs a
 * tile of the first nest, then the tile of the second, and so on. Errors: `presburger/invalid-argument` for no order of
 * the loops, for a size that is none, and for more loops than a nest has.
 */
export function nestSchedules(
  depths: readonly number[],
  { order = [], tile = [], fuse = 0 }: NestChanges,
): readonly Relation[] {
  const changed = depths.map((depth) => {
    expectOrder(order, depth);
    expectSizes(tile.length, depth);
    const others = Array.from({ length: depth }, (_, loop) => loop).filter((loop) => !order.includes(loop));
    const permuted = permutedSchedule([...order, ...others]);
    const sizes = Array.from({ length: depth }, (_, loop) => tile[loop] ?? 0);
    return compose(permuted, tiledSchedule(sizes));
  });
  const fused = fusedSchedules(
    changed.map(({ space }) => space.dims.length),
    fuse,
  );
  return changed.map((schedule, i) => compose(schedule, fused[i]!));
}

function expectOrder(order: readonly number[], depth: number): void {
  if (
    new Set(order).size === order.length &&
    order.every((loop) => Number.isInteger(loop) && loop >= 0 && loop < depth)
  )
    return;
  const message = `[${order.join(', ')}] is no order of ${depth} loops, which are numbered from 0`;
  throw new PresburgerError('presburger/invalid-argument', message);
}

function expectSizes(loops: number, depth: number): void {
  if (loops <= depth) return;
  throw new PresburgerError('presburger/invalid-argument', `${loops} loops are tiled, of a nest of ${depth}`);
}
