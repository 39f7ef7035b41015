/** The forms that a tile of a linearised convolution goes through while it is packed, as the maps of its operands. */
import type { AffineMap } from '@sconv/affine';
import { dim, equals, makeMap } from '@sconv/affine';
import { generic, genericView } from '@sconv/dialects/linalg';
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

export const packedWindowsMap = overSix(...packedWindowsOrder);
export const packedFiltersMap = overSix(...packedFiltersOrder);
/** Filters in FCHW. */
export const filtersMap = overSix(filter, channel, filterRow, filterColumn);
export const outputMap = overSix(batch, filter, window);

/**
 * Whether an op is a `linalg.generic` over the six dimensions, each with iterations, whose operands are static tensors with
 * these maps. A tile without iterations reads nothing, and has nothing to pack.
 */
export const isTile = (operation: Operation, maps: readonly AffineMap[]): boolean => {
  if (!generic.is(operation)) return false;
  const { indexingMaps, loopRanges } = genericView(operation);
  return (
    indexingMaps.length === maps.length &&
    indexingMaps.every((map, i) => equals(map, maps[i]!)) &&
    loopRanges.every((extent) => extent > 0) &&
    operation.operands.every(({ type }) => type.kind === 'tensor' && isStaticShape(type))
  );
};
