/** Divides the tile of a microkernel into register tiles: for what it costs, and for the code. */

import type { Machine, MatrixUnit, VectorUnit } from './machine.ts';
import { expectList, expectRecord } from './target-error.ts';

/** A part of a tile whose outputs stay in registers during one pass over the panels. */
export interface RegisterTile {
  readonly firstWindow: number;
  readonly windows: number;
  readonly firstFilter: number;
  readonly filters: number;
}

/** A pass over the panels: a register tile, perhaps with another one beside it. */
export interface TilePass extends RegisterTile {
  /**
   * A vector of filters of the tile's last window, which would have a vector of its own: alone, its few sums would
   * wait for each other. Lanes are along the filters.
   */
  readonly beside?: RegisterTile;
}

/** The dimension of the lanes; a matrix unit takes both. */
export type Lanes = 'windows' | 'filters' | 'both';

/** A tile as passes over its panels, which cover each output once. */
export interface TileDivision {
  readonly lanes: Lanes;
  readonly passes: readonly TilePass[];
}

/** How fast register tiles are, and which there are. */
export interface StepSpeeds {
  /**
   * Cycles per k step, indexed by vectors of windows, then by filters, both from 1; where lanes are along the filters,
   * by vectors of these, then by windows. Missing register tiles spill.
   */
  readonly stepCycles: readonly (readonly number[])[];
  /**
   * Cycles per k step and vector of filters for a last window that would have a vector of its own, computed with
   * lanes along the filters. Absent: it takes a vector.
   */
  readonly lastWindowCycles?: number;
  /**
   * The last vector of a row that vectors do not fill: only partly used, or a whole one that lies over its predecessor
   * in the same register tile, which computes the elements of both twice. Absent: partial.
   */
  readonly lastVector?: 'partial' | 'overlapping';
  /**
   * The side of the squares in which code transposes tiles whose lanes are along the filters: that many filters at
   * least, and vectors of multiples of it. Absent: lanes are along the windows.
   */
  readonly transposedSquare?: number;
  /** Cycles of a pass besides its steps. */
  readonly passCycles?: {
    /** Per output vector, if lanes are along the filters: the tile is transposed. Absent: 0. */
    readonly transposed?: number;
  };
  /** Vector registers; what is beside a register tile needs some. Absent: there is always room. */
  readonly registers?: number;
}

/** A tile of a microkernel: windows x filters. */
export interface TileShape {
  readonly windows: number;
  readonly filters: number;
}

/** Code through MLIR's vector dialect: what it does with the ends of tiles. */
export const vectorDialectTiles = { lastVector: 'overlapping', transposedSquare: 4 } as const;

/** Registers for the sums of a kernel and what they are made of: without fused multiply-adds the product takes one. */
export const kernelRegisters = ({ registers, fused }: Pick<VectorUnit, 'registers' | 'fused'>): number =>
  fused ? registers : registers - 1;

/** More vectors than this leave registers for too few filters. */
const mostVectors = 4;

/** Cycles of a step besides those of its bounds: with equal bounds, fewer register tiles are faster. */
const ofEachStep = 0.25;

/** Loads per cycle, and the cycles of a multiply-add, of units that tell neither: those of most processors. */
const [usualLoads, usualLatency] = [2, 4];

/**
 * The speeds of a unit by its bounds, where none are measured: its multiply-adds, its loads (each vector and each
 * broadcast element once), and the latency of an accumulator.
 */
export const modelledSpeeds = (
  unit: Pick<VectorUnit, 'registers' | 'units' | 'loads' | 'latency'>,
): StepSpeeds => {
  expectRecord('unit', unit);
  const { registers, units, loads = usualLoads, latency = usualLatency } = unit;
  return {
    stepCycles: Array.from({ length: mostVectors }, (_, i) => {
      const vectors = i + 1;
      // The vectors, their accumulators, and a filter.
      const filters = Math.max(1, Math.floor((registers - vectors - 1) / vectors));
      return Array.from(
        { length: filters },
        (__, j) => Math.max((vectors * (j + 1)) / units, (vectors + j + 1) / loads, latency) + ofEachStep,
      );
    }),
    lastWindowCycles: 1 / units,
    registers,
    ...vectorDialectTiles,
  };
};

