/** Reading the source of a slice instead of the slice. */
import { constant, dim } from '@sconv/affine';
import type { Rewriter } from '@sconv/ir';
import type { ElementSource } from './element-source.ts';
import { mixedSlice } from './mixed-indices.ts';
import { rankReductionMask, staticSizes } from './slice-types.ts';
import { extractSlice } from './tensor.ts';

/**
 * What the slice was taken from that `source` reads, its offsets added to the indices; `rank` is the number of iteration
 * dimensions. Undefined for what is no slice, and for a slice with a stride, whose elements are not where an offset says.
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
