/** Measured microkernel speeds: for choosing plans and for dividing tiles into register tiles. */

import { expectList, expectRecord } from './target-error.ts';

/** A part of a tile whose outputs stay in registers during one pass over the panels. */
export interface RegisterTile {
  readonly firstWindow: number;
  readonly windows: number;
  readonly firstFilter: number;
  readonly filters: number;
}

/** Measured speeds of the register tiles for which a machine's code generator emits good code. */
export interface KernelSpeeds {
  /** Elements per vector, along the windows. */
  readonly lanes: number;
  /** Cycles per k step, indexed by vectors of windows, then by filters, both from 1. Missing register tiles spill. */
  readonly stepCycles: readonly (readonly number[])[];
  /** Cycles of a pass besides its steps: per output vector, and fixed. */
  readonly passCycles: {
    readonly each: number;
    readonly always: number;
    /** Per output vector too, if lanes are filters: the tile is transposed. Absent: 0. */
    readonly transposed?: number;
  };
  /**
   * Cycles per k step and vector of filters for a last window that would have a vector of its own, computed with
   * lanes along the filters. Absent: it takes a vector.
   */
  readonly lastWindowCycles?: number;
  /** Cycles of a scalar multiply-add. */
  readonly scalarCycles: number;
  /** Cycles to pack a vector of windows; absent: not counted. */
  readonly packCycles?: number;
  /**
   * Cycles until a vector of filters has been read from beyond L2: filters that exceed it are read again for each run
   * of window tiles of one width. Absent: not counted.
   */
  readonly streamCycles?: number;
  /** Cycles per run of each further part of a plan; absent: WebAssembly's amortized compile time. */
  readonly partCycles?: number;
  /**
   * k steps per call: more amortize overhead better, fewer leave more room in the caches. Panels may exceed L1, since
   * vectors streamed from L2 are as fast. Absent: as many as fit L1.
   */
  readonly steps?: number;
  /**
   * The faster schedule by measurement: input or weight stationary. SC's model counts neither how outputs are spread
   * over pages nor what packing several window tiles at once saves. Absent: the cost model decides.
   */
  readonly schedule?: 'is' | 'ws';
  /**
   * Prefers it only for convolutions of at most so many k steps (channels of a group times filter taps). Absent: for
   * all.
   */
  readonly scheduleUpToSteps?: number;
  /** What was measured, and where. */
  readonly source: string;
}

/** A tile of a microkernel: windows x filters. */
interface TileShape {
  readonly windows: number;
  readonly filters: number;
}

/** A tile, and the dimension of its lanes; default `windows`. */
interface VectorizedTile extends TileShape {
  readonly vectorized?: 'windows' | 'filters';
}

/** Consecutive parts of a dimension. */
interface Part {
  readonly first: number;
  readonly size: number;
}

const partsOf = (sizes: readonly number[]): readonly Part[] => {
  let first = 0;
  return sizes.map((size) => {
    first += size;
    return { first: first - size, size };
  });
};

/** Sizes of at most `largest` that sum to `total`, all but the last one equal. */
const evenSizes = (total: number, largest: number): readonly number[] =>
  Array.from({ length: Math.ceil(total / largest) }, (_, i) => Math.min(largest, total - i * largest));

/** The cheapest sizes that sum to `total`, larger ones first; `cost` may be any function of a size from 1. */
const cheapestSizes = (total: number, largest: number, cost: (size: number) => number): readonly number[] => {
  const best: { readonly cost: number; readonly last: number }[] = [{ cost: 0, last: 0 }];
  for (let sum = 1; sum <= total; sum += 1) {
    let found = { cost: Infinity, last: 1 };
    for (let size = 1; size <= Math.min(largest, sum); size += 1) {
      const own = best[sum - size]!.cost + cost(size);
      if (own <= found.cost) found = { cost: own, last: size };
    }
    best.push(found);
  }
  const sizes: number[] = [];
  for (let left = total; left > 0; left -= best[left]!.last) sizes.push(best[left]!.last);
  return sizes.sort((a, b) => b - a);
};

const stepOf = ({ lanes, stepCycles }: KernelSpeeds, { windows, filters }: TileShape): number =>
  stepCycles[Math.ceil(windows / lanes) - 1]?.[filters - 1] ?? Infinity;

/** Memoized divisions by tile: plans and code generation ask for the same few repeatedly. */
const divisions = new WeakMap<KernelSpeeds, Map<string, readonly RegisterTile[]>>();

/**
 * The cheapest division of a tile into register tiles: windows in equal parts, each with the same division of the
 * filters; ties go to the most windows.
 */
export const registerTiles = (speeds: KernelSpeeds, tile: TileShape): readonly RegisterTile[] => {
  expectSpeeds(speeds, tile);
  const known = divisions.get(speeds) ?? new Map<string, readonly RegisterTile[]>();
  divisions.set(speeds, known);
  const key = `${tile.windows}x${tile.filters}`;
  const tiles = known.get(key) ?? cheapestTiles(speeds, tile);
  known.set(key, tiles);
  return tiles;
};

const expectSpeeds = (speeds: KernelSpeeds, tile: TileShape): void => {
  expectRecord('speeds', speeds, 'passCycles');
  expectList('speeds.stepCycles', speeds.stepCycles);
  expectRecord('tile', tile);
};

const cheapestTiles = (speeds: KernelSpeeds, { windows, filters }: TileShape): readonly RegisterTile[] => {
  let best: { readonly cycles: number; readonly tiles: readonly RegisterTile[] } | undefined;
  for (const [i, byFilters] of speeds.stepCycles.entries()) {
    const widths = evenSizes(windows, (i + 1) * speeds.lanes);
    const cost = (rows: number): number =>
      widths.reduce((sum, width) => sum + stepOf(speeds, { windows: width, filters: rows }), 0);
    const heights = cheapestSizes(filters, byFilters.length, cost);
    const cycles = heights.reduce((sum, rows) => sum + cost(rows), 0);
    if (best !== undefined && cycles > best.cycles) continue;
    const tiles = partsOf(widths).flatMap((w) =>
      partsOf(heights).map((f) => ({
        firstWindow: w.first,
        windows: w.size,
        firstFilter: f.first,
        filters: f.size,
      })),
    );
    best = { cycles, tiles };
  }
  return best?.tiles ?? [];
};

/**
 * Predicted cycles of one microkernel call with `steps` k steps. Where lanes are filters, windows and filters swap
 * roles.
 */
export const tileCycles = (speeds: KernelSpeeds, given: VectorizedTile, steps: number): number => {
  expectSpeeds(speeds, given);
  const { always, transposed = 0 } = speeds.passCycles;
  const isTransposed = given.vectorized === 'filters';
  const { lanes, lastWindowCycles } = speeds;
  const { windows, filters } = given;
  if (
    !isTransposed &&
    lastWindowCycles !== undefined &&
    windows > lanes &&
    windows % lanes === 1 &&
    filters % lanes === 0
  ) {
    const ofLast = (filters / lanes) * (steps * lastWindowCycles + speeds.passCycles.each + transposed);
    return tileCycles(speeds, { windows: windows - 1, filters }, steps) + ofLast + always;
  }
  const tile = isTransposed ? { windows: given.filters, filters: given.windows } : given;
  const each = speeds.passCycles.each + (isTransposed ? transposed : 0);
  return registerTiles(speeds, tile).reduce(
    (sum, { windows, filters }) =>
      sum +
      steps * stepOf(speeds, { windows, filters }) +
      each * Math.ceil(windows / speeds.lanes) * filters +
      always,
    0,
  );
};