/** What tiles are divided for. */
export interface TileUnit {
  /** Bits of a vector. */
  readonly bits: number;
  readonly speeds: StepSpeeds;
  readonly matrix?: Pick<MatrixUnit, 'accumulators' | 'rows' | 'columns'>;
}

/** What a target's tiles are divided for: by measured speeds, if it has some. Undefined without a vector unit. */
export const tileUnit = (target: {
  readonly machine: Pick<Machine, 'vector' | 'matrix'>;
  readonly speeds?: StepSpeeds;
}): TileUnit | undefined => {
  expectRecord('target', target, 'machine');
  const { vector, matrix } = target.machine;
  if (vector === undefined) return undefined;
  const { speeds = modelledSpeeds(vector) } = target;
  return { bits: vector.bits, speeds, ...(matrix === undefined ? {} : { matrix }) };
};

/** Cycles of a pass per k step besides its steps': of divisions that are as fast, the one of fewer passes. */
const ofEachPass = 1e-3;

/** Divisions whose cycles differ by less are as fast: sums round. */
const rounding = 1e-9;

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

/** `count` sizes that sum to `total` and differ by at most one, larger ones first. */
const evenSizes = (total: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => Math.ceil((total - i) / count));

/**
 * The cheapest sizes that sum to `total`, larger ones first, and the most even of equally cheap ones; `cost` may be any
 * function of a size from 1.
 */
const cheapestSizes = (total: number, largest: number, cost: (size: number) => number): readonly number[] => {
  const costs = Array.from({ length: Math.min(largest, total) + 1 }, (_, size) =>
    size === 0 ? 0 : cost(size),
  );
  const best: { readonly cost: number; readonly squares: number; readonly last: number }[] = [
    { cost: 0, squares: 0, last: 0 },
  ];
  for (let sum = 1; sum <= total; sum += 1) {
    let found = { cost: Infinity, squares: Infinity, last: 1 };
    for (let size = 1; size <= Math.min(largest, sum); size += 1) {
      const before = best[sum - size]!;
      const own = before.cost + costs[size]!;
      const squares = before.squares + size * size;
      if (own > found.cost + rounding) continue;
      if (own < found.cost - rounding || squares <= found.squares) found = { cost: own, squares, last: size };
    }
    best.push(found);
  }
  const sizes: number[] = [];
  for (let left = total; left > 0; left -= best[left]!.last) sizes.push(best[left]!.last);
  return sizes.sort((a, b) => b - a);
};

/** The width of the vectors of a row of `size` elements. */
const widthOf = ({ lastVector }: StepSpeeds, lanes: number, size: number): number =>
  // A single vector that is too wide has no predecessor to lie over.
  lastVector === 'overlapping' && size < lanes ? 2 ** Math.floor(Math.log2(Math.max(size, 1))) : lanes;

/** How many vectors a row of `size` elements takes. */
export const vectorCount = (speeds: StepSpeeds, lanes: number, size: number): number =>
  Math.ceil(size / widthOf(speeds, lanes, size));

/** Cycles of a k step of a register tile, its lanes along `along` elements. */
export const stepOf = (speeds: StepSpeeds, lanes: number, along: number, across: number): number =>
  speeds.stepCycles[vectorCount(speeds, lanes, along) - 1]?.[across - 1] ?? Infinity;

/** A division along one dimension: each of the columns with each of the rows. */
interface Grid {
  /** Cycles per k step. */
  readonly cycles: number;
  /** Elements of whole vectors. */
  readonly columns: readonly Part[];
  readonly rows: readonly Part[];
}

