/** Schedules of loop nests: relations from iterations to times, which are compared lexicographically. */
import { basicSet } from '../basic-set.ts';
import { PresburgerError } from '../presburger-error.ts';
import type { Relation } from '../presburger-set.ts';
import { relation } from '../presburger-set.ts';
import type { Row } from '../row.ts';
import { unitRow } from '../row.ts';
import { defaultNames, relationSpace } from '../space.ts';

/** The time of a loop nest as it is written: `{ [i, j] -> [i, j] }` for two loops. */
export const sequentialSchedule = (depth: number): Relation =>
  permutedSchedule(Array.from({ length: depth }, (_, i) => i));

/**
 * The time of a nest whose loops are permuted: the outermost is loop `order[0]`. `permutedSchedule([1, 0])` is
 * `{ [i, j] -> [j, i] }`. Errors: `presburger/invalid-argument` for no permutation.
 */
export function permutedSchedule(order: readonly number[]): Relation {
  if ([...order].sort((a, b) => a - b).some((position, i) => position !== i))
    throw new PresburgerError('presburger/invalid-argument', `[${order.join(', ')}] is no permutation`);
  return scheduleOf(order.length, order.map(loopComponent));
}

/**
 * The time of a nest that is tiled: loops over tiles outside, in the order of the loops, then loops within a tile.
 * `tiledSchedule([4, 8])` is `{ [i, j] -> [floor(i / 4), floor(j / 8), i, j] }`; a size of 0 leaves a loop untiled.
 * Errors: `presburger/invalid-argument` for a size that is none.
 */
export function tiledSchedule(sizes: readonly number[]): Relation {
  const wrong = sizes.find((size) => !Number.isSafeInteger(size) || size < 0);
  if (wrong !== undefined)
    throw new PresburgerError('presburger/invalid-argument', `${wrong} is no size of a tile`);
  const tiles = sizes.flatMap((size, loop): Component[] =>
    size === 0 ? [] : [{ kind: 'tile', loop, size }],
  );
  return scheduleOf(sizes.length, [...tiles, ...sizes.map((_, loop) => loopComponent(loop))]);
}

/**
 * The times of statements whose outermost `fused` loops are shared, in the order of their text: statement 1 of two
 * nests of two loops, fused in one, has `{ [i, j] -> [i, 1, j] }`. With `fused` 0 the nests follow each other.
 *
 * `depths` are the numbers of loops of the statements.
 */
export function fusedSchedules(depths: readonly number[], fused: number): readonly Relation[] {
  const deepest = Math.max(...depths);
  if (!Number.isSafeInteger(fused) || fused < 0 || depths.some((depth) => depth < fused))
    throw new PresburgerError(
      'presburger/invalid-argument',
      `${fused} loops are not shared by nests of ${depths.join(', ')}`,
    );
  return depths.map((depth, place) => {
    const loops = Array.from({ length: deepest }, (_, loop) =>
      loop < depth ? loopComponent(loop) : constantComponent(0),
    );
    return scheduleOf(depth, [...loops.slice(0, fused), constantComponent(place), ...loops.slice(fused)]);
  });
}

/** A component of a time: a loop, the number of its tile, or a constant. */
type Component =
  | { readonly kind: 'loop'; readonly loop: number }
  | { readonly kind: 'tile'; readonly loop: number; readonly size: number }
  | { readonly kind: 'constant'; readonly value: number };

const loopComponent = (loop: number): Component => ({ kind: 'loop', loop });
const constantComponent = (value: number): Component => ({ kind: 'constant', value });

function scheduleOf(depth: number, components: readonly Component[]): Relation {
  const tiled = components.filter((component) => component.kind === 'tile');
  const variables = depth + components.length;
  const length = variables + tiled.length + 1;
  const locals = tiled.map(({ loop, size }) => ({ dividend: unitRow(length, loop), divisor: size }));
  const equalities = components.map((component, i): Row => {
    const time = depth + i;
    if (component.kind === 'constant') return unitRow(length, time, -1, component.value);
    const row = unitRow(length, time, -1);
    const tile = tiled.findIndex((each) => each === component);
    row[tile < 0 ? component.loop : variables + tile] = 1;
    return row;
  });
  return relation(relationSpace(defaultNames('i', depth), defaultNames('t', components.length)), [
    basicSet(variables, { locals, equalities }),
  ]);
}
