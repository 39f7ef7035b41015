/** A packing, as its lowerings see it. */
import type { AffineExpr } from '@sconv/affine';
import { makeMap } from '@sconv/affine';
import type { ElementConversion } from '@sconv/dialects';
import { applyComposed } from '@sconv/dialects';
import type { Builder, Rewriter, Value } from '@sconv/ir';

/** At each index of a buffer, stores an element of another, possibly converted. */
export interface Packing {
  readonly source: Value;
  readonly target: Value;
  /** The sizes of the target. */
  readonly extents: readonly number[];
  /** For each dimension of the source, an expression over the target's dimensions, followed by `outer`. */
  readonly indices: readonly AffineExpr[];
  readonly outer: readonly Value[];
  readonly conversion: ElementConversion;
  /**
   * Of a packing of pairs, whose halves are adjacent in the last dimension of the target: for each dimension of the
   * source, the distance between them. Extents and indices are those of the first halves.
   */
  readonly apart?: readonly number[];
}

/** Creates the copy of the lanes, given the loop variables of the other dimensions. */
export type CopyPanel = (b: Builder, variables: readonly Value[]) => void;

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
