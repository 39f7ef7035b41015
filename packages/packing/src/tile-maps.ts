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

/** Eq. 5 with the batch before it: N × N_c × F_h × F_w × N_win. */
export const packedWindowsOrder = [batch, channel, filterRow, filterColumn, window] as const;

/** Eq. 2: N_c × F_h × F_w × N_f. */
export const packedFiltersOrder = [channel, filterRow, filterColumn, filter] as const;

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

/** The map of packed windows, in panels of a width or in one. */
export const packedWindowsMap = packedMap(packedWindowsOrder, windowsPanelAt);
/** The map of packed filters, in panels of a width or in one. */
export const packedFiltersMap = packedMap(packedFiltersOrder, filtersPanelAt);

/** Filters in FCHW. */
export const filtersMap = overSix(filter, channel, filterRow, filterColumn);
export const outputMap = overSix(batch, filter, window);

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
