/** A packing as those who lower it see it. */
import type { AffineExpr } from '@sconv/affine';
import { makeMap } from '@sconv/affine';
import type { ElementConversion } from '@sconv/dialects';
import { applyComposed } from '@sconv/dialects';
import type { Builder, Rewriter, Value } from '@sconv/ir';

/** Stores, at each index of a buffer, an element of another, converted or as it is. */
export interface Packing {
  readonly source: Value;
  readonly target: Value;
  /** Sizes of the target. */
  readonly extents: readonly number[];
  /** For each dimension of the source an expression of the target's dimensions, and then of `outer`. */
  readonly indices: readonly AffineExpr[];
  readonly outer: readonly Value[];
  readonly conversion: ElementConversion;
}

/** Makes the copy of the lanes at the loop variables of the other dimensions. */
export type CopyPanel = (b: Builder, variables: readonly Value[]) => void;

/** An expression of the packing's dimensions and outer values, at these of the dimensions. */
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
