/** Random plans that are valid by construction: they are built from the leaves' tiles, not filtered by a check. */
import type {
  AnyPlan,
  ConvolutionDimension,
  Extents,
  KernelNode,
  OpenDimension,
  OpenPlan,
  PackedOperand,
  Plan,
} from '@sconv/plans';

/** A random integer below `bound`. */
export type Below = (bound: number) => number;

/** What a plan is drawn for. */
export interface DrawnSpace {
  readonly extents: Extents;
  /** The same with rows and columns apart; a matrix product has none. */
  readonly open: Extents<OpenDimension> | undefined;
  /** Whether the output's contiguous elements are filters. */
  readonly isChannelsLast: boolean;
  /** Whether a kernel of windows, or one of rows and columns, can read the input in place. */
  readonly mayReadInput: { readonly windows: boolean; readonly rows: boolean };
}

const oneOf = <T>(below: Below, values: readonly T[]): T => values[below(values.length)]!;

const divisors = (size: number): readonly number[] =>
  Array.from({ length: size }, (_, i) => i + 1).filter((each) => size % each === 0);

const loop = <D extends string>(dimension: D, extent: number, step: number, body: Plan<D>): Plan<D> => ({
  kind: 'loop',
  dimension,
  step,
  count: extent / step,
  body,
});

/** The body, below the packing of an operand unless that is read in place. */
const pack = <D extends string>(operand: PackedOperand, tiles: number | undefined, body: Plan<D>): Plan<D> =>
  tiles === undefined ? body : { kind: 'pack', operand, tiles, body };

/** A plan of all groups, in one of the families. */
export const drawPlan = (below: Below, space: DrawnSpace): AnyPlan => {
  const { extents, open } = space;
  if (open !== undefined && below(2) === 0) {
    return drawNode<OpenDimension>(
      below,
      open,
      ['batch', 'channels', 'rows', 'columns', 'filters', 'tapRows', 'tapColumns'],
      4,
      (inner) => drawOpenNest(below, inner, space),
    );
  }
  const ofGroup = drawNode<ConvolutionDimension>(
    below,
    { ...extents, group: 1 },
    ['batch', 'channels', 'windows', 'filters'],
    4,
    (inner) => drawNest(below, inner, space),
  );
  return extents.group === 1 ? ofGroup : loop('group', extents.group, 1, ofGroup);
};

/** Splits and loops, `budget` of them at most, around nests and scalar code. */
const drawNode = <D extends string>(
  below: Below,
  extents: Extents<D>,
  dimensions: readonly D[],
  budget: number,
  nest: (extents: Extents<D>) => Plan<D>,
): Plan<D> => {
  const inner = (dimension: D, size: number): Plan<D> =>
    drawNode(below, { ...extents, [dimension]: size }, dimensions, budget - 1, nest);
  const kind = budget === 0 ? 3 + below(2) : below(7);
  const dimension = oneOf(below, dimensions);
  const extent = extents[dimension];
  if (kind < 2 && extent > 1) {
    const parts: { readonly size: number; readonly body: Plan<D> }[] = [];
    for (let rest = extent; rest > 0; rest -= parts.at(-1)!.size) {
      const size = parts.length === 2 ? rest : 1 + below(rest);
      parts.push({ size, body: inner(dimension, size) });
    }
    return { kind: 'split', dimension, parts };
  }
  if (kind === 2) {
    const step = oneOf(below, divisors(extent));
    return loop(dimension, extent, step, inner(dimension, step));
  }
  return kind === 3 ? { kind: 'scalar', extents } : nest(extents);
};

/** What a kernel decides besides its lanes: at times nothing. */
const drawDecisions = (
  below: Below,
  extents: Readonly<Record<string, number>>,
  reduced: readonly string[],
  windows: number,
): Pick<KernelNode<string>, 'unroll' | 'tiles'> => {
  const partition = (size: number): readonly (readonly [number, number])[] => {
    const parts: (readonly [number, number])[] = [];
    for (let from = 0; from < size; from += parts.at(-1)![1]) parts.push([from, 1 + below(size - from)]);
    return parts;
  };
  const unroll = Object.fromEntries(reduced.map((name) => [name, oneOf(below, divisors(extents[name]!))]));
  const tiles = partition(windows).flatMap(([firstWindow, width]) =>
    partition(extents['filters']!).map(([firstFilter, filters]) => ({
      firstWindow,
      windows: width,
      firstFilter,
      filters,
    })),
  );
  return { ...(below(3) === 0 && { unroll }), ...(below(3) === 0 && { tiles: tiles.toReversed() }) };
};

