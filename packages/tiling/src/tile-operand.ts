/**
 * Where the tiles of an operand lie: what a loop nest slices in each iteration, and how the tile indexes its slice.
 *
 * An index is a sum of a part that is linear in the tiled dimensions and a rest that does not use them, or slicing is
 * refused: only then do all tiles have the same form.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { constant, isFunctionOfDim, substitute } from '@sconv/affine';
import { touchedRange } from '@sconv/dialects';

/** The tiles of one operand. */
export interface TileSlice {
  /** In each dimension of the operand: where a tile begins, over the tiles' first iterations. A number is no expression. */
  readonly offsets: readonly (AffineExpr | 0)[];
  readonly sizes: readonly number[];
}

/** How a tile indexes an operand. */
export interface TileOperand {
  /** Indices into the slice, or into the operand where it is taken whole. */
  readonly results: readonly AffineExpr[];
  /** Undefined where the operand does not depend on a tiled dimension and is taken whole. */
  readonly slice: TileSlice | undefined;
}

/** Why an operand cannot be sliced. */
export type UnsoundSlice =
  /** `expr` divides a tiled dimension: a slice would restart it at 0. */
  | { readonly kind: 'not-linear'; readonly expr: AffineExpr }
  /** A slice may reach over the end of dimension `position` of the operand. */
  | { readonly kind: 'out-of-bounds'; readonly position: number };

/**
 * The tiles of an operand of sizes `shape` that `map` indexes, in an op over `loopRanges` in tiles of `tileSizes`
 * iterations, 0 for a dimension that is not tiled. Each tile size divides its range.
 */
export const tileOperand = (
  map: AffineMap,
  shape: readonly number[],
  loopRanges: readonly number[],
  tileSizes: readonly number[],
): TileOperand | UnsoundSlice => {
  const tiled = tileSizes.flatMap((size, dimension) => (size > 0 ? [dimension] : []));
  const uses = (expr: AffineExpr) => tiled.some((dimension) => isFunctionOfDim(expr, dimension));
  if (!map.results.some(uses)) return { results: map.results, slice: undefined };
  const notLinear = map.results.find((expr) => !isLinearIn(expr, uses));
  if (notLinear !== undefined) return { kind: 'not-linear', expr: notLinear };
  const extents = loopRanges.map((range, dimension) => tileSizes[dimension]! || range);
  // Of dimensions without a loop, too, but no start uses them.
  const starts = loopRanges.map((range, dimension) => range - tileSizes[dimension]! + 1);
  const parts = map.results.map((expr, position) => {
    const whole = shape[position]!;
    if (!uses(expr)) return { offset: 0 as const, size: whole, result: expr };
    const first = linearPart(expr, tileSizes);
    const { lo, hi } = touchedRange(expr, extents);
    const offsets = touchedRange(first, starts);
    // `lo` and `hi` may enclose more than is touched; a slice must lie in the operand all the same.
    if (offsets.lo + lo < 0 || offsets.hi - 1 + hi > whole) return undefined;
    return { offset: first.add(lo), size: hi - lo, result: expr.sub(lo) };
  });
  if (!parts.every((part) => part !== undefined))
    return { kind: 'out-of-bounds', position: parts.indexOf(undefined) };
  return {
    results: parts.map(({ result }) => result),
    slice: { offsets: parts.map(({ offset }) => offset), sizes: parts.map(({ size }) => size) },
  };
};

/** Whether a shift of the dimensions that `uses` asks for changes `expr` by the same amount wherever it starts. */
const isLinearIn = (expr: AffineExpr, uses: (expr: AffineExpr) => boolean): boolean => {
  switch (expr.kind) {
    case 'dim':
    case 'symbol':
    case 'constant':
      return true;
    case 'add':
    case 'mul':
      return isLinearIn(expr.lhs, uses) && isLinearIn(expr.rhs, uses);
    case 'mod':
    case 'floordiv':
    case 'ceildiv':
      return !uses(expr);
  }
};

/** What the tiled dimensions contribute to an index that is linear in them: 0 where they are 0. */
const linearPart = (expr: AffineExpr, tileSizes: readonly number[]): AffineExpr => {
  const zero = constant(0);
  const atStart = substitute(expr, { dims: tileSizes.map((size) => (size > 0 ? undefined : zero)) });
  const origin = substitute(expr, { dims: tileSizes.map(() => zero) });
  return atStart.sub(origin);
};
