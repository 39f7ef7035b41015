/** A packing, as its lowerings see it. */
import type { AffineExpr } from '@sconv/affine';
import { dim, makeMap, substitute } from '@sconv/affine';
import { applyComposed, composeValue } from '@sconv/dialects';
import type { PackedMargin, Packing as KernelPacking } from '@sconv/dialects/kernel';
import type { Builder, Rewriter, Value } from '@sconv/ir';

/** A `kernel.pack` of known sizes. */
export interface Packing extends KernelPacking {
  /**
   * Of a packing of pairs, whose halves are adjacent in the last dimension of the target: for each dimension of the
   * source, the distance between them. Extents and indices are those of the first halves.
   */
  readonly apart?: readonly number[];
}

/** A packing that reads padding around its source. */
export interface PaddedPacking extends Packing {
  readonly margin: PackedMargin;
}

/** Creates the copy of the lanes, given the loop variables of the other dimensions. */
export type CopyPanel = (b: Builder, variables: readonly Value[]) => void;

/** The packing with all its expressions changed. */
export const mapPacking = <P extends Packing>(packing: P, change: (expr: AffineExpr) => AffineExpr): P => ({
  ...packing,
  indices: packing.indices.map(change),
  margin: packing.margin && {
    ...packing.margin,
    tests: packing.margin.tests.map(({ index, size }) => ({ index: change(index), size })),
  },
});

/**
 * The packing with its outer values as what they are computed from: index arithmetic becomes part of its expressions.
 */
export const withComposedIndices = (rewriter: Rewriter, packing: KernelPacking): Packing => {
  const rank = packing.extents.length;
  const outer: Value[] = [];
  const inputAt = (value: Value): AffineExpr => {
    const known = outer.findIndex(({ id }) => id === value.id);
    return dim(rank + (known >= 0 ? known : outer.push(value) - 1));
  };
  const composed = packing.outer.map((value) => {
    const { map, operands } = composeValue(rewriter, value);
    return substitute(map.results[0]!, { dims: operands.map(inputAt) });
  });
  const dims = [...packing.extents.map((_, position) => dim(position)), ...composed];
  return { ...mapPacking(packing, (expr) => substitute(expr, { dims })), outer };
};

/** An expression over the packing's dimensions and outer values, evaluated at these variables. */
export const indexAt = (
  rewriter: Rewriter,
  { extents, outer }: Packing,
  expr: AffineExpr,
  variables: readonly Value[],
): Value => {
  const dimensions = extents.map((_, position) => variables[position]);
  return applyComposed(rewriter, makeMap(extents.length + outer.length, 0, [expr]), [
    ...dimensions,
    ...outer,
  ]);
};
