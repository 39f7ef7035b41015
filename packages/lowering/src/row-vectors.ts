/** The vectors of a row of windows or filters. */
import { vectorWidths } from './vector-unit.ts';

/** A vector: its first element, and how many it has. */
export interface Vector {
  readonly first: number;
  readonly width: number;
}

/** Consecutive elements of the other dimension. */
export interface Rows {
  readonly first: number;
  readonly size: number;
}

/** Vectors that cover so many elements; the last one overlaps its predecessor if they do not divide evenly. */
export const vectorsOf = (elements: number, lanes: number): readonly Vector[] => {
  // Narrower if a single vector is already too wide.
  const width = elements >= lanes ? lanes : 2 ** Math.floor(Math.log2(Math.max(elements, 1)));
  return Array.from({ length: Math.ceil(elements / width) }, (_, i) => ({
    first: Math.min(i * width, elements - width),
    width,
  }));
};

/**
 * The same, or narrower ones side by side at the end, if those are no more: one that overlaps its predecessor reads
 * what has just been written by several stores, which it waits for.
 */
export const fewestVectors = (elements: number, lanes: number): readonly Vector[] => {
  const overlapping = vectorsOf(elements, lanes);
  const widths = vectorWidths(elements, lanes);
  if (widths.length > overlapping.length) return overlapping;
  let end = 0;
  return widths.map((width) => ({ first: (end += width) - width, width }));
};
