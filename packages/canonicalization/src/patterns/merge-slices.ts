/** Merges slices of slices, and insertions of inserted slices. */
import { symbol } from '@sconv/affine';
import { applyExpression, extractSliceState, mixedSlice, rankReductionMask } from '@sconv/dialects';
import type { MixedIndex } from '@sconv/dialects';
import { extractSlice, insertSlice, parallelInsertSlice } from '@sconv/dialects/tensor';
import type { RewritePattern } from '@sconv/ir';
import { isStaticShape } from '@sconv/ir';
import { definedBy, onOp, onOps } from '../match.ts';
import { droppedDimensions } from './slices.ts';

const [first, second, third] = [symbol(0), symbol(1), symbol(2)];

const sliceOfSlice = onOp(extractSlice, 'slice-of-slice', (rewriter, operation) => {
  const around = definedBy(rewriter, operation.operands[0], extractSlice);
  const [source] = around?.operands ?? [];
  const [type, middle] = [operation.results[0]?.type, operation.operands[0]?.type];
  if (around === undefined || source === undefined || type?.kind !== 'tensor' || middle?.kind !== 'tensor')
    return;
  const dropped = droppedDimensions(around, middle.shape);
  if (dropped === undefined) return;
  const [outer, own] = [mixedSlice(around), mixedSlice(operation)];
  const offsets: MixedIndex[] = [];
  const sizes: MixedIndex[] = [];
  const strides: MixedIndex[] = [];
  let next = 0;
  for (const [i, offset] of outer.offsets.entries()) {
    const stride = outer.strides[i]!;
    if (dropped.has(i)) {
      offsets.push(offset);
      sizes.push(outer.sizes[i]!);
      strides.push(stride);
      continue;
    }
    offsets.push(
      applyExpression(rewriter, first.mul(second).add(third), [own.offsets[next]!, stride, offset]),
    );
    sizes.push(own.sizes[next]!);
    strides.push(applyExpression(rewriter, first.mul(second), [stride, own.strides[next]!]));
    next++;
  }
  rewriter.replaceWith(operation, extractSliceState(source, { offsets, sizes, strides }, type));
});

/** An insertion into a tensor with more unit dimensions that fills it, and is then inserted. */
export const insertOfExpanded: readonly RewritePattern[] = onOps(
  [insertSlice, parallelInsertSlice],
  'insert-of-expanded',
  (rewriter, operation) => {
    const expansion = definedBy(rewriter, operation.operands[0], insertSlice);
    const [source, dest] = expansion?.operands ?? [];
    if (expansion === undefined || source?.type.kind !== 'tensor' || dest?.type.kind !== 'tensor') return;
    const strides = [...mixedSlice(expansion).strides, ...mixedSlice(operation).strides];
    if (strides.some((stride) => stride !== 1)) return;
    // With dynamic sizes it is unknown whether the whole tensor is written.
    if (!isStaticShape(source.type) || !isStaticShape(dest.type)) return;
    if (rankReductionMask(dest.type.shape, source.type.shape) === undefined) return;
    rewriter.setOperand(operation, 0, source);
  },
);

export const mergeSlicePatterns: readonly RewritePattern[] = [sliceOfSlice, ...insertOfExpanded];
