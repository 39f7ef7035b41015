/** How a tile of a microkernel is divided so that the sums of each part stay in registers. */

/** A vector of windows: the first of them, and how many. */
export interface Vector {
  readonly first: number;
  readonly width: number;
}

/** Parts of the filters. */
export interface Rows {
  readonly first: number;
  readonly size: number;
}

/** Each column of vectors with each of the rows is a part. */
export interface RegisterTiles {
  readonly columns: readonly (readonly Vector[])[];
  readonly rows: readonly Rows[];
}

/** More vectors of windows than this leave room for too few filters. */
const mostVectors = 4;

/**
 * Cycles of a step of k, on two units of multiply-adds and two loads a cycle: the vectors of windows and each filter are
 * loaded once, and sums wait four cycles for themselves.
 */
const stepCycles = (vectors: number, filters: number): number =>
  Math.max(vectors * filters, vectors + filters, 8) / 2 + 0.25;

/** Vectors that cover so many windows; the last one overlaps the one before where they fill no whole ones. */
export const vectorsOf = (windows: number, lanes: number): readonly Vector[] => {
  // Narrower ones where one is too wide already.
  const width = windows >= lanes ? lanes : 2 ** Math.floor(Math.log2(Math.max(windows, 1)));
  return Array.from({ length: Math.ceil(windows / width) }, (_, i) => ({
    first: Math.min(i * width, windows - width),
    width,
  }));
};

/** The division of so many windows and filters that takes the fewest cycles; of equals the one with the most vectors at once. */
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
    // The vectors, their sums, and a filter.
    const most = Math.max(1, Math.floor((registers - atOnce - 1) / atOnce));
    const [columns, rows] = [Math.ceil(vectors / atOnce), Math.ceil(filters / most)];
    // Two vectors that overlap are of one part: else its windows would be summed up twice.
    if (overlaps && Math.floor(vectors / columns) < 2) continue;
    const cycles = evenParts(vectors, columns)
      .flatMap((v) => evenParts(filters, rows).map((f) => stepCycles(v.size, f.size)))
      .reduce((sum, each) => sum + each, 0);
    if (best === undefined || cycles < best.cycles) best = { cycles, columns, rows };
  }
  const { columns, rows } = best ?? { columns: 1, rows: filters };
  return {
    columns: evenParts(vectors, columns).map(({ first, size }) => all.slice(first, first + size)),
    rows: evenParts(filters, rows),
  };
};

/** So many parts, whose sizes differ by one at most, larger ones first. */
const evenParts = (total: number, count: number): readonly Rows[] => {
  let first = 0;
  return Array.from({ length: count }, (_, i) => {
    const size = Math.ceil((total - first) / (count - i));
    first += size;
    return { first: first - size, size };
  });
};
