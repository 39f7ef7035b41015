/** Random plans that are valid by construction: they are built from the leaves' tiles, not filtered by a check. */
import type { ConvolutionDimension, Extents, PackedOperand, Plan } from '@sconv/plans';

/** A random integer below `bound`. */
export type Below = (bound: number) => number;

type Tiled = 'channels' | 'windows' | 'filters';

const oneOf = <T>(below: Below, values: readonly T[]): T => values[below(values.length)]!;

const divisors = (size: number): readonly number[] =>
  Array.from({ length: size }, (_, i) => i + 1).filter((each) => size % each === 0);

const loop = (dimension: ConvolutionDimension, extent: number, step: number, body: Plan): Plan => ({
  kind: 'loop',
  dimension,
  step,
  count: extent / step,
  body,
});

const pack = (operand: PackedOperand, tiles: number, body: Plan): Plan => ({
  kind: 'pack',
  operand,
  tiles,
  body,
});

/** A plan of all groups. */
export const drawPlan = (below: Below, extents: Extents): Plan =>
  extents.group === 1
    ? drawNode(below, extents, 4)
    : loop('group', extents.group, 1, drawNode(below, { ...extents, group: 1 }, 4));

/** Splits and loops, `budget` of them at most, around nests and scalar code. */
const drawNode = (below: Below, extents: Extents, budget: number): Plan => {
  const kind = budget === 0 ? 3 + below(2) : below(7);
  if (kind < 2) {
    const dimension = oneOf(below, ['batch', 'channels', 'windows', 'filters'] as const);
    const extent = extents[dimension];
    if (extent > 1) return drawSplit(below, extents, dimension, budget);
  }
  if (kind === 2) {
    const dimension = oneOf(below, ['batch', 'channels', 'windows', 'filters'] as const);
    const step = oneOf(below, divisors(extents[dimension]));
    const body = drawNode(below, { ...extents, [dimension]: step }, budget - 1);
    return loop(dimension, extents[dimension], step, body);
  }
  if (kind === 3) return { kind: 'scalar', extents };
  return drawNest(below, extents);
};

const drawSplit = (below: Below, extents: Extents, dimension: 'batch' | Tiled, budget: number): Plan => {
  const parts: { readonly size: number; readonly body: Plan }[] = [];
  for (let rest = extents[dimension]; rest > 0; rest -= parts.at(-1)!.size) {
    const size = parts.length === 2 ? rest : 1 + below(rest);
    parts.push({ size, body: drawNode(below, { ...extents, [dimension]: size }, budget - 1) });
  }
  return { kind: 'split', dimension, parts };
};

/** Loops around a microkernel, one operand of which moves past a tile of the other. */
const drawNest = (below: Below, extents: Extents): Plan => {
  const moving = oneOf(below, ['windows', 'filters'] as const);
  const still = moving === 'windows' ? 'filters' : 'windows';
  const operandOf = { windows: 'input', filters: 'filters' } as const;
  const channels = oneOf(below, divisors(extents.channels));
  const tile = {
    windows: oneOf(below, divisors(extents.windows)),
    filters: oneOf(below, divisors(extents.filters)),
  };
  const kernel: Plan = {
    kind: 'kernel',
    lanes: oneOf(below, ['windows', 'filters'] as const),
    extents: { batch: 1, group: 1, channels, ...tile },
  };
  const isMultipacked = below(2) === 0;
  // Tiles of the moving operand that are packed at once, and of the other that they meet.
  const block = isMultipacked
    ? tile[moving] * oneOf(below, divisors(extents[moving] / tile[moving]))
    : tile[moving];
  const atOnce = block / tile[moving];
  const ofTile = isMultipacked
    ? pack(operandOf[still], 1, loop(moving, block, tile[moving], kernel))
    : pack(
        operandOf[still],
        1,
        loop(moving, extents[moving], tile[moving], pack(operandOf[moving], 1, kernel)),
      );
  const past = loop(still, extents[still], tile[still], ofTile);
  const nest = isMultipacked
    ? loop(moving, extents[moving], block, pack(operandOf[moving], atOnce, past))
    : past;
  const overChannels = loop('channels', extents.channels, channels, nest);
  return extents.batch === 1 && below(2) === 0 ? overChannels : loop('batch', extents.batch, 1, overChannels);
};
