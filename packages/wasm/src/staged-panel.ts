/**
 * Panels of constants outside of the memory are gathered into a place in it, row by row, and packed from there: a row
 * is copied as a whole, so that code with vectors does the rest.
 */
import type { Elements } from '@sconv/backend';
import type { PanelDimension } from './panel-copy.ts';

/** A panel of words of 32 bits: rows of lanes, one for each index of the dimensions. */
export interface Panel {
  readonly lanes: number;
  /** Source bytes between consecutive lanes. */
  readonly laneStride: number;
  /** Outermost first. */
  readonly dimensions: readonly PanelDimension[];
}

/** Rows of a source, which are gathered one behind the other. */
export interface GatheredRows {
  /** One row each index, outermost first, with the source bytes between consecutive indices. */
  readonly loops: readonly PanelDimension[];
  /** Bytes of a row. */
  readonly rowBytes: number;
  /** Bytes from the begin of a row to that of the next one. */
  readonly pitch: number;
  /** Bytes of all rows. */
  readonly bytes: number;
}

/** A row has at most so many bytes for each that the panel takes of it. */
const largestShare = 4;

/** Rows of so many bytes are copied at full speed. */
const enough = 1024;

/** Rows of so many bytes get a pitch of an odd number of cache lines: others would meet in few sets of a cache. */
const longRow = 256;
const lineBytes = 64;

/** What to gather for a panel, and the panel in what was gathered. */
export const stagePanel = ({
  lanes,
  laneStride,
  dimensions,
}: Panel): { rows: GatheredRows; panel: Panel } => {
  const axes = [{ extent: lanes, stride: laneStride }, ...dimensions];
  const ascending = axes
    .map((axis, position) => ({ ...axis, position }))
    .filter(({ extent }) => extent > 1)
    .sort((a, b) => a.stride - b.stride);
  // 1. A row: along the axes with the smallest strides, as long as most of it is taken.
  let rowBytes = 4;
  let taken = 4;
  let inner = 0;
  for (const { extent, stride } of ascending) {
    const bytes = rowBytes + (extent - 1) * stride;
    if (rowBytes >= enough || bytes > largestShare * taken * extent) break;
    rowBytes = bytes;
    taken *= extent;
    inner += 1;
  }
  // 2. The rows, one behind the other.
  const pitch = rowBytes < longRow ? rowBytes : lineBytes * (Math.ceil(rowBytes / lineBytes) | 1);
  const strides = axes.map(({ stride }) => stride);
  let bytes = pitch;
  for (const { extent, position } of ascending.slice(inner)) {
    strides[position] = bytes;
    bytes *= extent;
  }
  return {
    rows: {
      loops: ascending
        .slice(inner)
        .reverse()
        .map(({ extent, stride }) => ({ extent, stride })),
      rowBytes,
      pitch,
      bytes,
    },
    panel: {
      lanes,
      laneStride: strides[0]!,
      dimensions: dimensions.map(({ extent }, i) => ({ extent, stride: strides[i + 1]! })),
    },
  };
};

/** Words. */
type Words = Int32Array;

/** The words of an array. */
export const wordsOf = ({ buffer, byteOffset, byteLength }: Elements): Words =>
  new Int32Array(buffer, byteOffset, byteLength / 4);

/** A view and its copy take longer than as many words one by one. */
const shortRow = 64;

/** Copies rows from a word of a source on to a word of the target on. */
export const gatherRows = (
  { loops, rowBytes, pitch }: GatheredRows,
  from: Words,
  origin: number,
  to: Words,
  target: number,
): void => {
  gatherLoop(loops, 0, rowBytes / 4, pitch / 4, from, origin, to, target);
};

/** The rows of a loop and those within it; returns the end. */
const gatherLoop = (
  loops: readonly PanelDimension[],
  depth: number,
  words: number,
  pitch: number,
  from: Words,
  origin: number,
  to: Words,
  start: number,
): number => {
  const { extent, stride } = loops[depth] ?? { extent: 1, stride: 0 };
  const isInnermost = depth + 1 >= loops.length;
  const step = stride / 4;
  let target = start;
  for (let i = 0, row = origin; i < extent; i += 1, row += step) {
    if (!isInnermost) {
      target = gatherLoop(loops, depth + 1, words, pitch, from, row, to, target);
      continue;
    }
    if (words < shortRow) for (let k = 0; k < words; k += 1) to[target + k] = from[row + k]!;
    else to.set(from.subarray(row, row + words), target);
    target += pitch;
  }
  return target;
};
