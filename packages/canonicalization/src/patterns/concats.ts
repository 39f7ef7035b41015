/** Concatenations as insertions into an empty tensor: upstream's `populateDecomposeTensorConcatPatterns`. */
import { dim, makeMap } from '@sconv/affine';
import type { MixedIndex } from '@sconv/dialects';
import {
  applyFolded,
  createDims,
  createEmpty,
  createIndex,
  createSize,
  insertSliceState,
} from '@sconv/dialects';
import { concat } from '@sconv/dialects/tensor';
import type { RewritePattern, TensorType, Value } from '@sconv/ir';
import { onOp } from '../match.ts';
import { concatSizes } from './empty-tensors.ts';
import { tensorCast } from './tensor-cast.ts';

const concatAsInsertions = onOp(concat, 'concat-as-insertions', (rewriter, operation) => {
  const { inputs } = concat.operands(operation);
  const { dim: at } = concat.attributes(operation);
  const type = operation.results[0]!.type as TensorType;
  // 1. The destination, and the offset of each input.
  let result: Value = createEmpty(rewriter, concatSizes(rewriter, operation), type.elementType);
  // Unused, and made here as upstream makes it, so that constants stand in its order.
  createIndex(rewriter, at);
  const parts: MixedIndex[] = [0];
  for (const input of inputs.slice(0, -1)) parts.push(createSize(rewriter, input, at));
  const sums = parts.map((_, i) => {
    const dims = parts.slice(0, i + 1).map((__, position) => dim(position));
    return dims.reduce((sum, each) => sum.add(each));
  });
  const begins = sums.map((sum) => applyFolded(rewriter, makeMap(parts.length, 0, [sum]), parts));
  // 2. The insertions.
  for (const [i, input] of inputs.entries()) {
    const offsets = input.type.shape.map((_, position) => (position === at ? begins[i]! : 0));
    const sizes = createDims(rewriter, input);
    const strides = sizes.map(() => 1);
    result = rewriter.createValue(insertSliceState(input, result, { offsets, sizes, strides }));
  }
  rewriter.replaceWith(operation, tensorCast(result, type));
});

export const concatPatterns: readonly RewritePattern[] = [concatAsInsertions];
