/** The types of packed tensors, and which tiles are full. */
import type { PackTiling } from '@sconv/dialects';
import { inferPackedType } from '@sconv/dialects/tensor';
import type { TensorType, Value } from '@sconv/ir';
import { DYNAMIC, tensorType } from '@sconv/ir';
import { sameMixed } from '../match.ts';

/** The tile sizes of a tiling in a type: `DYNAMIC` for values. */
const staticTiles = ({ innerTiles }: PackTiling): readonly number[] =>
  innerTiles.map((tile) => (typeof tile === 'number' ? tile : DYNAMIC));

/** The type of a tensor packed into as many tiles as it fills. */
export const packedTypeOf = (type: TensorType, tiling: PackTiling): TensorType =>
  inferPackedType(type, staticTiles(tiling), tiling.innerDimsPos, tiling.outerDimsPerm);

/** The type of tiles put together, all of them full. */
export const unpackedTypeOf = ({ shape, elementType }: TensorType, tiling: PackTiling): TensorType => {
  const { innerDimsPos, outerDimsPerm } = tiling;
  const outer = shape.slice(0, shape.length - innerDimsPos.length);
  const sizes = outer.map((size, i) =>
    outerDimsPerm.length === 0 ? size : outer[outerDimsPerm.indexOf(i)]!,
  );
  innerDimsPos.forEach((position, i) => {
    const [size, tile] = [sizes[position]!, staticTiles(tiling)[i]!];
    sizes[position] = size === DYNAMIC || tile === DYNAMIC ? DYNAMIC : size * tile;
  });
  return tensorType(sizes, elementType);
};

/** By tile: whether it divides its dimension; undefined if that is not known. */
const fullTiles = (
  { type }: Value,
  { innerTiles, innerDimsPos }: PackTiling,
): readonly (boolean | undefined)[] =>
  innerDimsPos.map((position, i) => {
    const [size, tile] = [type.kind === 'tensor' ? type.shape[position]! : DYNAMIC, innerTiles[i]!];
    return size === DYNAMIC || typeof tile !== 'number' ? undefined : size % tile === 0;
  });

/** Whether no tile is known to be partial: packing with partial tiles needs padding. */
export const mayBeFull = (value: Value, tiling: PackTiling): boolean =>
  fullTiles(value, tiling).every((isFullTile) => isFullTile !== false);

/** Whether all tiles are known to be full. */
export const isFull = (value: Value, tiling: PackTiling): boolean =>
  fullTiles(value, tiling).every((isFullTile) => isFullTile === true);

const noTiles: PackTiling = { innerTiles: [], innerDimsPos: [], outerDimsPerm: [] };

/** Whether both are the same layout; without tiles if undefined. */
export const isSameTiling = (a: PackTiling = noTiles, b: PackTiling): boolean => {
  const order = ({ outerDimsPerm }: PackTiling): string =>
    outerDimsPerm.every((from, i) => from === i) ? '' : String(outerDimsPerm);
  return (
    sameMixed(a.innerTiles, b.innerTiles) &&
    String(a.innerDimsPos) === String(b.innerDimsPos) &&
    order(a) === order(b)
  );
};
