/** The forms of a tile of a linearised convolution during packing, as the maps of its operands. */
import type { AffineMap } from '@sconv/affine';
import { dim, equals, makeMap } from '@sconv/affine';
import { generic, genericView, panelWidthOf } from '@sconv/dialects/linalg';
import type { Operation } from '@sconv/ir';
import { isStaticShape } from '@sconv/ir';
import { dimensions, openPositions } from '@sconv/packing-equations';

/** The iteration dimensions of a tile, whose windows are one dimension, or rows and columns. */
interface TileSpace {
  readonly rank: number;
  readonly batch: number;
  readonly filter: number;
  readonly windows: readonly number[];
  readonly channel: number;
  readonly taps: readonly [row: number, column: number];
}

const linear: TileSpace = {
  ...dimensions,
  rank: 6,
  windows: [dimensions.window],
  taps: [dimensions.filterRow, dimensions.filterColumn],
};

const open: TileSpace = {
  rank: 7,
  batch: openPositions.batch,
  filter: openPositions.filters,
  windows: [openPositions.rows, openPositions.columns],
  channel: openPositions.channels,
  taps: [openPositions.tapRows, openPositions.tapColumns],
};

/** The map of an operand indexed by these dimensions. */
const indexedBy = (rank: number, positions: readonly number[]): AffineMap =>
  makeMap(
    rank,
    0,
    positions.map((position) => dim(position)),
  );

/** The position of the panel index among the dimensions of packed windows, and of packed filters. */
export const windowsPanelAt = 1;
export const filtersPanelAt = 0;

/** The map of an operand packed in this order, the last dimension in panels of a width if given. */
const packedMap =
  (rank: number, order: readonly number[], at: number) =>
  (width?: number): AffineMap => {
    const results = order.map((position) => dim(position));
    const last = results.at(-1)!;
    return makeMap(
      rank,
      0,
      width === undefined
        ? results
        : results.with(-1, last.mod(width)).toSpliced(at, 0, last.floorDiv(width)),
    );
  };

/** The map of a packed operand, given the panel width (undefined: one panel). */
type PackedMap = (width?: number) => AffineMap;

/** The layouts of a tile's operands, before and after packing. */
export interface TileLayout {
  /** Whether there can be panels: of windows that are one dimension, and the lanes. */
  readonly hasPanels: boolean;
  /** The contiguous dimension of the output, which becomes the lanes of a microkernel. */
  readonly lanes: 'windows' | 'filters';
  /** Filters before packing, in one of these orders. */
  readonly filtersMaps: readonly AffineMap[];
  readonly outputMap: AffineMap;
  /** The dimensions of packed windows, and of packed filters. */
  readonly windowsOrder: readonly number[];
  readonly filtersOrder: readonly number[];
  readonly packedWindowsMap: PackedMap;
  readonly packedFiltersMap: PackedMap;
}

const layoutOf = (
  { rank, batch, filter, windows }: TileSpace,
  reduced: readonly number[],
  lanes: TileLayout['lanes'],
  filtersOrders: readonly (readonly number[])[],
  output: readonly number[],
): TileLayout => {
  const windowsOrder = [batch, ...reduced, ...windows];
  const filtersOrder = [...reduced, filter];
  return {
    hasPanels: lanes === 'windows' && windows.length === 1,
    lanes,
    filtersMaps: filtersOrders.map((order) => indexedBy(rank, order)),
    outputMap: indexedBy(rank, output),
    windowsOrder,
    filtersOrder,
    packedWindowsMap: packedMap(rank, windowsOrder, windowsPanelAt),
    packedFiltersMap: packedMap(rank, filtersOrder, filtersPanelAt),
  };
};

/**
 * NCHW and FCHW, or CHWF: N × N_c × F_h × F_w × N_win (Eq. 5 with the batch first), and N_c × F_h × F_w × N_f (Eq. 2).
 */
const channelsFirstIn = (space: TileSpace): TileLayout => {
  const { batch, filter, windows, channel, taps } = space;
  const reduced = [channel, ...taps];
  const filtersOrders = [
    [filter, ...reduced],
    [...reduced, filter],
  ];
  return layoutOf(space, reduced, 'windows', filtersOrders, [batch, filter, ...windows]);
};

/**
 * NHWC, with HWCF or FHWC: channels stay contiguous, N × F_h × F_w × N_c × N_win, and F_h × F_w × N_c × N_f.
 */
const channelsLastIn = (space: TileSpace): TileLayout => {
  const { batch, filter, windows, channel, taps } = space;
  const reduced = [...taps, channel];
  const filtersOrders = [
    [...reduced, filter],
    [filter, ...reduced],
  ];
  return layoutOf(space, reduced, 'filters', filtersOrders, [batch, ...windows, filter]);
};

/** The layouts of linearised convolutions. */
export const channelsFirst = channelsFirstIn(linear);
export const channelsLast = channelsLastIn(linear);

const linearLayouts = [channelsFirst, channelsLast];

/** The same, and those of convolutions whose rows and columns are apart. */
export const anyLayouts = [...linearLayouts, channelsFirstIn(open), channelsLastIn(open)];

/** The wanted map of each operand; packed ones may be in panels of any width. */
type WantedMaps = readonly (AffineMap | ((width?: number) => AffineMap) | 'any')[];

/** The layout whose maps the operands of a tile have, by default a linear one. */
export const tileLayout = (
  operation: Operation,
  maps: (layout: TileLayout, filtersMap: AffineMap) => WantedMaps,
  layouts: readonly TileLayout[] = linearLayouts,
): TileLayout | undefined => {
  const own = tileMaps(operation);
  return (
    own &&
    layouts.find((layout) => layout.filtersMaps.some((filtersMap) => areMaps(own, maps(layout, filtersMap))))
  );
};

/**
 * Whether an op is a `linalg.generic` over non-empty dimensions whose operands are static tensors with these
 * maps; packed ones may be in panels of any width. A tile without iterations has nothing to pack.
 */
export const isTile = (operation: Operation, maps: WantedMaps): boolean => {
  const own = tileMaps(operation);
  return own !== undefined && areMaps(own, maps);
};

/** The maps of a `linalg.generic` over non-empty dimensions whose operands are static tensors. */
const tileMaps = (operation: Operation): readonly AffineMap[] | undefined => {
  if (!generic.is(operation)) return undefined;
  const { indexingMaps, loopRanges } = genericView(operation);
  const isStatic = operation.operands.every(({ type }) => type.kind === 'tensor' && isStaticShape(type));
  return isStatic && loopRanges.every((extent) => extent > 0) ? indexingMaps : undefined;
};

const areMaps = (maps: readonly AffineMap[], wanted: WantedMaps): boolean =>
  maps.length === wanted.length &&
  maps.every((map, i) => {
    const other = wanted[i]!;
    return other === 'any' || equals(map, typeof other === 'function' ? other(panelWidthOf(map)) : other);
  });
