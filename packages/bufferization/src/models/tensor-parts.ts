/** What the models of the tensor dialect share. */
import type { MixedSlice } from '@sconv/dialects';
import { mixedSlice, sliceArguments } from '@sconv/dialects';
import { inferSubviewType, stridedLayoutOf, subview } from '@sconv/dialects/memref';
import type { DraftOperation, MemRefType, Rewriter, TensorType, Value } from '@sconv/ir';
import { DYNAMIC, memrefType, stridedLayoutAttribute } from '@sconv/ir';
import type { ModelContext, Operand } from '../op-model.ts';
import { rankedTypeOf, tensorTypeOf } from '../rewriting/buffer-types.ts';
import type { Bufferizer } from '../rewriting/bufferizer.ts';
import { sameSlice } from '../same-index.ts';

/** The type of a ranked tensor; throws for others. */
export const rankedTensor = (value: Value): TensorType => {
  const type = tensorTypeOf(value);
  if (type.kind !== 'tensor') throw new Error('expected a tensor of known rank');
  return type;
};

/** `type` without the unit dimensions that `shape` lacks; keeps the leftmost that fit, as upstream. */
const rankReduced = (type: MemRefType, shape: readonly number[]): MemRefType => {
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

/** The type of a subview of a buffer with the shape of the slice, possibly rank-reduced. */
export const subviewType = (source: MemRefType, slice: MixedSlice, shape: readonly number[]): MemRefType =>
  rankReduced(inferSubviewType(source, slice), shape);

export const createSubview = (
  rewriter: Rewriter,
  source: Value,
  slice: MixedSlice,
  type: MemRefType,
): Value => {
  const { operands, attributes } = sliceArguments(slice);
  return rewriter.createValue(
    subview.state({ operands: { source, ...operands }, attributes, resultTypes: [type] }),
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

/**
 * Copies the source of an insertion into its slice of the destination. A source that is this slice already needs no
 * copy; upstream leaves it to folds.
 */
export const putInto = (operation: DraftOperation, destination: Value, b: Bufferizer): void => {
  const slice = mixedSlice(operation);
  const own = operation.operands[0]!;
  if (!b.isBridging && isSubviewOf(b.rewriter, own, destination, slice)) return;
  const { shape } = own.type as TensorType | MemRefType;
  const type = subviewType(rankedTypeOf(destination), slice, shape);
  const view = createSubview(b.rewriter, destination, slice, type);
  b.createCopy(b.buffer(own), view);
};

/** Whether an insertion overwrites its whole destination: as many elements, at any offset and in any order. */
const coversDestination = (operation: DraftOperation): boolean => {
  const { shape } = rankedTensor(operation.operands[1]!);
  return mixedSlice(operation).sizes.every((size, i) => size === shape[i]);
};

/** The source is read, as is the destination unless it is fully overwritten. */
export const insertionReads = ({ operation, index }: Operand): boolean =>
  index === 0 || !coversDestination(operation);

/** Upstream also wants to see that the offsets are 0 and the strides 1. */
export const insertionReadsUpstream = (operand: Operand, _: ModelContext): boolean => {
  if (insertionReads(operand)) return true;
  const { offsets, sizes, strides } = mixedSlice(operand.operation);
  return !(
    offsets.every((offset) => offset === 0) &&
    sizes.every((size) => size !== DYNAMIC) &&
    strides.every((stride) => stride === 1)
  );
};
