/** What becomes of windows and filters that fill no tile of the microkernel. */

/**
 * - `scalar`: code without tiling or packing, as in ST.
 * - `small`: one smaller microkernel for the remainder.
 * - `composed`: two microkernels whose tiles add up to the dimension (TT §5.3: 34 = 2·11 + 12).
 */
export type Edges = 'scalar' | 'small' | 'composed';

/** The kinds of edges that there is code for; of two that cost the same the earlier one is taken. */
export const edgeKinds: readonly Edges[] = ['scalar', 'small', 'composed'];

/** A kind of edges, or the cheapest of all by the `traffic` model. */
export type EdgeChoice = Edges | 'best';

export const edgeChoices: readonly EdgeChoice[] = [...edgeKinds, 'best'];

/** Tiles of one width side by side. */
export interface TileRun {
  /** What they cover. */
  readonly size: number;
  /** Of one tile; undefined where there is no microkernel for them. */
  readonly width: number | undefined;
}

/** Runs of tiles that cover `size`, the microkernel being `width` wide; `lanes` is 1 for what fills no vectors. */
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
    { size: rest, width: edges === 'small' ? rest : undefined },
  ];
};

/**
 * The least number of tiles, none wider than `width`, of one or two widths: those that fill the fewest vectors, then those
 * with the fewest that are not full, and of these the ones whose narrowest tile is the widest, since few accumulators do
 * not keep the units busy (TT §5.1).
 */
const composed = (size: number, width: number, lanes: number): readonly [TileRun, ...TileRun[]] => {
  const tiles = Math.ceil(size / width);
  let best = { wide: width, narrow: 0, narrowTiles: 0, cost: Infinity };
  const vectors = (tile: number): number =>
    Math.ceil(tile / lanes) + (tile % lanes === 0 ? 0 : 1 / (tiles + 1));
  for (let wide = width; wide * tiles >= size; wide -= 1) {
    const missing = wide * tiles - size;
    // Each of the narrow tiles is narrower by the same.
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
