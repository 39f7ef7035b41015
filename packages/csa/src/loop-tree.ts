/**
 * The loop nest that a plan stands for, as plain data (ST §5.2-5.4, Figure 3; SC §4.2, Figure 5): enough for
 * a compiler with its own IR to generate the code.
 *
 * A loop's variable runs over `from, from + step, … < to`; where loops over the same dimension nest, the
 * position is the sum of their variables.
 */

import { roles, type Schedule, type SlicedConvolution, type Tiling } from './tiling.ts';

/** Windows count output pixels in row-major order (OH·OW linearised); channels and filters those of one group. */
export type LoopDimension = 'batch' | 'group' | 'channels' | 'windows' | 'filters';

export interface LoopNode {
  readonly kind: 'loop';
  readonly dimension: LoopDimension;
  /** The layer of SC Figure 5 and ST Figure 3; absent for batch and groups. */
  readonly layer?: 5 | 4 | 3 | 2 | 1;
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly body: readonly LoopTreeNode[];
}

/** Packs tiles from the current position on: input tiles as `[tile][c][fh][fw][window]`, filters likewise. */
export interface PackNode {
  readonly kind: 'pack';
  readonly operand: 'input' | 'filters';
  /** K2 for the moving operand (multipacking, ST §5.4), 1 for the stationary one. */
  readonly tiles: number;
  /** Extents of the packed buffer: tiles, channels, filter height, filter width, tile width. */
  readonly shape: readonly [number, number, number, number, number];
  readonly bytes: number;
  /** The cache that the packed tiles are meant to stay in. */
  readonly level: 'l1' | 'l2';
}

/** One call of the microkernel on packed tiles: adds `channels` channels to a tile of the output. */
export interface MicrokernelNode {
  readonly kind: 'microkernel';
  readonly windows: number;
  readonly filters: number;
  readonly channels: number;
}

/** Windows or filters beyond the last full tile, computed without packing (ST §5.2: "untiled and unpacked"). */
export interface EdgeNode {
  readonly kind: 'edge';
  readonly windows: number;
  readonly filters: number;
  readonly channels: number;
}

export type LoopTreeNode = LoopNode | PackNode | MicrokernelNode | EdgeNode;

/** Positions `from … to - 1` of one dimension. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A part of the iteration space with constant tile sizes (ST §5.2); 1 to 8 of them, split at K2, K3 and Nc. */
export interface Fragment {
  readonly kind: 'fragment';
  readonly channels: Span;
  readonly windows: Span;
  readonly filters: Span;
  readonly nc: number;
  readonly k2: number;
  readonly k3: number;
  readonly body: readonly LoopTreeNode[];
}

/** What the fragments leave over: `edge` has one node under the loops over batch and groups. */
export interface EdgeFragment {
  readonly kind: 'edge';
  readonly channels: Span;
  readonly windows: Span;
  readonly filters: Span;
  readonly body: readonly LoopTreeNode[];
}

export interface LoopTree {
  readonly schedule: Schedule;
  /** In the order of execution. */
  readonly fragments: readonly Fragment[];
  readonly edges: readonly EdgeFragment[];
}

/** The two parts of a dimension: whole multiples of `step`, and the rest with a step of its own. */
const split = (size: number, step: number): readonly (Span & { readonly step: number })[] => {
  const whole = size - (size % step);
  return [
    { from: 0, to: whole, step },
    { from: whole, to: size, step: size - whole },
  ].filter(({ from, to }) => to > from);
};

const aroundImages = (
  { shape }: SlicedConvolution,
  body: readonly LoopTreeNode[],
): readonly LoopTreeNode[] => {
  const loop = (dimension: LoopDimension, to: number, inner: readonly LoopTreeNode[]): LoopNode => ({
    kind: 'loop',
    dimension,
    from: 0,
    to,
    step: 1,
    body: inner,
  });
  const images = loop('batch', shape.batch, body);
  return shape.groups === 1 ? [images] : [loop('group', shape.groups, [images])];
};

