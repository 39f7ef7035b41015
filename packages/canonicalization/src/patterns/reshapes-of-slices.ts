/**
 * Folds reshapes that only add or drop unit dimensions into the slice before or the insertion after them: upstream's
 * `populateReassociativeReshapeFoldingPatterns`.
 */
import { extractSliceState, mixedSlice, rankReductionMask } from '@sconv/dialects';
import {
  collapseShape,
  expandShape,
  extractSlice,
  inferExtractSliceType,
  insertSlice,
  parallelInsertSlice,
} from '@sconv/dialects/tensor';
import type { RewritePattern, TensorType } from '@sconv/ir';
import { DYNAMIC, tensorType, typeEquals } from '@sconv/ir';
import { definedBy, hasOneUse, onOp, onOps } from '../match.ts';

const insertions = [insertSlice, parallelInsertSlice];

/** An expansion that restores the dimensions that a slice dropped. */
const expandOfSlice = onOp(expandShape, 'expand-of-slice', (rewriter, operation) => {
  const slice = definedBy(rewriter, operation.operands[0], extractSlice);
  const { type } = operation.results[0]!;
  if (slice === undefined || type.kind !== 'tensor') return;
  const { source } = extractSlice.operands(slice);
  const mixed = mixedSlice(slice);
  if (!typeEquals(inferExtractSliceType(source.type, mixed.sizes), type)) return;
  rewriter.replaceWith(operation, extractSliceState(source, mixed, type));
});

/** Whether a type is another without some unit dimensions. */
const isReduced = (full: TensorType, reduced: TensorType): boolean =>
  typeEquals(full.elementType, reduced.elementType) &&
  rankReductionMask(full.shape, reduced.shape) !== undefined;

const collapseOfSlice = onOp(collapseShape, 'collapse-of-slice', (rewriter, operation) => {
  const slice = definedBy(rewriter, operation.operands[0], extractSlice);
  const [from, to] = [operation.operands[0]!.type, operation.results[0]!.type];
  if (slice === undefined || from.kind !== 'tensor' || to.kind !== 'tensor') return;
  if (!hasOneUse(rewriter, slice.results[0]!) || !isReduced(from, to)) return;
  const { source } = extractSlice.operands(slice);
  rewriter.replaceWith(operation, extractSliceState(source, mixedSlice(slice), to));
});

/** A collapse of a tensor with all dimensions of the slice that it is inserted at. */
const insertOfCollapse = onOps(insertions, 'insert-of-collapse', (rewriter, operation) => {
  const source = definedBy(rewriter, operation.operands[0], collapseShape)?.operands[0];
  const dest = operation.operands[1]?.type;
  if (source?.type.kind !== 'tensor' || dest?.kind !== 'tensor') return;
  const shape = mixedSlice(operation).sizes.map((size) => (typeof size === 'number' ? size : DYNAMIC));
  if (!typeEquals(tensorType(shape, dest.elementType), source.type)) return;
  rewriter.setOperand(operation, 0, source);
});

const insertOfExpand = onOps(insertions, 'insert-of-expand', (rewriter, operation) => {
  const expanded = operation.operands[0];
  const source = definedBy(rewriter, expanded, expandShape)?.operands[0];
  if (source?.type.kind !== 'tensor' || expanded?.type.kind !== 'tensor') return;
  if (isReduced(expanded.type, source.type)) rewriter.setOperand(operation, 0, source);
});

export const reshapesOfSlices: readonly RewritePattern[] = [
  expandOfSlice,
  collapseOfSlice,
  ...insertOfCollapse,
  ...insertOfExpand,
];
