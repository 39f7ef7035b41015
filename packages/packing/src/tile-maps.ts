/** The forms that a tile of a linearised convolution goes through while it is packed, as the maps of its operands. */
import type { AffineMap } from '@sconv/affine';
import { dim, equals, makeMap } from '@sconv/affine';
import { generic, genericView, panelWidthOf } from '@sconv/dialects/linalg';
import type { Operation } from '@sconv/ir';
import { isStaticShape } from '@sconv/ir';
import { dimensions } from '@sconv/packing-equations';

const { batch, filter, window, channel, filterRow, filterColumn } = dimensions;

/** The map of an operand that is indexed by these dimensions of the six. */
const overSix = (...positions: readonly number[]): AffineMap =>
  makeMap(
    6,
    0,
    positions.map((position) => dim(position)),
  );

/** Where the number of a panel stands among the dimensions of packed windows, and of packed filters. */
export const windowsPanelAt = 1;
export const filtersPanelAt = 0;

/** The map of an operand that is packed in this order, the last dimension in panels of a width if there is one. */
const packedMap =
  (order: readonly number[], at: number) =>
  (width?: number): AffineMap => {
    const results = order.map((position) => dim(position));
    const last = results.at(-1)!;
    return makeMap(
      6,
      0,
      width === undefined
        ? results
        : results.with(-1, last.mod(width)).toSpliced(at, 0, last.floorDiv(width)),
    );
  };

/** A map of a packed operand, in panels of a width or in one. */
type PackedMap = (width?: number) => AffineMap;

/** How the operands of a tile lie, before and after they are packed. */
export interface TileLayout {
  /** What lies side by side in the output, and becomes the lanes of a microkernel. */
  readonly lanes: 'windows' | 'filters';
  /** Filters before they are packed, in one of these orders. */
  readonly filtersMaps: readonly AffineMap[];
  readonly outputMap: AffineMap;
  /** The dimensions of packed windows, and of packed filters. */
  readonly windowsOrder: readonly number[];
  readonly filtersOrder: readonly number[];
  readonly packedWindowsMap: PackedMap;
  readonly packedFiltersMap: PackedMap;
}

const layoutOf = (
  reduced: readonly number[],
  layout: Pick<TileLayout, 'lanes' | 'filtersMaps' | 'outputMap'>,
): TileLayout => {
  const windowsOrder = [batch, ...reduced, window];
  const filtersOrder = [...reduced, filter];
  return {
    ...layout,
    windowsOrder,
    filtersOrder,
    packedWindowsMap: packedMap(windowsOrder, windowsPanelAt),
    packedFiltersMap: packedMap(filtersOrder, filtersPanelAt),
  };
};

/** NCHW and FCHW: N × N_c × F_h × F_w × N_win (Eq. 5 with the batch before it), and N_c × F_h × F_w × N_f (Eq. 2). */
export const channelsFirst = layoutOf([channel, filterRow, filterColumn], {
  lanes: 'windows',
  filtersMaps: [overSix(filter, channel, filterRow, filterColumn)],
  outputMap: overSix(batch, filter, window),
});

/** NHWC, and HWCF or FHWC: the channels stay side by side, N × F_h × F_w × N_c × N_win, and F_h × F_w × N_c × N_f. */
export const channelsLast = layoutOf([filterRow, filterColumn, channel], {
  lanes: 'filters',
  filtersMaps: [
    overSix(filterRow, filterColumn, channel, filter),
    overSix(filter, filterRow, filterColumn, channel),
  ],
  outputMap: overSix(batch, window, filter),
});

/** The layout of a tile whose operands have the maps that one of them gives. */
export const tileLayout = (
  operation: Operation,
  maps: (layout: TileLayout, filtersMap: AffineMap) => Parameters<typeof isTile>[1],
): TileLayout | undefined =>
  [channelsFirst, channelsLast].find((layout) =>
    layout.filtersMaps.some((filtersMap) => isTile(operation, maps(layout, filtersMap))),
  );

/**
 * Whether an op is a `linalg.generic` over the six dimensions, each with iterations, whose operands are static tensors with
 * these maps; packed ones may be in any panels. A tile without iterations reads nothing, and has nothing to pack.
 */
export const isTile = (
  operation: Operation,
  maps: readonly (AffineMap | ((width?: number) => AffineMap))[],
): boolean => {
  if (!generic.is(operation)) return false;
  const { indexingMaps, loopRanges } = genericView(operation);
  return (
    indexingMaps.length === maps.length &&
    indexingMaps.every((map, i) => {
      const wanted = maps[i]!;
      return equals(map, typeof wanted === 'function' ? wanted(panelWidthOf(map)) : wanted);
    }) &&
    loopRanges.every((extent) => extent > 0) &&
    operation.operands.every(({ type }) => type.kind === 'tensor' && isStaticShape(type))
  );
};
