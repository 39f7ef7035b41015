/**
 * Rows of a tile whose accumulators lie across them: vectors of filters, one for each window, of an output whose rows
 * are windows. They are transposed in squares of 4x4, which a vector holds side by side:
 *
 *     a0   f0 f1 f2 f3 | f4 …            w0 w1 w2 w3   | …
 *     a1   f0 f1 f2 f3 | f4 …     ↔    row f0        | row f4
 *     a2   …                             row f1        | row f5
 */
import { load, shuffle, store } from '@sconv/dialects/vector';
import type { Builder, MemRefType, Value, VectorType } from '@sconv/ir';
import { vectorType } from '@sconv/ir';
import { indexConstant } from './index-constant.ts';
import type { Rows, Vector } from './row-vectors.ts';

/** The side of a square: lanes are a multiple of it. */
export const squareSide = 4;

/** Where a tile lies in an output. */
export interface TransposedTile {
  readonly output: Value;
  readonly image: Value;
  /** Its rows. */
  readonly vectors: readonly Vector[];
  readonly windows: Rows;
}

/** Loads the accumulators: those of the first window, a vector of filters each, then of the next. */
export const loadTransposed = (b: Builder, tile: TransposedTile): readonly Value[] => {
  const { windows, vectors } = tile;
  const sums: Value[] = [];
  vectors.forEach(({ first, width }, column) => {
    for (const group of groupsOf(windows)) {
      const rows = Array.from({ length: width }, (_, i) => loadRow(b, tile, first + i, group));
      const across = Array.from({ length: squareSide }, (_, i) =>
        joined(
          b,
          rows.filter((_, row) => row % squareSide === i),
        ),
      );
      const along = transposedSquares(b, across);
      for (let window = 0; window < group.size; window++)
        sums[(group.first - windows.first + window) * vectors.length + column] = along[window]!;
    }
  });
  return sums;
};

/** Stores accumulators in the order of `loadTransposed`. */
export const storeTransposed = (b: Builder, tile: TransposedTile, sums: readonly Value[]): void => {
  const { output, image, windows, vectors } = tile;
  vectors.forEach(({ first, width }, column) => {
    for (const group of groupsOf(windows)) {
      const along = Array.from({ length: squareSide }, (_, i) => {
        const window = group.first - windows.first + Math.min(i, group.size - 1);
        return sums[window * vectors.length + column]!;
      });
      const across = transposedSquares(b, along);
      const at = indexConstant(b, group.first);
      for (let i = 0; i < width; i++) {
        const square = i - (i % squareSide);
        const lanes = Array.from({ length: group.size }, (_, lane) => square + lane);
        const row = across[i % squareSide]!;
        const valueToStore: Value = b(shuffle, { v1: row, v2: row, mask: lanes });
        b(store, { valueToStore, base: output, indices: [image, indexConstant(b, first + i), at] });
      }
    }
  });
};

/** Windows in groups of a square's side; the last one may be smaller. */
const groupsOf = ({ first, size }: Rows): readonly Rows[] =>
  Array.from({ length: Math.ceil(size / squareSide) }, (_, i) => ({
    first: first + i * squareSide,
    size: Math.min(squareSide, size - i * squareSide),
  }));

/** The windows of a group in a row, as many as a square's side: the first is repeated. */
const loadRow = (b: Builder, { output, image }: TransposedTile, filter: number, group: Rows): Value => {
  const { elementType } = output.type as MemRefType;
  const indices = [image, indexConstant(b, filter), indexConstant(b, group.first)];
  const row: Value = b(
    load,
    { base: output, indices },
    { resultTypes: [vectorType([group.size], elementType)] },
  );
  if (group.size === squareSide) return row;
  const mask = Array.from({ length: squareSide }, (_, i) => (i < group.size ? i : 0));
  return b(shuffle, { v1: row, v2: row, mask });
};

/** Vectors one behind the other; their number is a power of two. */
const joined = (b: Builder, vectors: readonly Value[]): Value => {
  if (vectors.length === 1) return vectors[0]!;
  const half = vectors.length / 2;
  const [v1, v2] = [joined(b, vectors.slice(0, half)), joined(b, vectors.slice(half))];
  return b(shuffle, { v1, v2, mask: Array.from({ length: 2 * lanesOf(v1) }, (_, i) => i) });
};

const lanesOf = ({ type }: Value): number => (type as VectorType).shape[0]!;

/** Transposes each square of four vectors; its own inverse. */
const transposedSquares = (b: Builder, vectors: readonly Value[]): readonly Value[] => {
  const lanes = lanesOf(vectors[0]!);
  const mixed = (v1: Value, v2: Value, mask: readonly number[]): Value =>
    b(shuffle, {
      v1,
      v2,
      mask: Array.from({ length: lanes }, (_, i) => {
        const from = mask[i % squareSide]!;
        return i - (i % squareSide) + (from < squareSide ? from : from - squareSide + lanes);
      }),
    });
  const [a, c, d, e] = vectors as readonly [Value, Value, Value, Value];
  const low = [mixed(a, c, [0, 4, 1, 5]), mixed(d, e, [0, 4, 1, 5])] as const;
  const high = [mixed(a, c, [2, 6, 3, 7]), mixed(d, e, [2, 6, 3, 7])] as const;
  return [low, high].flatMap(([v1, v2]) => [mixed(v1, v2, [0, 1, 4, 5]), mixed(v1, v2, [2, 3, 6, 7])]);
};
