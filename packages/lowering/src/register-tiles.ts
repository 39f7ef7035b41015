/** Splits a microkernel's tile so that the accumulators of each part stay in registers. */

/** A vector of windows: the first, and how many. */
export interface Vector {
  readonly first: number;
  readonly width: number;
}

/** A part of the filters. */
export interface Rows {
  readonly first: number;
  readonly size: number;
}

/** Each column of vectors with each of the rows is a part. */
export interface RegisterTiles {
  /** Predicted cycles per step of k. */
  readonly cycles: number;
  readonly columns: readonly (readonly Vector[])[];
  readonly rows: readonly Rows[];
}

/** More vectors of windows than this leave registers for too few filters. */
const mostVectors = 4;

/**
 * Cycles per step of k, with two multiply-add units and two loads per cycle: each window vector and each filter is
 * loaded once, and an accumulator has a latency of four cycles.
 */
const stepCycles = (vectors: number, filters: number): number =>
  Math.max(vectors * filters, vectors + filters, 8) / 2 + 0.25;

/** Vectors that cover this many windows; the last one overlaps its predecessor if they do not divide evenly. */
export const vectorsOf = (windows: number, lanes: number): readonly Vector[] => {
  // Narrower if a single vector is already too wide.
  const width = windows >= lanes ? lanes : 2 ** Math.floor(Math.log2(Math.max(windows, 1)));
  return Array.from({ length: Math.ceil(windows / width) }, (_, i) => ({
    first: Math.min(i * width, windows - width),
    width,
  }));
};

/** The split of a tile with the fewest cycles; among equals, the one with the most vectors at once. */
export const registerTiles = (
  windows: number,
  filters: number,
  lanes: number,
  registers: number,
): RegisterTiles => {
  const all = vectorsOf(windows, lanes);
  const { length: vectors } = all;
  const overlaps = all.some(({ first, width }, i) => i > 0 && first < all[i - 1]!.first + width);
  let best: { readonly cycles: number; readonly columns: number; readonly rows: number } | undefined;
  for (let atOnce = Math.min(vectors, mostVectors); atOnce >= 1; atOnce -= 1) {
    // The vectors, their accumulators, and a filter.
    const most = Math.max(1, Math.floor((registers - atOnce - 1) / atOnce));
    const [columns, rows] = [Math.ceil(vectors / atOnce), Math.ceil(filters / most)];
    // Two overlapping vectors must be in the same part: otherwise their shared windows would be accumulated twice.
    if (overlaps && Math.floor(vectors / columns) < 2) continue;
    const cycles = evenParts(vectors, columns)
      .flatMap((v) => evenParts(filters, rows).map((f) => stepCycles(v.size, f.size)))
      .reduce((sum, each) => sum + each, 0);
    if (best === undefined || cycles < best.cycles) best = { cycles, columns, rows };
  }
  const { cycles, columns, rows } = best ?? { cycles: Infinity, columns: 1, rows: filters };
  return {
    cycles,
    columns: evenParts(vectors, columns).map(({ first, size }) => all.slice(first, first + size)),
    rows: evenParts(filters, rows),
  };
};

/** `count` parts whose sizes differ by at most one, larger ones first. */
const evenParts = (total: number, count: number): readonly Rows[] => {
  let first = 0;
  return Array.from({ length: count }, (_, i) => {
    const size = Math.ceil((total - first) / (count - i));
    first += size;
    return { first: first - size, size };
  });
};
