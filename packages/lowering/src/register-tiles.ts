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

/** A part of a tile with vectors of its last window beside it, along the filters. */
export interface TilePart {
  readonly vectors: readonly Vector[];
  readonly rows: Rows;
  /** Vectors of filters. */
  readonly lastWindow: readonly Vector[];
}

/** Each column of vectors with each of the rows, the last window in none. */
export const partsOf = ({ columns, rows }: RegisterTiles): readonly TilePart[] =>
  columns.flatMap((vectors) => rows.map((each) => ({ vectors, rows: each, lastWindow: [] })));

/**
 * The parts of a tile whose last window would have a vector of its own: that has lanes along the filters, a vector of
 * them beside a part of the last column each, which has a row less. Alone, its few sums would wait for each other.
 * Undefined if there is no such window, or if its vectors find no room.
 */
export const lastWindowParts = (
  windows: number,
  filters: number,
  lanes: number,
  registers: number,
): { readonly cycles: number; readonly parts: readonly TilePart[] } | undefined => {
  if (windows <= lanes || windows % lanes !== 1 || filters % lanes !== 0) return undefined;
  const others = registerTiles(windows - 1, filters, lanes, registers);
  const lastColumn = others.columns.at(-1)!;
  const { length: vectors } = lastColumn;
  const along = vectorsOf(filters, lanes);
  // Registers for the sum and the window, too.
  const beside = Math.min(
    Math.floor((registers - vectors - 3) / vectors),
    Math.floor(filters / along.length),
  );
  if (beside < 1) return undefined;
  const first = beside * along.length;
  const most = Math.max(...others.rows.map(({ size }) => size));
  const rest = evenParts(filters - first, Math.ceil((filters - first) / most));
  const parts = [
    ...partsOf({ ...others, columns: others.columns.slice(0, -1) }),
    ...along.map((vector, i) => ({
      vectors: lastColumn,
      rows: { first: i * beside, size: beside },
      lastWindow: [vector],
    })),
    ...rest.map((rows) => ({
      vectors: lastColumn,
      rows: { ...rows, first: first + rows.first },
      lastWindow: [],
    })),
  ];
  const cycles = parts.reduce(
    (sum, part) => sum + stepCycles(part.vectors.length, part.rows.size) + part.lastWindow.length / 2,
    0,
  );
  return { cycles, parts };
};
