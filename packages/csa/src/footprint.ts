/**
 * Footprints of groups of tiles in distinct cache lines (TT §5.2), for the layouts of the generated loop nest. All
 * counts are expectations over tile positions, hence real numbers.
 */
import { gcd } from './gcd.ts';
import type { Strided } from './reuse.ts';
import { paddedInput, unpackedElementBytes } from './shape.ts';
import type { SlicedConvolution } from './tiling.ts';

/** Expected lines of a segment of `bytes`, over starts that are multiples of `grain` bytes. */
const segmentLines = (bytes: number, grain: number, line: number): number =>
  (bytes - Math.min(grain, line)) / line + 1;

/** The memory layout of an operand, in groups of consecutive tiles of `nc` channels. */
export interface OperandFootprint {
  /** Windows or filters per tile. */
  readonly width: number;
  /** Elements per packed tile. */
  readonly tileElements: number;
  /** Lines per packed tile. */
  readonly packed: number;
  /** Lines of the tensor under `tiles` consecutive tiles. */
  readonly raw: (tiles: number) => number;
  /** The same without the input rows shared by consecutive output rows. */
  readonly rawByRow: (tiles: number) => number;
  /** Tiles until the windows of the next output row reuse the lines; 0: no such reuse. */
  readonly rowTiles: number;
  /** The same lines, as runs whose stride is a filter or a plane. */
  readonly strided: (tiles: number) => Strided;
  /**
   * Lines that the next channel set touches again because a segment ends within a line: total over the tiles of a
   * fragment.
   */
  readonly sharedBySets: (tiles: number) => number;
}

/** Filters: FCHW, so a tile is `Nf` segments of `nc·FH·FW` elements with the stride of a filter. */
export const filterFootprint = (sliced: SlicedConvolution, nc: number, line: number): OperandFootprint => {
  const { microkernel, taps, elementBytes, channels } = sliced;
  const unpacked = unpackedElementBytes(sliced.shape, 'filters');
  const segment = nc * taps * unpacked;
  const row = channels * taps * unpacked;
  const grain = gcd(gcd(segment, row), line);
  const width = microkernel.filters;
  const raw = (tiles: number): number =>
    nc === channels
      ? segmentLines(tiles * width * row, gcd(width * row, line), line)
      : tiles * width * segmentLines(segment, grain, line);
  const tileElements = width * nc * taps;
  return {
    width,
    tileElements,
    packed: (tileElements * elementBytes) / line,
    raw,
    rawByRow: raw,
    rowTiles: 0,
    strided: (tiles) => ({ lines: raw(tiles), stride: row, run: raw(tiles) / (tiles * width) }),
    sharedBySets: (tiles) => (nc === channels ? 0 : raw(tiles) - (tiles * width * segment) / line),
  };
};

/** Input: NCHW, padding included; a tile is the rows under `Nwin` windows in `nc` planes. */
export const inputFootprint = (sliced: SlicedConvolution, nc: number, line: number): OperandFootprint => {
  const { microkernel, taps, elementBytes, shape, windows: allWindows } = sliced;
  const { filterHeight, filterWidth, strides, dilations, outputWidth, outputHeight } = shape;
  const padded = paddedInput(shape);
  const reach = (filterWidth - 1) * dilations.w;
  const unpacked = unpackedElementBytes(shape, 'input');
  const rowBytes = padded.w * unpacked;
  /** Lines of one input row under `windows` consecutive windows of an output row. */
  const rowLines = (windows: number): number => {
    const span = ((windows - 1) * strides.w + reach + 1) * unpacked;
    const grain = gcd(gcd(rowBytes, strides.w * unpacked), line);
    // Windows further apart than a line skip lines.
    const apart = windows * segmentLines((reach + 1) * unpacked, grain, line);
    return Math.min(segmentLines(span, grain, line), apart);
  };
  /** Input rows under `rows` consecutive output rows. */
  const inputRows = (rows: number): number => {
    const dense = (rows - 1) * strides.h + (filterHeight - 1) * dilations.h + 1;
    return Math.min(rows * filterHeight, dense, padded.h);
  };
  const planeLines = segmentLines(padded.h * rowBytes, gcd(padded.h * rowBytes, line), line);

  const byRow = (windows: number): number => {
    if (windows >= outputWidth) return (windows / outputWidth) * filterHeight * rowLines(outputWidth);
    // On average (windows - 1) / OW tiles wrap into the next output row.
    const pieces = 1 + (windows - 1) / outputWidth;
    return filterHeight * pieces * rowLines(windows / pieces);
  };
  const union = (windows: number): number => {
    if (windows < outputWidth) return Math.min(byRow(windows), planeLines);
    const rows = windows / outputWidth;
    const full = inputRows(rows) * rowLines(outputWidth);
    // A group that starts mid-row covers one more row, in two halves.
    const partial = windows < allWindows ? (filterHeight - 1) * dilations.h : 0;
    return Math.min(full + partial, byRow(windows), planeLines);
  };
  // Planes are contiguous, so small ones share lines.
  const allPlanes = segmentLines(nc * padded.h * rowBytes, gcd(padded.h * rowBytes, line), line);
  const raw = (tiles: number): number => Math.min(nc * union(tiles * width), allPlanes);
  const width = microkernel.windows;
  const tileElements = width * nc * taps;
  const rowTiles =
    filterHeight > strides.h && outputHeight > 1 && outputWidth > width ? outputWidth / width : 0;
  return {
    width,
    tileElements,
    packed: (tileElements * elementBytes) / line,
    raw,
    rawByRow: (tiles) => Math.max(nc * byRow(tiles * width), raw(tiles)),
    rowTiles,
    strided: (tiles) => ({
      lines: raw(tiles),
      stride: padded.h * rowBytes,
      run: raw(tiles) / nc,
    }),
    sharedBySets: () => 0,
  };
};

/** Output lines of a block of `windowTiles` x `filterTiles` tiles: rows of the FHW output. */
export const outputFootprint = (
  sliced: SlicedConvolution,
  line: number,
): ((windowTiles: number, filterTiles: number) => number) => {
  const { microkernel, elementBytes, windows } = sliced;
  const grain = gcd(gcd(microkernel.windows * elementBytes, windows * elementBytes), line);
  return (windowTiles, filterTiles) =>
    filterTiles *
    microkernel.filters *
    segmentLines(windowTiles * microkernel.windows * elementBytes, grain, line);
};
