/** Filter packing: a reordering without replication (ST §4.1, Eqs. 1-3). */
import type { AffineExpr, AffineMap, AffineOperand } from '@sconv/affine';
import { add, dim, makeMap, mul } from '@sconv/affine';
import type { Geometry, TileSizes } from './geometry.ts';
import { numbers } from './geometry.ts';

type FilterExtent = Pick<Geometry, 'filterHeight' | 'filterWidth'>;
type FilterSizes = Pick<TileSizes, 'channels' | 'filters'>;

/** Eq. 1 (ST §4.1): the tile of the filter set, Nf x Nc x Fh x Fw; `tiles` (Nt) tiles are extracted together. */
export function filterTileShape(extent: FilterExtent, sizes: FilterSizes, tiles = 1): number[] {
  const { filterHeight, filterWidth } = numbers(extent, 'filterHeight', 'filterWidth');
  const { channels, filters } = numbers(sizes, 'channels', 'filters');
  return [tiles * filters, channels, filterHeight, filterWidth];
}

/** Eq. 2 (ST §4.1): the packed tile, Nc x Fh x Fw x Nf. */
export function packedFilterShape(extent: FilterExtent, sizes: FilterSizes): number[] {
  const { filterHeight, filterWidth } = numbers(extent, 'filterHeight', 'filterWidth');
  const { channels, filters } = numbers(sizes, 'channels', 'filters');
  return [channels, filterHeight, filterWidth, filters];
}

/** Nt consecutive packed filter tiles: Nt x Nc x Fh x Fw x Nf. */
export function multipackedFilterShape(extent: FilterExtent, sizes: FilterSizes, tiles: number): number[] {
  return [tiles, ...packedFilterShape(extent, sizes)];
}

/** Eq. 3 (ST §4.1): iTf = iNt * Nf + iNf, the index in the filter set of filter iNf of tile iNt. */
export function filterIndex(tile: AffineOperand, filters: number, filter: AffineOperand): AffineExpr {
  return add(mul(tile, filters), filter);
}

/** From the packed tile to the filter set: `(iNc, iFh, iFw, iNf) -> (iNf, iNc, iFh, iFw)`. */
export function filterPackingMap(): AffineMap {
  return makeMap(4, 0, [dim(3), dim(0), dim(1), dim(2)]);
}

/** From Nt packed tiles to the filter set: `(iNt, iNc, iFh, iFw, iNf) -> (iTf, iNc, iFh, iFw)` with Eq. 3. */
export function filterMultipackingMap(filters: number): AffineMap {
  return makeMap(5, 0, [filterIndex(dim(0), filters, dim(4)), dim(1), dim(2), dim(3)]);
}