/** The cheapest grid; ties go to the most vectors at once. */
const cheapestGrid = (speeds: StepSpeeds, lanes: number, along: number, across: number): Grid => {
  const [width, count] = [widthOf(speeds, lanes, along), vectorCount(speeds, lanes, along)];
  const isOverlapping = speeds.lastVector === 'overlapping' && along % width !== 0;
  let best: Grid | undefined;
  for (let atOnce = Math.min(speeds.stepCycles.length, count); atOnce >= 1; atOnce -= 1) {
    const sizes = evenSizes(count, Math.ceil(count / atOnce));
    // A vector lies over its predecessor in the same register tile: elsewhere the shared elements would be summed
    // twice.
    if (isOverlapping && sizes.at(-1)! < 2) continue;
    const columns = partsOf(sizes).map(({ first, size }) => ({
      first: first * width,
      size: Math.min(size * width, along - first * width),
    }));
    const cost = (size: number): number =>
      columns.reduce((sum, column) => sum + stepOf(speeds, lanes, column.size, size) + ofEachPass, 0);
    const rows = partsOf(cheapestSizes(across, speeds.stepCycles[atOnce - 1]!.length, cost));
    const cycles = rows.reduce((sum, { size }) => sum + cost(size), 0);
    if (best === undefined || cycles < best.cycles - rounding) best = { cycles, columns, rows };
  }
  return (
    best ?? { cycles: Infinity, columns: [{ first: 0, size: along }], rows: [{ first: 0, size: across }] }
  );
};

const gridTile = (lanes: 'windows' | 'filters', column: Part, row: Part): RegisterTile => {
  const [windows, filters] = lanes === 'windows' ? [column, row] : [row, column];
  return {
    firstWindow: windows.first,
    windows: windows.size,
    firstFilter: filters.first,
    filters: filters.size,
  };
};

/** A grid's register tiles. */
const tilesOf = ({ columns, rows }: Pick<Grid, 'columns' | 'rows'>, lanes: 'windows' | 'filters') =>
  columns.flatMap((column) => rows.map((row) => gridTile(lanes, column, row)));

/** Passes, and their cycles per k step. */
interface TimedPasses {
  readonly cycles: number;
  readonly passes: readonly TilePass[];
}

/**
 * The passes of a tile whose last window would have a vector of its own: its vectors of filters are beside register
 * tiles of the last column, which have fewer filters. Undefined if there is no such window, or no room.
 */
const withLastWindow = (
  speeds: StepSpeeds,
  lanes: number,
  { windows, filters }: TileShape,
): TimedPasses | undefined => {
  const { lastWindowCycles, registers = Infinity, transposedSquare = 1 } = speeds;
  const isLastAlone = windows > lanes && windows % lanes === 1 && filters % lanes === 0;
  if (lastWindowCycles === undefined || !isLastAlone || lanes % transposedSquare !== 0) return undefined;
  const others = cheapestGrid(speeds, lanes, windows - 1, filters);
  const lastColumn = others.columns.at(-1)!;
  const [vectors, along] = [lastColumn.size / lanes, filters / lanes];
  // Registers for the sum and the window, too.
  const room = Math.floor((registers - vectors - 3) / vectors);
  const beside = Math.min(room, Math.floor(filters / along), speeds.stepCycles[vectors - 1]!.length);
  if (beside < 1) return undefined;
  const most = Math.max(...others.rows.map(({ size }) => size));
  const rest = filters - beside * along;
  const rows = partsOf([
    ...Array.from({ length: along }, () => beside),
    ...evenSizes(rest, Math.ceil(rest / most)),
  ]);
  const passes: readonly TilePass[] = [
    ...tilesOf({ columns: others.columns.slice(0, -1), rows: others.rows }, 'windows'),
    ...rows.map((row, i) => {
      const tile = gridTile('windows', lastColumn, row);
      const last = { firstWindow: windows - 1, windows: 1, firstFilter: i * lanes, filters: lanes };
      return i < along ? { ...tile, beside: last } : tile;
    }),
  ];
  const cycles = passes.reduce(
    (sum, pass) =>
      sum +
      stepOf(speeds, lanes, pass.windows, pass.filters) +
      (pass.beside ? lastWindowCycles : 0) +
      ofEachPass,
    0,
  );
  return { cycles, passes };
};

