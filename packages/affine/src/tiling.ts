/** Splits a dimension into tile and point; mixed-radix indices: linearise and delinearise. */
import { AffineError } from './affine-error.ts';
import type { AffineExpr, AffineOperand } from './affine-expr.ts';
import { add, adopt, constant, dim, floorDiv, mod, mul } from './affine-expr.ts';
import type { AffineMap, AffineMapData } from './affine-map.ts';
import { describe, expectKind, expectList } from './expect-kind.ts';
import { shiftDims, substitute } from './substitute.ts';

/**
 * The map with dimension `position` split into a tile number and a point within the tile: `d` becomes `d * size +
 * point`, where the point is a new dimension after it. With `0 <= point < size` every value of the old dimension is
 * covered exactly once.
 */
export function splitDim(map: AffineMapData, position: number, size: AffineOperand): AffineMap {
  expectKind(map, 'map');
  if (!Number.isInteger(position) || position < 0 || position >= map.numDims) {
    const message = `there is no dimension ${describe(position)}: the map has ${map.numDims}`;
    throw new AffineError('affine/position-out-of-range', message);
  }
  const widened = shiftDims(map, 1, position + 1);
  const dims: (AffineExpr | undefined)[] = new Array<undefined>(position).fill(undefined);
  dims.push(add(mul(dim(position), size), dim(position + 1)));
  return substitute(widened, { dims });
}

/**
 * The row-major position of an element: `((i0 * b1 + i1) * b2 + i2) …`. `basis[0]`, the size of the slowest index, is
 * unused.
 */
export function rowMajorPosition(
  indices: readonly AffineOperand[],
  basis: readonly AffineOperand[],
): AffineExpr {
  expectList(indices, 'the indices');
  expectList(basis, 'the basis');
  if (indices.length !== basis.length) {
    const message = `${indices.length} indices do not fit a basis of ${basis.length}`;
    throw new AffineError('affine/arity-mismatch', message);
  }
  return Array.from(indices).reduce<AffineExpr>(
    (position, index, i) => add(mul(position, basis[i]!), index),
    constant(0),
  );
}

/**
 * The indices of the element at a row-major position, the inverse of `rowMajorPosition` for indices within the basis.
 * The first index is not reduced modulo `basis[0]`.
 */
export function rowMajorIndices(position: AffineOperand, basis: readonly AffineOperand[]): AffineExpr[] {
  expectList(basis, 'the basis');
  const indices: AffineExpr[] = [];
  let rest = adopt(position);
  for (let i = basis.length - 1; i > 0; i--) {
    const size = adopt(basis[i]!);
    indices.push(mod(rest, size));
    rest = floorDiv(rest, size);
  }
  return basis.length === 0 ? [] : [rest, ...indices.reverse()];
}
