/** Reads through a slice. */
import type { AffineExpr } from '@sconv/affine';
import { constant, dim, substitute } from '@sconv/affine';
import type { Rewriter, Value } from '@sconv/ir';
import { composeValue } from './composed-apply.ts';
import type { ElementSource } from './element-source.ts';
import { mixedSlice } from './mixed-indices.ts';
import { rankReductionMask, staticSizes } from './slice-types.ts';
import { extractSlice } from './tensor.ts';

/**
 * `source` redirected to the tensor that its slice was extracted from, offsets added to the indices; `rank` is the
 * number of iteration dimensions. Undefined if it is no slice, or one with strides, where offsets alone do not locate
 * elements.
 */
export const throughSlice = (
  rewriter: Rewriter,
  rank: number,
  source: ElementSource,
): ElementSource | undefined => {
  const slice = rewriter.definingOperation(source.tensor);
  if (slice === undefined || !extractSlice.is(slice)) return undefined;
  const { offsets, sizes, strides } = mixedSlice(slice);
  const dropped = rankReductionMask(staticSizes(sizes), extractSlice.results(slice).result.type.shape);
  if (strides.some((stride) => stride !== 1) || dropped === undefined) return undefined;
  const outer = [...source.outer];
  /** An offset as an expression over what it is computed from, which may be known earlier. */
  const shift = (offset: Value): AffineExpr => {
    const { map, operands } = composeValue(rewriter, offset);
    const dims = operands.map((operand) => dim(rank + outer.push(operand) - 1));
    return substitute(map.results[0]!, { dims });
  };
  let next = 0;
  const indices = offsets.map((offset, i) => {
    const expr = dropped.has(i) ? constant(0) : source.indices[next++]!;
    return expr.add(typeof offset === 'number' ? offset : shift(offset));
  });
  return { tensor: extractSlice.operands(slice).source, indices, outer };
};

/** The source behind all slices that can be read through; `rank` is the number of iteration dimensions. */
export const behindSlices = (rewriter: Rewriter, rank: number, source: ElementSource): ElementSource => {
  for (let at = source; ;) {
    const behind = throughSlice(rewriter, rank, at);
    if (behind === undefined) return at;
    at = behind;
  }
};
