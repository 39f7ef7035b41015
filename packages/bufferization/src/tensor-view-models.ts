/** Slices and reshapes of tensors: views of the same memory. */
import type { MixedSlice } from '@sconv/dialects';
import { mixedSlice, sliceArguments } from '@sconv/dialects';
import {
  collapseShape,
  expandShape,
  inferCollapsedType,
  isGuaranteedCollapsible,
  inferExpandedType,
  inferSubviewType,
  stridedLayoutOf,
  subview,
} from '@sconv/dialects/memref';
import {
  collapseShape as collapseTensor,
  expandShape as expandTensor,
  extractSlice,
  insertSlice,
  parallelInsertSlice,
} from '@sconv/dialects/tensor';
import type { DraftOperation, MemRefType, Rewriter, TensorType, Value } from '@sconv/ir';
import { memrefType, stridedLayoutAttribute } from '@sconv/ir';
import type { BufferizationContext } from './bufferization-context.ts';
import { allocateCopy, bufferType, createCast, createCopy } from './buffers.ts';
import type { OpModel } from './op-model.ts';
import { viewOf } from './op-model.ts';
import { sameSlice } from './same-index.ts';

/** `type` without the unit dimensions that `shape` lacks; keeps the leftmost that fit, as upstream. */
export const rankReduced = (type: MemRefType, shape: readonly number[]): MemRefType => {
  const layout = stridedLayoutOf(type);
  if (layout === undefined) throw new Error('a subview is strided');
  const kept: number[] = [];
  type.shape.forEach((size, i) => {
    if (kept.length < shape.length && size === shape[kept.length]) kept.push(i);
  });
  return memrefType(
    shape,
    type.elementType,
    stridedLayoutAttribute(
      layout.offset,
      kept.map((i) => layout.strides[i]!),
    ),
    type.memorySpace,
  );
};

/** A subview of a buffer with the shape of the slice, possibly rank-reduced. */
const createSubview = (
  rewriter: Rewriter,
  source: Value,
  slice: MixedSlice,
  shape: readonly number[],
): Value => {
  const { operands, attributes } = sliceArguments(slice);
  return rewriter.createValue(
    subview.state({
      operands: { source, ...operands },
      attributes,
      resultTypes: [rankReduced(inferSubviewType(bufferType(source), slice), shape)],
    }),
  );
};

/** Whether `buffer` is defined as the subview of this slice of `whole`. */
const isSubviewOf = (rewriter: Rewriter, buffer: Value, whole: Value, slice: MixedSlice): boolean => {
  const definition = rewriter.definingOperation(buffer);
  return (
    definition !== undefined &&
    subview.is(definition) &&
    definition.operands[0]!.id === whole.id &&
    sameSlice(rewriter, mixedSlice(definition), slice)
  );
};

/** Copies a buffer into a slice of another, unless it already is that slice. */
const putInto = (rewriter: Rewriter, source: Value, destination: Value, slice: MixedSlice): void => {
  if (isSubviewOf(rewriter, source, destination, slice)) return;
  createCopy(rewriter, source, createSubview(rewriter, destination, slice, bufferType(source).shape));
};

/** Replaces an op that creates a view; if its operand is out of place, copies the view, which is smaller. */
const replaceByView = (operation: DraftOperation, context: BufferizationContext, view: Value): void => {
  context.rewriter.replaceOperation(operation, [context.placed(operation, 0, view)]);
};

/** Whether an insertion overwrites its whole destination: as many elements, at any offset and in any order. */
const coversDestination = (operation: DraftOperation): boolean => {
  const { shape } = operation.operands[1]!.type as TensorType;
  return mixedSlice(operation).sizes.every((size, i) => size === shape[i]);
};

/** The source of the inverse reshape, if `buffer` was reshaped with these groups from this type. */
const unreshaped = (
  rewriter: Rewriter,
  buffer: Value,
  by: typeof collapseShape | typeof expandShape,
  reassociation: readonly (readonly number[])[],
  shape: readonly number[],
): Value | undefined => {
  const definition = rewriter.definingOperation(buffer);
  if (definition === undefined || !by.is(definition)) return undefined;
  const source = definition.operands[0]!;
  const sameGroups =
    JSON.stringify(by.attributes(definition).reassociation) === JSON.stringify(reassociation);
  const sameShape = JSON.stringify(bufferType(source).shape) === JSON.stringify(shape);
  return sameGroups && sameShape ? source : undefined;
};

