/**
 * Unit dimensions that a slice drops and an adjacent insertion adds: upstream's
 * `populateDropRedundantInsertSliceRankExpansionPatterns`.
 */
import { extractSliceState, mixedSlice } from '@sconv/dialects';
import type { MixedIndex, MixedSlice } from '@sconv/dialects';
import { dim, extractSlice, inferExtractSliceType, insertSlice } from '@sconv/dialects/tensor';
import type { DraftOperation, RewritePattern, Rewriter, TensorType, Value } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import { definedBy, hasOneUse, integerConstant, isSame, onOp } from '../match.ts';

/**
 * The dimensions that a rank-reduced type drops, from the last one on, as upstream's `getDroppedDims`; one flag each.
 */
const droppedFromEnd = (sizes: readonly MixedIndex[], shape: readonly number[]): readonly boolean[] => {
  const dropped = sizes.map(() => false);
  let last = shape.length - 1;
  for (let i = sizes.length - 1; i >= 0; i--) {
    if (last < 0 || (sizes[i] === 1 && shape[last] !== 1)) dropped[i] = true;
    else last -= 1;
  }
  return dropped;
};

/** Whether sizes of two tensors are provably equal: the same number, or those of a slice and the tensor it covers. */
const isSameSize = (
  rewriter: Rewriter,
  size: MixedIndex,
  whole: Value<TensorType>,
  dimension: number,
): boolean => {
  const known = whole.type.shape[dimension]!;
  if (known !== DYNAMIC) return size === known;
  if (typeof size === 'number') return false;
  const measured = definedBy(rewriter, size, dim);
  if (measured === undefined) return false;
  return isSame(measured.operands[0], whole) && integerConstant(rewriter, measured.operands[1]) === dimension;
};

/** Whether an insertion overwrites its whole destination, and only adds unit dimensions. */
const onlyExpands = (rewriter: Rewriter, operation: DraftOperation, dropped: readonly boolean[]): boolean => {
  const { dest } = insertSlice.operands(operation);
  return mixedSlice(operation).sizes.every((size, i) =>
    dropped[i] === true ? dest.type.shape[i] === 1 : isSameSize(rewriter, size, dest, i),
  );
};

const droppedBy = (operation: DraftOperation, type: TensorType): readonly boolean[] =>
  droppedFromEnd(mixedSlice(operation).sizes, type.shape);

const sliceOfExpansion = onOp(extractSlice, 'slice-of-expansion', (rewriter, operation) => {
  const { source } = extractSlice.operands(operation);
  const dropped = droppedBy(operation, operation.results[0]!.type as TensorType);
  const insertion = definedBy(rewriter, source, insertSlice);
  if (insertion === undefined || !dropped.includes(true)) return;
  const { source: inserted } = insertSlice.operands(insertion);
  const added = droppedBy(insertion, inserted.type);
  if (String(dropped) !== String(added) || !hasOneUse(rewriter, source)) return;
  if (!onlyExpands(rewriter, insertion, added)) return;
  const { offsets, sizes, strides } = mixedSlice(operation);
  const kept = <T>(list: readonly T[]): readonly T[] => list.filter((_, i) => dropped[i] !== true);
  const slice: MixedSlice = { offsets: kept(offsets), sizes: kept(sizes), strides: kept(strides) };
  rewriter.replaceWith(
    operation,
    extractSliceState(inserted, slice, inferExtractSliceType(inserted.type, slice.sizes)),
  );
  rewriter.eraseOperation(insertion);
});

/** Whether the dimensions that an insertion adds are a subsequence of those that the slice dropped. */
const isUndone = (dropped: readonly boolean[], added: readonly boolean[]): boolean => {
  if (dropped.length < added.length) return false;
  let next = 0;
  for (const isDropped of dropped) {
    if (isDropped === added[next]) next += 1;
    else if (!isDropped) return false;
  }
  return next === added.length;
};

const insertionOfSlice = onOp(insertSlice, 'expansion-of-slice', (rewriter, operation) => {
  const { source } = insertSlice.operands(operation);
  const slice = definedBy(rewriter, source, extractSlice);
  if (slice === undefined || !hasOneUse(rewriter, source)) return;
  const added = droppedBy(operation, source.type);
  if (!onlyExpands(rewriter, operation, added) || !isUndone(droppedBy(slice, source.type), added)) return;
  const { source: whole } = extractSlice.operands(slice);
  rewriter.replaceWith(
    operation,
    extractSliceState(whole, mixedSlice(slice), operation.results[0]!.type as TensorType),
  );
  rewriter.eraseOperation(slice);
});

export const redundantExpansionPatterns: readonly RewritePattern[] = [sliceOfExpansion, insertionOfSlice];
