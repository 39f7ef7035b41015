/** The register tiles of a microkernel as numbers. */

/** A part of a microkernel's output. */
export interface KernelTile {
  readonly firstWindow: number;
  readonly windows: number;
  readonly firstFilter: number;
  readonly filters: number;
}

/** A pass over the panels: a part of the output, perhaps with another one beside it, with lanes along the filters. */
export interface KernelPass extends KernelTile {
  readonly beside?: KernelTile;
}

const numbersOf = ({ firstWindow, windows, firstFilter, filters }: KernelTile): readonly number[] => [
  firstWindow,
  windows,
  firstFilter,
  filters,
];

/** A pass as its four or eight numbers. */
export const numbersOfPass = (pass: KernelPass): readonly number[] => [
  ...numbersOf(pass),
  ...(pass.beside === undefined ? [] : numbersOf(pass.beside)),
];

const tileOf = ([firstWindow, windows, firstFilter, filters]: readonly number[]): KernelTile => ({
  firstWindow: firstWindow!,
  windows: windows!,
  firstFilter: firstFilter!,
  filters: filters!,
});

/** The pass of four or eight numbers. */
export const passOf = (numbers: readonly number[]): KernelPass =>
  numbers.length > 4 ? { ...tileOf(numbers), beside: tileOf(numbers.slice(4)) } : tileOf(numbers);

/** Whether passes, as numbers, compute each element of an output once. */
export const coversOnce = (
  passes: readonly (readonly number[])[],
  output: { readonly windows: number; readonly filters: number },
): boolean => {
  if (!passes.every(({ length }) => length === 4 || length === 8)) return false;
  const tiles = passes.flatMap((numbers) =>
    numbers.length === 4 ? [tileOf(numbers)] : [tileOf(numbers), tileOf(numbers.slice(4))],
  );
  const { windows, filters } = output;
  const isInside = tiles.every(
    (tile) =>
      tile.firstWindow >= 0 &&
      tile.windows > 0 &&
      tile.firstWindow + tile.windows <= windows &&
      tile.firstFilter >= 0 &&
      tile.filters > 0 &&
      tile.firstFilter + tile.filters <= filters,
  );
  if (!isInside) return false;
  const area = tiles.reduce((sum, tile) => sum + tile.windows * tile.filters, 0);
  if (area !== windows * filters) return false;
  // Rectangles of the area of a whole cover it if and only if their corners cancel each other, but for the whole's.
  const corners = new Set<string>();
  for (const { firstWindow, windows: width, firstFilter, filters: height } of tiles)
    for (const x of [firstWindow, firstWindow + width])
      for (const y of [firstFilter, firstFilter + height]) {
        const corner = `${x},${y}`;
        if (!corners.delete(corner)) corners.add(corner);
      }
  return corners.size === 4 && [0, windows].every((x) => [0, filters].every((y) => corners.has(`${x},${y}`)));
};
