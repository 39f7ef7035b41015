/**
 * Operand tiles: the slice that a loop nest takes in each iteration, and the tile's indexing of its slice.
 *
 * Each index must be a sum of a part that is linear in the tiled dimensions and a rest that does not use them, or
 * slicing is rejected: only then do all tiles have the same form.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { constant, isFunctionOfDim, substitute } from '@sconv/affine';
import { touchedRange } from '@sconv/dialects';

/** The tiles of one operand. */
export interface TileSlice {
  /** By dimension of the operand: the offset of a tile, over the tiles' first iterations; 0 for an unsliced one. */
  readonly offsets: readonly (AffineExpr | 0)[];
  readonly sizes: readonly number[];
}

/** How a tile indexes an operand. */
export interface TileOperand {
  /** Indices into the slice, or into the whole operand if it is not sliced. */
  readonly results: readonly AffineExpr[];
  /** Undefined if the operand does not depend on a tiled dimension; it is then not sliced. */
  readonly slice: TileSlice | undefined;
}

/** Why an operand cannot be sliced. */
export type UnsoundSlice =
  /** `expr` divides a tiled dimension: a slice would restart it at 0. */
  | { readonly kind: 'not-linear'; readonly expr: AffineExpr }
  /** A slice may exceed the end of dimension `position` of the operand. */
  | { readonly kind: 'out-of-bounds'; readonly position: number };

/**
 * The tiles of an operand of shape `shape` that `map` indexes, in an op over `loopRanges` tiled by `tileSizes`, 0 for
 * an untiled dimension. Each tile size divides its range.
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
  // Includes dimensions without a loop, which offsets do not use.
  const starts = loopRanges.map((range, dimension) => range - tileSizes[dimension]! + 1);
  const parts = map.results.map((expr, position) => {
    const whole = shape[position]!;
    if (!uses(expr)) return { offset: 0 as const, size: whole, result: expr };
    const first = linearPart(expr, tileSizes);
    const { lo, hi } = touchedRange(expr, extents);
    const offsets = touchedRange(first, starts);
    // `lo` and `hi` may over-approximate; the slice must be in bounds all the same.
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

/** Whether shifting the dimensions that satisfy `uses` changes `expr` by the same amount everywhere. */
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

/** The contribution of the tiled dimensions to an index that is linear in them: 0 where they are 0. */
const linearPart = (expr: AffineExpr, tileSizes: readonly number[]): AffineExpr => {
  const zero = constant(0);
  const atStart = substitute(expr, { dims: tileSizes.map((size) => (size > 0 ? undefined : zero)) });
  const origin = substitute(expr, { dims: tileSizes.map(() => zero) });
  return atStart.sub(origin);
};
