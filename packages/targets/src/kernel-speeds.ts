/** How fast microkernels run, as measured: what a plan is chosen by, and how a tile is divided into register tiles. */

/** A part of a tile whose outputs stay in registers during a pass over the panels. */
export interface RegisterTile {
  readonly firstWindow: number;
  readonly windows: number;
  readonly firstFilter: number;
  readonly filters: number;
}

/** Measured speeds of the register tiles that a machine's code generator makes well. */
export interface KernelSpeeds {
  /** Elements of a vector, which lie along the windows. */
  readonly lanes: number;
  /** Cycles of one step of k: by vectors of windows, then by filters, both from 1. Register tiles that are not there spill. */
  readonly stepCycles: readonly (readonly number[])[];
  /** Cycles of a pass besides its steps, for each vector of its outputs and in any case. */
  readonly passCycles: { readonly each: number; readonly always: number };
  /** Cycles of a multiplication and an addition in scalar code. */
  readonly scalarCycles: number;
  /** What was measured where. */
  readonly source: string;
}

/** A tile of a microkernel: windows x filters. */
interface TileShape {
  readonly windows: number;
  readonly filters: number;
}

/** Parts of at most `largest`, the last one smaller. */
const parts = (size: number, largest: number): readonly { readonly first: number; readonly size: number }[] =>
  Array.from({ length: Math.ceil(size / largest) }, (_, i) => ({
    first: i * largest,
    size: Math.min(largest, size - i * largest),
  }));

const stepOf = ({ lanes, stepCycles }: KernelSpeeds, { windows, filters }: TileShape): number =>
  stepCycles[Math.ceil(windows / lanes) - 1]?.[filters - 1] ?? Infinity;

/** The cheapest grid of register tiles that covers a tile; of equals the one with the most windows. */
export const registerTiles = (
  speeds: KernelSpeeds,
  { windows, filters }: TileShape,
): readonly RegisterTile[] => {
  let best: { readonly cycles: number; readonly tiles: readonly RegisterTile[] } | undefined;
  for (const [i, byFilters] of speeds.stepCycles.entries()) {
    for (const j of byFilters.keys()) {
      const tiles = parts(windows, (i + 1) * speeds.lanes).flatMap((w) =>
        parts(filters, j + 1).map((f) => ({
          firstWindow: w.first,
          windows: w.size,
          firstFilter: f.first,
          filters: f.size,
        })),
      );
      const cycles = tiles.reduce((sum, tile) => sum + stepOf(speeds, tile), 0);
      if (best === undefined || cycles <= best.cycles) best = { cycles, tiles };
    }
  }
  return best?.tiles ?? [];
};

/** Predicted cycles of one call of a microkernel on `steps` steps of k. */
export const tileCycles = (speeds: KernelSpeeds, tile: TileShape, steps: number): number => {
  const { each, always } = speeds.passCycles;
  return registerTiles(speeds, tile).reduce(
    (sum, { windows, filters }) =>
      sum +
      steps * stepOf(speeds, { windows, filters }) +
      each * Math.ceil(windows / speeds.lanes) * filters +
      always,
    0,
  );
};
