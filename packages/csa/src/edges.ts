/** What happens to windows and filters that do not fill a microkernel tile. */
import type { MicrokernelShape } from './tiling.ts';
import { lanesAlong } from './tiling.ts';
import { elementsOfVector } from './vectors.ts';

/**
 * - `scalar`: neither tiled nor packed, as in ST.
 * - `small`: one smaller microkernel for the remainder.
 * - `composed`: two microkernels whose tiles add up to the dimension (TT §5.3: 34 = 2·11 + 12).
 * - `transposed`: the remainder of the windows in tiles of more filters, with lanes along them; that of the filters
 * as `small`.
 */
export type Edges = 'scalar' | 'small' | 'composed' | 'transposed';

/** The implemented kinds of edges; ties in cost go to the earlier one. */
export const edgeKinds: readonly Edges[] = ['scalar', 'small', 'composed', 'transposed'];

/** A kind of edges, or the cheapest one without scalar code. */
export type EdgeChoice = Edges | 'best';

export const edgeChoices: readonly EdgeChoice[] = [...edgeKinds, 'best'];

/** Adjacent tiles of one width. */
export interface TileRun {
  /** Extent that they cover. */
  readonly size: number;
  /** Width of one tile; undefined if no microkernel computes them. */
  readonly width: number | undefined;
}

/** A run of tiles of the windows, and the runs of filters that it is computed in. */
export interface TiledRun {
  readonly windows: TileRun;
  readonly filters: readonly TileRun[];
  /** The vectorized dimension. */
  readonly lanes: 'windows' | 'filters';
}

/** The runs of tiles that cover all windows and filters, edges included. */
export const tiledRuns = (
  extents: Readonly<Record<'windows' | 'filters', number>>,
  microkernel: MicrokernelShape,
  edges: Edges,
  elementBytes: number,
): readonly TiledRun[] => {
  const along = lanesAlong(microkernel);
  const vector = elementsOfVector(elementBytes);
  const runsOf = (dimension: 'windows' | 'filters', width: number): readonly TileRun[] =>
    tileRuns(extents[dimension], width, edges, dimension === along ? vector : 1);
  return runsOf('windows', microkernel.windows).map((windows) => {
    const { width = microkernel.windows } = windows;
    // Without a whole tile there is no remainder.
    if (edges !== 'transposed' || width === microkernel.windows || extents.windows < microkernel.windows)
      return { windows, filters: runsOf('filters', microkernel.filters), lanes: along };
    return {
      windows,
      filters: runsOf('filters', transposedFilters(width, microkernel, vector)),
      lanes: 'filters',
    };
  });
};

/** Code generation unrolls the lanes of a panel; wider ones are not packed as vectors. */
const widestPanel = 64;

/**
 * Filters of a tile of few windows with lanes along them: about as many sums as the microkernel has, so that
 * multiply-adds need not wait for each other, and a power of two, which are whole vectors on every target.
 */
const transposedFilters = (few: number, { windows, filters }: MicrokernelShape, vector: number): number =>
  Math.min(Math.max(2 * vector, 2 ** Math.floor(Math.log2((windows * filters) / few))), widestPanel);

/**
 * Runs of tiles that cover `size` for a microkernel of `width`; `lanes` is 1 for a dimension that is not vectorized.
 */
export const tileRuns = (
  size: number,
  width: number,
  edges: Edges,
  lanes: number,
): readonly [TileRun, ...TileRun[]] => {
  const rest = size % width;
  if (rest === 0) return [{ size, width }];
  if (size < width) return [{ size, width: edges === 'scalar' ? undefined : size }];
  if (edges === 'composed') return composed(size, width, lanes);
  return [
    { size: size - rest, width },
    { size: rest, width: edges === 'scalar' ? undefined : rest },
  ];
};

/**
 * The fewest tiles, at most `width` wide, in one or two widths. Ties go to the fewest vectors, then the fewest partial
 * vectors, then the widest narrow tile, since few accumulators leave the FMA units idle (TT §5.1).
 */
const composed = (size: number, width: number, lanes: number): readonly [TileRun, ...TileRun[]] => {
  const tiles = Math.ceil(size / width);
  let best = { wide: width, narrow: 0, narrowTiles: 0, cost: Infinity };
  const vectors = (tile: number): number =>
    Math.ceil(tile / lanes) + (tile % lanes === 0 ? 0 : 1 / (tiles + 1));
  for (let wide = width; wide * tiles >= size; wide -= 1) {
    const missing = wide * tiles - size;
    // All narrow tiles have the same width.
    for (let narrowTiles = missing === 0 ? 0 : 1; narrowTiles < tiles; narrowTiles += 1) {
      const narrow = missing === 0 ? wide : wide - missing / narrowTiles;
      if (narrow < 1 || !Number.isInteger(narrow)) continue;
      const cost = (tiles - narrowTiles) * vectors(wide) + narrowTiles * vectors(narrow);
      if (cost < best.cost || (cost === best.cost && narrow > best.narrow))
        best = { wide, narrow, narrowTiles, cost };
      if (narrowTiles >= missing) break;
    }
  }
  const last = best.narrow * best.narrowTiles;
  const wide = { size: size - last, width: best.wide };
  return last === 0 ? [wide] : [wide, { size: last, width: best.narrow }];
};
