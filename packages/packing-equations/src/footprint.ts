/**
 * What a tile touches of the linearised image. Positions grow with the window, also across row ends, so the first
 * element is that of the first window and the last one that of the last window.
 */
import type { AffineExpr, AffineOperand, Bounds } from '@sconv/affine';
import { add, dim, evaluate, imageSize, range, sub } from '@sconv/affine';
import type { Geometry } from './geometry.ts';
import { checkGeometry, numbers } from './geometry.ts';
import { absoluteElement, absoluteInputMap, tileOffset } from './input-packing.ts';

/** The elements of one channel that a tile touches. */
export interface Footprint {
  /** The first element touched, from the start of the image. */
  readonly first: number;
  /** The last element touched, included. */
  readonly last: number;
  /** Elements from the first to the last: the size of the slice. */
  readonly extent: number;
  /** Elements touched; the rest of the slice is not read. */
  readonly touched: number;
}

/** The first element that a tile starting at window `start` touches. */
export function firstElement(geometry: Geometry, start: AffineOperand): AffineExpr {
  return tileOffset(geometry, start);
}

/** The last element that a tile of `windows` windows starting at window `start` touches. */
export function lastElement(geometry: Geometry, start: AffineOperand, windows: number): AffineExpr {
  const { filterHeight, filterWidth } = numbers(geometry, 'filterHeight', 'filterWidth');
  return absoluteElement(geometry, add(start, windows - 1), filterHeight - 1, filterWidth - 1);
}

/** What a tile of `windows` windows starting at window `start` touches. Errors: an invalid geometry. */
export function footprint(geometry: Geometry, start: number, windows: number): Footprint {
  checkGeometry(geometry);
  const first = evaluate(firstElement(geometry, dim(0)), [start]);
  const last = evaluate(lastElement(geometry, dim(0), windows), [start]);
  const touched = imageSize(absoluteInputMap(geometry), {
    dims: [
      [0, 1],
      [0, geometry.filterHeight],
      [0, geometry.filterWidth],
      [0, windows],
    ],
    symbols: [[start, start + 1]],
  });
  return { first, last, extent: last - first + 1, touched };
}

/**
 * The smallest and largest extent, as a half-open range, of tiles of `windows` windows that start anywhere in `starts`
 * (half-open). A slice of static size must have the largest; it may then extend past the end of the image.
 */
export function extents(geometry: Geometry, windows: number, starts: Bounds): Bounds {
  checkGeometry(geometry);
  const extent = add(sub(lastElement(geometry, dim(0), windows), firstElement(geometry, dim(0))), 1);
  const { lo, hi } = range(extent, { dims: [starts] });
  return [lo, hi];
}