/** The nest of one fragment: layers 5 to 1, multipacking in layer 3, packing in layer 2. */
const nest = (
  sliced: SlicedConvolution,
  schedule: Schedule,
  fragment: FragmentSizes,
): readonly LoopTreeNode[] => {
  const { microkernel, shape, taps, elementBytes } = sliced;
  const { nc, k2, k3 } = fragment;
  const [stationary, moving] =
    schedule === 'is' ? (['windows', 'filters'] as const) : (['filters', 'windows'] as const);
  const width = { windows: microkernel.windows, filters: microkernel.filters };
  const pack = (dimension: 'windows' | 'filters', tiles: number, level: 'l1' | 'l2'): PackNode => ({
    kind: 'pack',
    operand: dimension === 'windows' ? 'input' : 'filters',
    tiles,
    shape: [tiles, nc, shape.filterHeight, shape.filterWidth, width[dimension]],
    bytes: tiles * nc * taps * width[dimension] * elementBytes,
    level,
  });
  const loop = (
    layer: 5 | 4 | 3 | 2 | 1,
    dimension: LoopDimension,
    span: Span,
    step: number,
    ...body: readonly LoopTreeNode[]
  ): LoopNode => ({ kind: 'loop', dimension, layer, from: span.from, to: span.to, step, body });
  const inTile = (dimension: 'windows' | 'filters', tiles: number): Span => ({
    from: 0,
    to: tiles * width[dimension],
  });

  const call: MicrokernelNode = { kind: 'microkernel', ...microkernel, channels: nc };
  const layer1 = loop(1, moving, inTile(moving, k2), width[moving], call);
  const layer2 = loop(
    2,
    stationary,
    inTile(stationary, k3),
    width[stationary],
    pack(stationary, 1, 'l1'),
    layer1,
  );
  const layer3 = loop(3, moving, fragment[moving], k2 * width[moving], pack(moving, k2, 'l2'), layer2);
  const layer4 = loop(4, stationary, fragment[stationary], k3 * width[stationary], layer3);
  return aroundImages(sliced, [loop(5, 'channels', fragment.channels, nc, layer4)]);
};

/** A fragment without its loops. */
export type FragmentSizes = Omit<Fragment, 'body'>;

/** The fragments of a tiling: split at K2, then K3, then Nc (ST §5.2). */
export const fragmentSizes = (sliced: SlicedConvolution, tiling: Tiling): readonly FragmentSizes[] => {
  const { schedule, nc } = tiling;
  const { stationary, moving } = roles(sliced, schedule, nc);
  const { windows, filters } = sliced.microkernel;
  const [stationaryWidth, movingWidth] = schedule === 'is' ? [windows, filters] : [filters, windows];
  const scaled = ({ from, to }: Span, width: number): Span => ({ from: from * width, to: to * width });
  return split(moving.tiles, tiling.k2).flatMap((byK2) =>
    split(stationary.tiles, tiling.k3).flatMap((byK3) => {
      const movingSpan = scaled(byK2, movingWidth);
      const stationarySpan = scaled(byK3, stationaryWidth);
      return split(sliced.channels, nc).map((byNc) => ({
        kind: 'fragment' as const,
        channels: { from: byNc.from, to: byNc.to },
        windows: schedule === 'is' ? stationarySpan : movingSpan,
        filters: schedule === 'is' ? movingSpan : stationarySpan,
        nc: byNc.step,
        k2: byK2.step,
        k3: byK3.step,
      }));
    }),
  );
};

/** An edge without its loops. */
export type EdgeSizes = Omit<EdgeFragment, 'body'>;

/** Windows first, over all filters; then the filters that are left, over the full window tiles (ST §5.2). */
export const edgeSizes = (sliced: SlicedConvolution): readonly EdgeSizes[] => {
  const { channels, filters, windows, microkernel, tiles } = sliced;
  // A convolution without a full tile in one dimension is one edge in all.
  const fullWindows = tiles.filters === 0 ? 0 : tiles.windows * microkernel.windows;
  const fullFilters = tiles.windows === 0 ? 0 : tiles.filters * microkernel.filters;
  const edge = (windowSpan: Span, filterSpan: Span): EdgeSizes => ({
    kind: 'edge',
    channels: { from: 0, to: channels },
    windows: windowSpan,
    filters: filterSpan,
  });
  return [
    edge({ from: fullWindows, to: windows }, { from: 0, to: filters }),
    edge({ from: 0, to: fullWindows }, { from: fullFilters, to: filters }),
  ].filter((spans) => spans.windows.to > spans.windows.from && spans.filters.to > spans.filters.from);
};

const edgeNest = (
  sliced: SlicedConvolution,
  { windows, filters, channels }: EdgeSizes,
): readonly LoopTreeNode[] => {
  const start = (dimension: 'windows' | 'filters', { from, to }: Span, node: LoopTreeNode): LoopNode => ({
    kind: 'loop',
    dimension,
    from,
    to,
    step: to - from,
    body: [node],
  });
  const node: EdgeNode = {
    kind: 'edge',
    windows: windows.to - windows.from,
    filters: filters.to - filters.from,
    channels: channels.to,
  };
  return aroundImages(sliced, [start('windows', windows, start('filters', filters, node))]);
};

/** The loop tree of a tiling of a sliced convolution. */
export const loopTreeOf = (sliced: SlicedConvolution, tiling: Tiling): LoopTree => ({
  schedule: tiling.schedule,
  fragments: fragmentSizes(sliced, tiling).map((sizes) => ({
    ...sizes,
    body: nest(sliced, tiling.schedule, sizes),
  })),
  edges: edgeSizes(sliced).map((spans) => ({ ...spans, body: edgeNest(sliced, spans) })),
});
