/** Maps indices into a view to indices into its source. */
import { constant, symbol } from '@sconv/affine';
import type { AffineExpr } from '@sconv/affine';
import type { MixedIndex } from '@sconv/dialects';
import { applyExpression, mixedSlice } from '@sconv/dialects';
import { collapseShape, expandShape, subview } from '@sconv/dialects/memref';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import { droppedFromBuffer } from './patterns/slices.ts';

/** The suffix products of the sizes; undefined if one of them is dynamic. */
const suffixProducts = (sizes: readonly number[]): readonly number[] | undefined => {
  const products: number[] = [];
  let product = 1;
  for (let i = sizes.length - 1; i >= 0; i--) {
    products[i] = product;
    if (i === 0) break;
    if (sizes[i] === DYNAMIC) return undefined;
    product *= sizes[i]!;
  }
  return products;
};

/** `offset + index * stride` in each kept dimension, the offset in dropped ones. */
export const throughSubview = (
  rewriter: Rewriter,
  view: DraftOperation,
  indices: readonly MixedIndex[],
): readonly MixedIndex[] | undefined => {
  const { offsets, strides } = mixedSlice(view);
  const dropped = droppedFromBuffer(view);
  if (dropped === undefined) return undefined;
  let next = 0;
  return offsets.map((offset, i) =>
    dropped.has(i)
      ? offset
      : applyExpression(rewriter, symbol(0).add(symbol(1).mul(symbol(2))), [
          offset,
          indices[next++]!,
          strides[i]!,
        ]),
  );
};

const sizesOf = (view: DraftOperation, ofResult: boolean): readonly number[] => {
  const value = ofResult ? view.results[0] : view.operands[0];
  return value?.type.kind === 'memref' ? value.type.shape : [];
};

/** The linear index within each group. */
const throughExpansion = (
  rewriter: Rewriter,
  view: DraftOperation,
  indices: readonly MixedIndex[],
): readonly MixedIndex[] | undefined => {
  const shape = sizesOf(view, true);
  const found: MixedIndex[] = [];
  for (const group of expandShape.attributes(view).reassociation) {
    const factors = suffixProducts(group.map((dimension) => shape[dimension]!));
    if (factors === undefined) return undefined;
    const linear = factors.reduce<AffineExpr>(
      (sum, factor, i) => sum.add(symbol(i).mul(factor)),
      constant(0),
    );
    found.push(
      applyExpression(
        rewriter,
        linear,
        group.map((dimension) => indices[dimension]!),
      ),
    );
  }
  return found;
};

/** Delinearizes the index of each group. */
const throughCollapse = (
  rewriter: Rewriter,
  view: DraftOperation,
  indices: readonly MixedIndex[],
): readonly MixedIndex[] | undefined => {
  const shape = sizesOf(view, false);
  const { reassociation } = collapseShape.attributes(view);
  // A rank-0 result is collapsed from unit dimensions.
  if (reassociation.length === 0) return shape.map(() => 0);
  const found: MixedIndex[] = [];
  for (const [position, group] of reassociation.entries()) {
    const factors = suffixProducts(group.map((dimension) => shape[dimension]!));
    if (factors === undefined) return undefined;
    let rest: AffineExpr = symbol(0);
    for (const factor of factors) {
      found.push(applyExpression(rewriter, rest.floorDiv(factor), [indices[position]!]));
      rest = rest.mod(factor);
    }
  }
  return found;
};

/** The indices in the source of a view for `indices` into the view; undefined if unknown. */
export const sourceIndices = (
  rewriter: Rewriter,
  view: DraftOperation,
  indices: readonly MixedIndex[],
): readonly MixedIndex[] | undefined => {
  if (subview.is(view)) return throughSubview(rewriter, view, indices);
  if (expandShape.is(view)) return throughExpansion(rewriter, view, indices);
  return collapseShape.is(view) ? throughCollapse(rewriter, view, indices) : undefined;
};
