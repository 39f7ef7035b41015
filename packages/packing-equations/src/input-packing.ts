/**
 * Input packing (ST §4.2, Eqs. 4-12 and 15): element (iNc, iFh, iFw, iNwin) of the packed tile is the input element
 * that filter element (iFh, iFw) meets in window iNwin.
 *
 * There are two equivalent forms. The paper's is relative to the first element of the tile, for a tile sliced out of
 * the input at that element. The absolute one reads the whole image and needs no slice.
 */
import type { AffineExpr, AffineMap, AffineOperand } from '@sconv/affine';
import { add, dim, floorDiv, makeMap, mod, mul, sub, symbol } from '@sconv/affine';
import type { Geometry, TileSizes } from './geometry.ts';
import { numbers } from './geometry.ts';

type InputSizes = Pick<TileSizes, 'channels' | 'windows'>;

/**
 * Eq. 4 (ST §4.2): the input tile of windows in a single row: channels, rows, columns.
 *
 * @deviation The paper gives Nc x Fh x (Nwin + Fw - 1), which holds for strides and dilations of 1 only.
 */
export function inputTileShape(geometry: Geometry, sizes: InputSizes): number[] {
  const { filterHeight, filterWidth, strideW, dilationH, dilationW } = numbers(
    geometry,
    'filterHeight',
    'filterWidth',
    'strideW',
    'dilationH',
    'dilationW',
  );
  const { channels, windows } = numbers(sizes, 'channels', 'windows');
  const rows = (filterHeight - 1) * dilationH + 1;
  const columns = (windows - 1) * strideW + (filterWidth - 1) * dilationW + 1;
  return [channels, rows, columns];
}

/** Eq. 5 (ST §4.2): the packed tile, Nc x Fh x Fw x Nwin. */
export function packedInputShape(
  extent: Pick<Geometry, 'filterHeight' | 'filterWidth'>,
  sizes: InputSizes,
): number[] {
  const { filterHeight, filterWidth } = numbers(extent, 'filterHeight', 'filterWidth');
  const { channels, windows } = numbers(sizes, 'channels', 'windows');
  return [channels, filterHeight, filterWidth, windows];
}

/** Eq. 6 (ST §4.2): iTh = iFh * dilationH, the tile row, for windows in a single row. */
export function rowInTile(geometry: Geometry, filterRow: AffineOperand): AffineExpr {
  return mul(filterRow, numbers(geometry, 'dilationH').dilationH);
}

/**
 * Eq. 7 (ST §4.2): iTw = iNwin * strideW + iFw * dilationW, the tile column, for windows in a single row.
 *
 * @deviation The paper multiplies the column iFw by the dilation of the height.
 */
export function columnInTile(
  geometry: Geometry,
  window: AffineOperand,
  filterColumn: AffineOperand,
): AffineExpr {
  const { strideW, dilationW } = numbers(geometry, 'strideW', 'dilationW');
  return add(mul(window, strideW), mul(filterColumn, dilationW));
}

/** Eq. 8 (ST §4.2): iThw = iTh * Tw + iTw, the linearised element. */
export function linearIndex(geometry: Geometry, row: AffineOperand, column: AffineOperand): AffineExpr {
  return add(mul(row, numbers(geometry, 'inputWidth').inputWidth), column);
}

/**
 * Eq. 9 (ST §4.2): iTs = iOout + iOin, the first window of the tile from the induction variables of the tiling loops.
 */
export function tileStart(outer: AffineOperand, inner: AffineOperand): AffineExpr {
  return add(outer, inner);
}

/**
 * Eq. 15 (ST §4.2.2): iTs = iOout + iOin + Eoff, for an epilogue whose first window is window Eoff of the image.
 */
export function edgeTileStart(outer: AffineOperand, inner: AffineOperand, offset: AffineOperand): AffineExpr {
  return add(tileStart(outer, inner), offset);
}

/** Eq. 10 (ST §4.2): iOhw = iTs + iNwin, the image window of window iNwin of the tile. */
export function windowOfImage(start: AffineOperand, window: AffineOperand): AffineExpr {
  return add(start, window);
}