/** What a tile is divided for. */
export interface DivideOptions {
  /** Elements of a vector. */
  readonly lanes: number;
  /** The dimension of the lanes; by default the faster one of those that there is code for. */
  readonly along?: 'windows' | 'filters';
  /** k steps of a call, over which a transposition is spread; by default so many that it does not count. */
  readonly steps?: number;
}

/** Memoized divisions by tile: plans and code generation ask for the same few repeatedly. */
const divisions = new WeakMap<StepSpeeds, Map<string, TileDivision>>();

/**
 * The cheapest division of a tile into register tiles: whole vectors in parts as even as possible, each with the same
 * parts of the other dimension.
 */
export const divideTile = (speeds: StepSpeeds, tile: TileShape, options: DivideOptions): TileDivision => {
  expectRecord('speeds', speeds);
  expectList('speeds.stepCycles', speeds.stepCycles);
  expectRecord('tile', tile);
  expectRecord('options', options);
  const known = divisions.get(speeds) ?? new Map<string, TileDivision>();
  divisions.set(speeds, known);
  const key = [tile.windows, tile.filters, options.lanes, options.along, options.steps].join();
  const division = known.get(key) ?? cheapestDivision(speeds, tile, options);
  known.set(key, division);
  return division;
};

const cheapestDivision = (
  speeds: StepSpeeds,
  tile: TileShape,
  { lanes, along, steps = Infinity }: DivideOptions,
): TileDivision => {
  const { windows, filters } = tile;
  const { transposedSquare: square } = speeds;
  const isTransposable = square !== undefined && lanes % square === 0 && filters >= square;
  const alongFilters =
    along === 'filters' || (along === undefined && isTransposable)
      ? cheapestGrid(speeds, lanes, filters, windows)
      : undefined;
  if (along === 'filters') return { lanes: along, passes: tilesOf(alongFilters!, along) };
  const alongWindows = cheapestGrid(speeds, lanes, windows, filters);
  const withLast = withLastWindow(speeds, lanes, tile);
  const isLastBeside = withLast !== undefined && withLast.cycles < alongWindows.cycles - rounding;
  const best = isLastBeside ? withLast : { ...alongWindows, passes: tilesOf(alongWindows, 'windows') };
  const transposing =
    ((speeds.passCycles?.transposed ?? 0) * windows * vectorCount(speeds, lanes, filters)) /
    Math.max(steps, 1);
  return alongFilters !== undefined && alongFilters.cycles + transposing < best.cycles - rounding
    ? { lanes: 'filters', passes: tilesOf(alongFilters, 'filters') }
    : { lanes: 'windows', passes: best.passes };
};

/**
 * A tile as parts that the accumulators of a matrix unit hold; undefined if it does not fill whole ones. The parts are
 * as large as possible; among equals, those with the fewest loads per step.
 */
export const divideForMatrix = (
  unit: Pick<MatrixUnit, 'accumulators' | 'rows' | 'columns'>,
  { windows, filters }: TileShape,
): TileDivision | undefined => {
  expectRecord('unit', unit);
  if (filters % unit.rows !== 0 || windows % unit.columns !== 0) return undefined;
  const [rows, columns] = [filters / unit.rows, windows / unit.columns];
  let [atOnce, beside] = [1, 1];
  for (let row = 1; row <= Math.min(rows, unit.accumulators); row += 1) {
    const column = Math.min(columns, Math.floor(unit.accumulators / row));
    const [size, bestSize] = [row * column, atOnce * beside];
    if (size > bestSize || (size === bestSize && row + column < atOnce + beside))
      [atOnce, beside] = [row, column];
  }
  const parts = (total: number, most: number, each: number): readonly Part[] =>
    Array.from({ length: Math.ceil(total / most) }, (_, i) => ({
      first: i * most * each,
      size: Math.min(most, total - i * most) * each,
    }));
  const passes = parts(rows, atOnce, unit.rows).flatMap((row) =>
    parts(columns, beside, unit.columns).map((column) => gridTile('windows', column, row)),
  );
  return { lanes: 'both', passes };
};
