/** Which register tiles compute a microkernel's tile, under the register limit of V8. */

/** A part of a tile whose outputs stay in registers during a pass over the panels. */
export interface RegisterTile {
  readonly firstWindow: number;
  readonly windows: number;
  readonly firstFilter: number;
  readonly filters: number;
}

/** Registers that V8 11 leaves to a loop: 16 of x86-64 less its scratch register. */
const registers = 15;
const lanes = 4;

/**
 * Whether `vectors` x `filters` accumulators stay in registers. V8 hoists all loads of a loop body to its top, so all
 * the step's vectors of windows and broadcast filters are live at once; mul + add needs one for the product.
 */
const fits = (vectors: number, filters: number, relaxed: boolean): boolean =>
  vectors * filters + vectors + filters + (relaxed ? 0 : 1) <= registers;

/**
 * What one step of k costs, in instructions: V8's loop is bound by their number before it is bound by the units. A
 * tile of few accumulators waits for its own additions instead (about 12 instructions long).
 */
const stepCost = (vectors: number, filters: number, relaxed: boolean): number => {
  const loopOverhead = 5;
  const arithmetic = vectors * filters * (relaxed ? 1 : 2);
  return Math.max(arithmetic + vectors + filters + loopOverhead, 12);
};

/** Parts of at most `largest`, the last one smaller. */
const parts = (size: number, largest: number): readonly { readonly first: number; readonly size: number }[] =>
  Array.from({ length: Math.ceil(size / largest) }, (_, i) => ({
    first: i * largest,
    size: Math.min(largest, size - i * largest),
  }));

/**
 * The cheapest grid of register tiles that covers `windows` x `filters`; of equals the one with the most windows
 * (V8 11 on Zen 5, share of the peak: 16x2 89 %, 8x4 77 %; relaxed 12x3 92 %, 8x4 and 16x2 89 %).
 */
export const planRegisterTiles = (
  windows: number,
  filters: number,
  relaxed = false,
): readonly RegisterTile[] => {
  let best: { readonly cost: number; readonly tiles: readonly RegisterTile[] } | undefined;
  for (let vectors = 1; fits(vectors, 1, relaxed); vectors += 1) {
    for (let rows = 1; fits(vectors, rows, relaxed); rows += 1) {
      const tiles = parts(windows, vectors * lanes).flatMap((w) =>
        parts(filters, rows).map((f) => ({
          firstWindow: w.first,
          windows: w.size,
          firstFilter: f.first,
          filters: f.size,
        })),
      );
      const cost = tiles.reduce(
        (sum, t) => sum + stepCost(Math.ceil(t.windows / lanes), t.filters, relaxed),
        0,
      );
      if (best === undefined || cost <= best.cost) best = { cost, tiles };
    }
  }
  return best?.tiles ?? [];
};