const collapseBuffer = (operation: DraftOperation, context: BufferizationContext): Value => {
  const { rewriter } = context;
  const { reassociation } = collapseTensor.attributes(operation);
  const { shape } = operation.results[0]!.type as TensorType;
  const source = operation.operands[0]!;
  const before = unreshaped(rewriter, source, expandShape, reassociation, shape);
  if (before !== undefined) return before;
  const collapse = (src: Value, type: MemRefType): Value =>
    rewriter.createValue(
      collapseShape.state({ operands: { src }, attributes: { reassociation }, resultTypes: [type] }),
    );
  const type = inferCollapsedType(bufferType(source), reassociation);
  if (type !== undefined && isGuaranteedCollapsible(bufferType(source), reassociation)) {
    return collapse(source, type);
  }
  // A slice with non-contiguous rows: its elements must be copied together.
  const contiguous = allocateCopy(rewriter, source, context.alignment);
  return collapse(contiguous, inferCollapsedType(bufferType(contiguous), reassociation)!);
};

const expandBuffer = (operation: DraftOperation, { rewriter }: BufferizationContext): Value => {
  const { reassociation, staticOutputShape } = expandTensor.attributes(operation);
  const { src, outputShape } = expandTensor.operands(operation);
  const { shape } = operation.results[0]!.type as TensorType;
  const before = unreshaped(rewriter, src, collapseShape, reassociation, shape);
  if (before !== undefined) return before;
  const type = inferExpandedType(bufferType(src), shape, reassociation);
  if (type === undefined) throw new Error('a buffer of a tensor is strided');
  return rewriter.createValue(
    expandShape.state({
      operands: { src, outputShape },
      attributes: { reassociation, staticOutputShape },
      resultTypes: [type],
    }),
  );
};

export const tensorViewModels: Readonly<Record<string, OpModel>> = {
  'tensor.extract_slice': {
    ...viewOf('overlaps'),
    bufferize: (operation, context) => {
      const { shape } = operation.results[0]!.type as TensorType;
      const { source } = extractSlice.operands(operation);
      replaceByView(
        operation,
        context,
        createSubview(context.rewriter, source, mixedSlice(operation), shape),
      );
    },
  },

  'tensor.insert_slice': {
    reads: ({ operation, index }) => index === 0 || !coversDestination(operation),
    writes: ({ index }) => index === 1,
    aliases: ({ operation, index }) =>
      index === 1 ? [{ value: operation.results[0]!, relation: 'same' }] : [],
    bufferize: (operation, context) => {
      const { rewriter } = context;
      const { source } = insertSlice.operands(operation);
      const destination = context.bufferFor(operation, 1);
      putInto(rewriter, source, destination, mixedSlice(operation));
      rewriter.replaceOperation(operation, [destination]);
    },
  },

  // Each iteration writes its slice into the shared buffer, at its end.
  'tensor.parallel_insert_slice': {
    reads: ({ index }) => index === 0,
    writes: ({ index }) => index === 1,
    aliases: () => [],
    isAlwaysInPlace: true,
    bufferize: (operation, { rewriter }) => {
      const { source, dest } = parallelInsertSlice.operands(operation);
      rewriter.setInsertionPointBefore(operation.parent!);
      putInto(rewriter, source, dest, mixedSlice(operation));
      rewriter.eraseOperation(operation);
    },
  },

  'tensor.collapse_shape': {
    ...viewOf('same'),
    bufferize: (operation, context) => {
      replaceByView(operation, context, collapseBuffer(operation, context));
    },
  },

  'tensor.expand_shape': {
    ...viewOf('same'),
    bufferize: (operation, context) => {
      replaceByView(operation, context, expandBuffer(operation, context));
    },
  },

  'tensor.cast': {
    ...viewOf('same'),
    bufferize: (operation, context) => {
      const source = operation.operands[0]!;
      const { shape } = operation.results[0]!.type as TensorType;
      const from = bufferType(source);
      const to = memrefType(shape, from.elementType, from.layout, from.memorySpace);
      replaceByView(operation, context, createCast(context.rewriter, source, to));
    },
  },
};
