/** What the models of the tensor dialect share. */
import type { MixedSlice } from '@sconv/dialects';
import { createSubview, mixedSlice, sameSlice } from '@sconv/dialects';
import { subview } from '@sconv/dialects/memref';
import type { DraftOperation, MemRefType, Rewriter, TensorType, Value } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import type { ModelContext, Operand } from '../op-model.ts';
import { tensorTypeOf } from '../rewriting/buffer-types.ts';
import type { Bufferizer } from '../rewriting/bufferizer.ts';

/** The type of a ranked tensor; throws for others. */
export const rankedTensor = (value: Value): TensorType => {
  const type = tensorTypeOf(value);
  if (type.kind !== 'tensor') throw new Error('expected a tensor of known rank');
  return type;
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
  b.createCopy(b.buffer(own), createSubview(b.rewriter, destination, slice, shape));
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