/** Loops around a microkernel, one operand of which moves past a tile of the other. */
const drawNest = (below: Below, extents: Extents, { isChannelsLast, mayReadInput }: DrawnSpace): Plan => {
  const moving = oneOf(below, ['windows', 'filters'] as const);
  const still = moving === 'windows' ? 'filters' : 'windows';
  const operandOf = { windows: 'input', filters: 'filters' } as const;
  const channels = oneOf(below, divisors(extents.channels));
  const tile = {
    windows: oneOf(below, divisors(extents.windows)),
    filters: oneOf(below, divisors(extents.filters)),
  };
  const isInPlace = { input: mayReadInput.windows && below(2) === 0, filters: below(2) === 0 };
  const own = { batch: 1, group: 1, channels, ...tile };
  const decisions = drawDecisions(below, own, ['channels'], tile.windows);
  const isPlain = !isInPlace.input && !isInPlace.filters && Object.keys(decisions).length === 0;
  const kernel: Plan = {
    kind: 'kernel',
    lanes: isPlain ? oneOf(below, ['windows', 'filters'] as const) : isChannelsLast ? 'filters' : 'windows',
    extents: own,
    ...decisions,
  };
  const packed = (dimension: 'windows' | 'filters', tiles: number, body: Plan): Plan =>
    pack(operandOf[dimension], isInPlace[operandOf[dimension]] ? undefined : tiles, body);
  const isMultipacked = below(2) === 0;
  // Tiles of the moving operand that are packed at once, and of the other that they meet.
  const block = isMultipacked
    ? tile[moving] * oneOf(below, divisors(extents[moving] / tile[moving]))
    : tile[moving];
  const atOnce = block / tile[moving];
  const ofTile = isMultipacked
    ? packed(still, 1, loop(moving, block, tile[moving], kernel))
    : packed(still, 1, loop(moving, extents[moving], tile[moving], packed(moving, 1, kernel)));
  const past = loop(still, extents[still], tile[still], ofTile);
  const nest = isMultipacked ? loop(moving, extents[moving], block, packed(moving, atOnce, past)) : past;
  const overChannels = loop('channels', extents.channels, channels, nest);
  return extents.batch === 1 && below(2) === 0 ? overChannels : loop('batch', extents.batch, 1, overChannels);
};

/** Loops over rows and columns, over taps and channels outside of them, and over filters on one of three sides. */
const drawOpenNest = (
  below: Below,
  extents: Extents<OpenDimension>,
  { isChannelsLast, mayReadInput }: DrawnSpace,
): OpenPlan => {
  const reduced = ['channels', 'tapRows', 'tapColumns'] as const;
  const tiled = ['rows', 'columns', 'filters', ...reduced] as const;
  const steps = Object.fromEntries(
    tiled.map((name) => [name, oneOf(below, divisors(extents[name]))]),
  ) as Record<(typeof tiled)[number], number>;
  const isInPlace = { input: mayReadInput.rows && below(3) > 0, filters: below(2) === 0 };
  const over = (name: (typeof tiled)[number], body: OpenPlan): OpenPlan =>
    loop(name, extents[name], steps[name], body);
  const overWindows = (body: OpenPlan): OpenPlan =>
    over('rows', over('columns', pack('input', isInPlace.input ? undefined : 1, body)));
  const packed = (tiles: number, body: OpenPlan): OpenPlan =>
    pack('filters', isInPlace.filters ? undefined : tiles, body);
  const own = { batch: 1, group: 1, ...steps };
  const kernel: OpenPlan = {
    kind: 'kernel',
    lanes: isChannelsLast ? 'filters' : 'columns',
    extents: own,
    ...drawDecisions(below, own, reduced, steps.rows * steps.columns),
  };
  const nests = [
    () => overWindows(over('filters', packed(1, kernel))),
    () => over('filters', packed(1, overWindows(kernel))),
    () => packed(extents.filters / steps.filters, overWindows(over('filters', kernel))),
  ];
  const nest = oneOf(below, nests)();
  const order = below(2) === 0 ? [...reduced] : reduced.toReversed();
  const images = order.reduceRight((body: OpenPlan, name) => over(name, body), nest);
  return loop<OpenDimension>('batch', extents.batch, 1, images);
};
