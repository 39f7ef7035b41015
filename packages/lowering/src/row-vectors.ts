/** The vectors of a row of windows or filters. */

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
