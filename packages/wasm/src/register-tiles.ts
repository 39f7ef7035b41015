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
 * Registers that stay for broadcast filters when `vectors` x `filters` accumulators, the step's vectors of windows and,
 * for mul + add, a product have theirs.
 */
const free = (vectors: number, filters: number, relaxed: boolean): number =>
  registers - vectors * filters - vectors - (relaxed ? 0 : 1);

/**
 * How many filters of a step may be broadcast at once: V8 loads all that a basic block needs at its top, so that a step
 * of more filters has to be several blocks.
 */
export const filtersAtOnce = (vectors: number, filters: number, relaxed = false): number =>
  Math.min(filters, Math.max(free(vectors, filters, relaxed), 1));

/**
 * What one step of k costs as mul + add, by vectors of windows and by filters from 1: in the time that the units take for a
 * product and a sum of vectors, so 10 would be the least for 8x5. Measured on V8 11 over Zen 4 between K = 64 and 256.
 */
const stepCosts: readonly (readonly number[])[] = [
  [5, 5, 5.2, 5.3, 6.9, 7.5, 8.7, 10.3, 11.7, 12.7, 14.2, 15.5],
  [5, 5.6, 7.3, 9.2, 10.4],
  [5.2, 7.7, 9.7],
  [6, 10.5],
];

const stepCost = (vectors: number, filters: number): number => stepCosts[vectors - 1]![filters - 1]!;

/** Parts of at most `largest`, the last one smaller. */
const parts = (size: number, largest: number): readonly { readonly first: number; readonly size: number }[] =>
  Array.from({ length: Math.ceil(size / largest) }, (_, i) => ({
    first: i * largest,
    size: Math.min(largest, size - i * largest),
  }));

/**
 * The cheapest grid of register tiles that covers `windows` x `filters`; of equals the one with the most windows.
 */
export const planRegisterTiles = (
  windows: number,
  filters: number,
  relaxed = false,
): readonly RegisterTile[] => {
  let best: { readonly cost: number; readonly tiles: readonly RegisterTile[] } | undefined;
  for (let vectors = 1; vectors <= stepCosts.length; vectors += 1) {
    for (let rows = 1; rows <= stepCosts[vectors - 1]!.length; rows += 1) {
      const tiles = parts(windows, vectors * lanes).flatMap((w) =>
        parts(filters, rows).map((f) => ({
          firstWindow: w.first,
          windows: w.size,
          firstFilter: f.first,
          filters: f.size,
        })),
      );
      const cost = tiles.reduce((sum, t) => sum + stepCost(Math.ceil(t.windows / lanes), t.filters), 0);
      if (best === undefined || cost <= best.cost) best = { cost, tiles };
    }
  }
  return best?.tiles ?? [];
};
