/** The forms of a tile of a linearised convolution during packing, as the maps of its operands. */
import type { AffineMap } from '@sconv/affine';
import { dim, equals, makeMap } from '@sconv/affine';
import { generic, genericView, panelWidthOf } from '@sconv/dialects/linalg';
import type { Operation } from '@sconv/ir';
import { isStaticShape } from '@sconv/ir';
import { dimensions } from '@sconv/packing-equations';

const { batch, filter, window, channel, filterRow, filterColumn } = dimensions;

/** The map of an operand indexed by these of the six dimensions. */
const overSix = (...positions: readonly number[]): AffineMap =>
  makeMap(
    6,
    0,
    positions.map((position) => dim(position)),
  );

/** The position of the panel index among the dimensions of packed windows, and of packed filters. */
export const windowsPanelAt = 1;
export const filtersPanelAt = 0;

/** The map of an operand packed in this order, the last dimension in panels of a width if given. */
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

/** The map of a packed operand, given the panel width (undefined: one panel). */
type PackedMap = (width?: number) => AffineMap;

/** The layouts of a tile's operands, before and after packing. */
export interface TileLayout {
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

/**
 * NCHW and FCHW, or CHWF: N × N_c × F_h × F_w × N_win (Eq. 5 with the batch first), and N_c × F_h × F_w × N_f (Eq. 2).
 */
export const channelsFirst = layoutOf([channel, filterRow, filterColumn], {
  lanes: 'windows',
  filtersMaps: [
    overSix(filter, channel, filterRow, filterColumn),
    overSix(channel, filterRow, filterColumn, filter),
  ],
  outputMap: overSix(batch, filter, window),
});

/** NHWC, with HWCF or FHWC: channels stay contiguous, N × F_h × F_w × N_c × N_win, and F_h × F_w × N_c × N_f. */
export const channelsLast = layoutOf([filterRow, filterColumn, channel], {
  lanes: 'filters',
  filtersMaps: [
    overSix(filterRow, filterColumn, channel, filter),
    overSix(filter, filterRow, filterColumn, channel),
  ],
  outputMap: overSix(batch, window, filter),
});

/** The wanted map of each operand; packed ones may be in panels of any width. */
type WantedMaps = readonly (AffineMap | ((width?: number) => AffineMap))[];

/** The layout whose maps the operands of a tile have. */
export const tileLayout = (
  operation: Operation,
  maps: (layout: TileLayout, filtersMap: AffineMap) => WantedMaps,
): TileLayout | undefined => {
  const own = tileMaps(operation);
  return (
    own &&
    [channelsFirst, channelsLast].find((layout) =>
      layout.filtersMaps.some((filtersMap) => areMaps(own, maps(layout, filtersMap))),
    )
  );
};

/**
 * Whether an op is a `linalg.generic` over six non-empty dimensions whose operands are static tensors with these
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
    return equals(map, typeof other === 'function' ? other(panelWidthOf(map)) : other);
  });
