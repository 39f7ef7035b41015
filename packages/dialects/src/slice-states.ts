/** Ops that read, view or write a slice, from the offsets, sizes and strides as one value. */
import type { MemRefType, OperationState, Rewriter, TensorType, Value } from '@sconv/ir';
import { subview } from './memref-views.ts';
import type { MixedIndex, MixedSlice } from './mixed-indices.ts';
import { sliceArguments } from './mixed-indices.ts';
import { extractSlice, insertSlice, parallelInsertSlice } from './tensor-slices.ts';
import type { MixedBox } from './tileable.ts';

/** A box as a slice: every stride is 1. */
export const unitStrideSlice = ({ offsets, sizes }: MixedBox): MixedSlice => ({
  offsets,
  sizes,
  strides: sizes.map(() => 1),
});

/** The slice of these sizes at the origin, with strides of 1. */
export const sliceAtOrigin = (sizes: readonly MixedIndex[]): MixedSlice =>
  unitStrideSlice({ offsets: sizes.map(() => 0), sizes });

/** The `tensor.extract_slice` of a slice of `source`; `type` is that of the slice, possibly of a lower rank. */
export const extractSliceState = (
  source: Value,
  slice: MixedSlice,
  type: TensorType,
): OperationState<Rewriter> => {
  const { operands, attributes } = sliceArguments(slice);
  return extractSlice.state({ operands: { source, ...operands }, attributes, resultTypes: [type] });
};

/** The `memref.subview` of a slice of `source`; `type` is that of the view, possibly of a lower rank. */
export const subviewState = (
  source: Value,
  slice: MixedSlice,
  type: MemRefType,
): OperationState<Rewriter> => {
  const { operands, attributes } = sliceArguments(slice);
  return subview.state({ operands: { source, ...operands }, attributes, resultTypes: [type] });
};

/** The `tensor.insert_slice` of `source` as a slice of `dest`. */
export const insertSliceState = (source: Value, dest: Value, slice: MixedSlice): OperationState<Rewriter> => {
  const { operands, attributes } = sliceArguments(slice);
  return insertSlice.state({
    operands: { source, dest, ...operands },
    attributes,
    resultTypes: [dest.type],
  });
};

/** The `tensor.parallel_insert_slice` of `source` as a slice of the shared output `dest`. */
export const parallelInsertSliceState = (
  source: Value,
  dest: Value,
  slice: MixedSlice,
): OperationState<Rewriter> => {
  const { operands, attributes } = sliceArguments(slice);
  return parallelInsertSlice.state({ operands: { source, dest, ...operands }, attributes });
};