/** Eq. 11 (ST §4.2): iTh = (iOhw / Ow - iTs / Ow) * strideH + iFh * dilationH, relative to the start's row. */
export function relativeRow(
  geometry: Geometry,
  start: AffineOperand,
  window: AffineOperand,
  filterRow: AffineOperand,
): AffineExpr {
  const { outputWidth, strideH, dilationH } = numbers(geometry, 'outputWidth', 'strideH', 'dilationH');
  const rows = sub(floorDiv(window, outputWidth), floorDiv(start, outputWidth));
  return add(mul(rows, strideH), mul(filterRow, dilationH));
}

/** Eq. 12 (ST §4.2): iTw = (iOhw mod Ow - iTs mod Ow) * strideW + iFw * dilationW, relative to the start's column. */
export function relativeColumn(
  geometry: Geometry,
  start: AffineOperand,
  window: AffineOperand,
  filterColumn: AffineOperand,
): AffineExpr {
  const { outputWidth, strideW, dilationW } = numbers(geometry, 'outputWidth', 'strideW', 'dilationW');
  const columns = sub(mod(window, outputWidth), mod(start, outputWidth));
  return add(mul(columns, strideW), mul(filterColumn, dilationW));
}

/**
 * The element of a tile, relative to its first one: Eqs. 11 and 12 in Eq. 8. `window` counts from the image's first.
 */
export function relativeElement(
  geometry: Geometry,
  start: AffineOperand,
  window: AffineOperand,
  filterRow: AffineOperand,
  filterColumn: AffineOperand,
): AffineExpr {
  const row = relativeRow(geometry, start, window, filterRow);
  return linearIndex(geometry, row, relativeColumn(geometry, start, window, filterColumn));
}

/**
 * The element of the linearised image that filter element (row, column) meets in a window: the relative element for a
 * tile that starts at window 0.
 */
export function absoluteElement(
  geometry: Geometry,
  window: AffineOperand,
  filterRow: AffineOperand,
  filterColumn: AffineOperand,
): AffineExpr {
  const { outputWidth, strideH, strideW, dilationH, dilationW } = numbers(
    geometry,
    'outputWidth',
    'strideH',
    'strideW',
    'dilationH',
    'dilationW',
  );
  const row = add(mul(floorDiv(window, outputWidth), strideH), mul(filterRow, dilationH));
  const column = add(mul(mod(window, outputWidth), strideW), mul(filterColumn, dilationW));
  return linearIndex(geometry, row, column);
}

/** The first element of a tile: the start of the paper's input slice. absolute = relative + this. */
export function tileOffset(geometry: Geometry, start: AffineOperand): AffineExpr {
  return absoluteElement(geometry, start, 0, 0);
}

/**
 * From the packed tile to a tile within one row: `(iNc, iFh, iFw, iNwin) -> (iNc, iThw)` with Eqs. 6-8. Its element 0
 * is the first element of the tile's first window.
 */
export function rowInputMap(geometry: Geometry): AffineMap {
  const [channel, filterRow, filterColumn, window] = [dim(0), dim(1), dim(2), dim(3)];
  const row = rowInTile(geometry, filterRow);
  return makeMap(4, 0, [channel, linearIndex(geometry, row, columnInTile(geometry, window, filterColumn))]);
}

/**
 * From the packed tile to a tile sliced at its first element, across row ends: `(iNc, iFh, iFw, iNwin)[iTs] -> (iNc,
 * iThw)` with Eqs. 10-12 and 8.
 */
export function relativeInputMap(geometry: Geometry): AffineMap {
  const start = symbol(0);
  const window = windowOfImage(start, dim(3));
  return makeMap(4, 1, [dim(0), relativeElement(geometry, start, window, dim(1), dim(2))]);
}

/** From the packed tile to the whole linearised image: `(iNc, iFh, iFw, iNwin)[iTs] -> (iNc, element)`. */
export function absoluteInputMap(geometry: Geometry): AffineMap {
  const window = windowOfImage(symbol(0), dim(3));
  return makeMap(4, 1, [dim(0), absoluteElement(geometry, window, dim(1), dim(2))]);
}
