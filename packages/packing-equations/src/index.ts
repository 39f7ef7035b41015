export { dimensions, fusedPositions, openPositions } from './dimensions.ts';
export { checkGeometry } from './geometry.ts';
export type { Geometry, TileSizes } from './geometry.ts';
export {
  filterIndex,
  filterMultipackingMap,
  filterPackingMap,
  filterTileShape,
  multipackedFilterShape,
  packedFilterShape,
} from './filter-packing.ts';
export {
  absoluteElement,
  absoluteInputMap,
  columnInTile,
  edgeTileStart,
  inputTileShape,
  linearIndex,
  packedInputShape,
  relativeColumn,
  relativeElement,
  relativeInputMap,
  relativeRow,
  rowInputMap,
  rowInTile,
  tileOffset,
  tileStart,
  windowOfImage,
} from './input-packing.ts';
export {
  absoluteMultipackedInputMap,
  multipackedInputShape,
  multipackedTileStart,
  multipackedWindowOfImage,
  relativeMultipackedInputMap,
} from './input-multipacking.ts';
export { extents, firstElement, footprint, lastElement } from './footprint.ts';
export type { Footprint } from './footprint.ts';
