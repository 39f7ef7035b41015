/**
 * Edge cases (ST §5.2, stage 2): into which fragments the iteration domain of a convolution is split, so that in each
 * the microkernel's tile and CSA's tile divide what they tile.
 */
import type { Plan } from '@sconv/csa';
import { match } from 'ts-pattern';

/** Iteration dimensions of a linearised convolution that are split. */
export type SplitDimension = 'windows' | 'filters' | 'channels';

/** What becomes of the windows and filters that do not fill a tile of the microkernel. */
export type Edges = 'scalar' | 'small';

/** The part of an iteration domain that one loop nest covers. */
export interface Fragment {
  /** Iterations of each split dimension. */
  readonly windows: number;
  readonly filters: number;
  readonly channels: number;
  /** The tile of its microkernel; undefined where it is left as scalar code. */
  readonly microkernel: { readonly windows: number; readonly filters: number } | undefined;
  /** Iterations of one tile of the outer level. */
  readonly tile: { readonly windows: number; readonly filters: number; readonly channels: number };
}

/** A cut of a part in two: `[0, at)` becomes `low`, the rest `high`. */
export interface Cut {
  readonly kind: 'cut';
  readonly dimension: SplitDimension;
  readonly at: number;
  readonly low: SplitTree;
  readonly high: SplitTree;
}

/** How a domain is split: cuts, with fragments at the leaves. */
export type SplitTree = Cut | { readonly kind: 'fragment'; readonly fragment: Fragment };

type Extents = Readonly<Record<SplitDimension, number>>;

/**
 * The splits of a plan. First the structural ones (2a): windows that do not fill N_win, then filters that do not fill N_f.
 * Then, in the part that does fill them, those of the tiling (2b): K2, K3 and N_c, in this order.
 *
 * @deviation ST leaves structural edges as scalar code, which at its defaults leaves 1076 of ConvBench's 7922 convolutions
 * without any microkernel. With edges `small` each edge is tiled by a smaller microkernel.
 */
export const splitTree = (plan: Plan, edges: Edges): SplitTree => {
  const { shape, microkernel, tiles } = plan;
  const whole: Extents = {
    windows: shape.outputHeight * shape.outputWidth,
    filters: shape.filters,
    channels: shape.inputChannels,
  };
  return cut(whole, 'windows', tiles.windows * microkernel.windows, (byWindows, fullWindows) =>
    cut(byWindows, 'filters', tiles.filters * microkernel.filters, (extents, fullFilters) => {
      const tile = {
        windows: fullWindows ? microkernel.windows : extents.windows,
        filters: fullFilters ? microkernel.filters : extents.filters,
      };
      return edges === 'scalar' && !(fullWindows && fullFilters)
        ? { kind: 'fragment', fragment: { ...extents, microkernel: undefined, tile: extents } }
        : splitByTiling(plan, extents, tile);
    }),
  );
};

/** Stage 2b. */
const splitByTiling = (
  plan: Plan,
  extents: Extents,
  microkernel: { readonly windows: number; readonly filters: number },
): SplitTree => {
  // K2 counts tiles of the operand that moves, K3 tiles of the stationary one.
  const tiles = match(plan.schedule)
    .with('is', () => ({ moving: 'filters', stationary: 'windows' }) as const)
    .with('ws', () => ({ moving: 'windows', stationary: 'filters' }) as const)
    .exhaustive();
  const size = (dimension: 'windows' | 'filters', count: number, available: number) =>
    Math.min(count * microkernel[dimension], available);
  return cutAll(extents, tiles.moving, size(tiles.moving, plan.k2, extents[tiles.moving]), (byK2, moving) =>
    cutAll(
      byK2,
      tiles.stationary,
      size(tiles.stationary, plan.k3, byK2[tiles.stationary]),
      (byK3, stationary) =>
        cutAll(byK3, 'channels', Math.min(plan.nc, byK3.channels), (last, channels) => ({
          kind: 'fragment',
          fragment: {
            ...last,
            microkernel,
            tile: { ...tileSizes(tiles.moving, moving, tiles.stationary, stationary), channels },
          },
        })),
    ),
  );
};

const tileSizes = (
  moving: 'windows' | 'filters',
  movingSize: number,
  stationary: 'windows' | 'filters',
  stationarySize: number,
): { readonly windows: number; readonly filters: number } =>
  ({ [moving]: movingSize, [stationary]: stationarySize }) as { windows: number; filters: number };

/** Cuts after the last multiple of `size`; each part is told the size of its own tile, for a remainder all of it. */
const cutAll = (
  extents: Extents,
  dimension: SplitDimension,
  size: number,
  then: (extents: Extents, tile: number) => SplitTree,
): SplitTree => {
  const full = extents[dimension] - (extents[dimension] % size);
  return cut(extents, dimension, full, (part, isFull) => then(part, isFull ? size : part[dimension]));
};

/** A cut at `at`, or none where it would leave a part empty. */
const cut = (
  extents: Extents,
  dimension: SplitDimension,
  at: number,
  then: (extents: Extents, isLow: boolean) => SplitTree,
): SplitTree => {
  const extent = extents[dimension];
  if (at === extent) return then(extents, true);
  if (at === 0) return then(extents, false);
  return {
    kind: 'cut',
    dimension,
    at,
    low: then({ ...extents, [dimension]: at }, true),
    high: then({ ...extents, [dimension]: extent - at }, false),
  };
};

/** The fragments of a split, in the order of the IR. */
export const fragmentsOf = (tree: SplitTree): readonly Fragment[] =>
  tree.kind === 'fragment' ? [tree.fragment] : [...fragmentsOf(tree.low), ...fragmentsOf(tree.high)];
