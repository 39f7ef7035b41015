/** Packings of pairs: two channels of i16 each, adjacent in the panel. */
import type { AffineExpr } from '@sconv/affine';
import { constant, dim, sub, substitute } from '@sconv/affine';
import { collapseShape, inferCollapsedType } from '@sconv/dialects/memref';
import { interleave, store } from '@sconv/dialects/vector';
import type { Builder, MemRefType, Rewriter, Value } from '@sconv/ir';
import { builder } from '@sconv/ir';
import { convertElements } from './convert-elements.ts';
import { indexConstant } from './index-constant.ts';
import type { Packing } from './packing.ts';
import { mapPacking } from './packing.ts';
import type { VectorRegisters } from './vector-unit.ts';
import { bitsOf, lanesOf } from './vector-unit.ts';

/** Pairs of more lanes are copied one by one. */
const maximumLanes = 64;

/**
 * A packing whose last dimension is the halves of pairs as one whose last dimension is the one before, into a
 * flattened view of its target; any other packing, and one of more lanes than are unrolled, unchanged.
 */
export const withPairs = <P extends Packing>(rewriter: Rewriter, packing: P): P => {
  const { extents, outer, indices, target } = packing;
  const half = extents.length - 1;
  const { type } = target;
  const lanes = extents[half - 1] ?? Infinity;
  if (extents[half] !== 2 || bitsOf(type.elementType) !== 16 || lanes > maximumLanes) return packing;
  const reassociation = extents.slice(0, half).map((_, i) => (i === half - 1 ? [i, half] : [i]));
  if (inferCollapsedType(type, reassociation) === undefined) return packing;
  const ofHalf =
    (which: 0 | 1) =>
    (expr: AffineExpr): AffineExpr =>
      substitute(expr, {
        dims: Array.from({ length: extents.length + outer.length }, (_, i) =>
          i === half ? constant(which) : dim(i < half ? i : i - 1),
        ),
      });
  const [first, second] = [mapPacking(packing, ofHalf(0)), mapPacking(packing, ofHalf(1))];
  const apart = indices.flatMap((_, i) => {
    const distance = sub(second.indices[i]!, first.indices[i]!);
    return distance.kind === 'constant' ? [distance.value] : [];
  });
  if (apart.length < indices.length) return packing;
  const flat: Value<MemRefType> = builder(rewriter)(collapseShape, { src: target, reassociation });
  return { ...first, target: flat, extents: extents.slice(0, half), apart };
};

/** The halves of a packing's elements: 0, and 1 if it is of pairs. */
export const halvesOf = ({ apart }: Packing): readonly number[] => (apart === undefined ? [0] : [0, 1]);

/** The number of elements, or of pairs, per vector of the target. */
export const packedLanes = (unit: VectorRegisters, packing: Packing): number =>
  Math.max(1, lanesOf(unit, packing.target) / halvesOf(packing).length);

/** Converts and stores lanes from the first one on: a vector, or one for either half of pairs. */
export const storeLanes = (
  rewriter: Rewriter,
  b: Builder,
  packing: Packing,
  variables: readonly Value[],
  first: number,
  read: readonly Value[],
): void => {
  const [lhs, rhs] = read.map((each) => convertElements(rewriter, packing.conversion, each));
  const valueToStore: Value = rhs === undefined ? lhs! : b(interleave, { lhs: lhs!, rhs });
  const at = indexConstant(b, first * read.length);
  b(store, { valueToStore, base: packing.target, indices: [...variables, at] });
};
