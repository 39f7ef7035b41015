/** Input multipacking: Nt tiles packed at once, before the inner tiling loop (ST §4.2.1, Eqs. 13 and 14). */
import type { AffineExpr, AffineMap, AffineOperand } from '@sconv/affine';
import { add, adopt, dim, makeMap, mul, symbol } from '@sconv/affine';
import type { Geometry, TileSizes } from './geometry.ts';
import { absoluteElement, packedInputShape, relativeElement } from './input-packing.ts';

/** Nt consecutive packed input tiles: Nt x Nc x Fh x Fw x Nwin. */
export function multipackedInputShape(
  extent: Pick<Geometry, 'filterHeight' | 'filterWidth'>,
  sizes: Pick<TileSizes, 'channels' | 'windows'>,
  tiles: number,
): number[] {
  return [tiles, ...packedInputShape(extent, sizes)];
}

/** Eq. 13 (ST §4.2.1): iTs = iOout, since the inner loop does not exist yet. */
export function multipackedTileStart(outer: AffineOperand): AffineExpr {
  return adopt(outer);
}

/** Eq. 14 (ST §4.2.1): iOhw = iTs + iNt * Nwin + iNwin, the image window of a window of tile iNt. */
export function multipackedWindowOfImage(
  start: AffineOperand,
  tile: AffineOperand,
  windows: number,
  window: AffineOperand,
): AffineExpr {
  return add(start, add(mul(tile, windows), window));
}

/** From Nt packed tiles to the slice extracted for them: `(iNt, iNc, iFh, iFw, iNwin)[iTs] -> (iNc, iThw)`. */
export function relativeMultipackedInputMap(geometry: Geometry, windows: number): AffineMap {
  const start = symbol(0);
  const window = multipackedWindowOfImage(start, dim(0), windows, dim(4));
  return makeMap(5, 1, [dim(1), relativeElement(geometry, start, window, dim(2), dim(3))]);
}

/** From Nt packed tiles to the whole linearised image: `(iNt, iNc, iFh, iFw, iNwin)[iTs] -> (iNc, element)`. */
export function absoluteMultipackedInputMap(geometry: Geometry, windows: number): AffineMap {
  const window = multipackedWindowOfImage(symbol(0), dim(0), windows, dim(4));
  return makeMap(5, 1, [dim(1), absoluteElement(geometry, window, dim(2), dim(3))]);
}
