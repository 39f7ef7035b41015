/** Reads through a slice. */
import { constant, dim } from '@sconv/affine';
import type { Rewriter } from '@sconv/ir';
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
  let next = 0;
  const indices = offsets.map((offset, i) => {
    const expr = dropped.has(i) ? constant(0) : source.indices[next++]!;
    return expr.add(typeof offset === 'number' ? offset : dim(rank + outer.push(offset) - 1));
  });
  return { tensor: extractSlice.operands(slice).source, indices, outer };
};
