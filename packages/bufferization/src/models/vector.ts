/** Transfers between vectors and tensors, also under masks. */
import { isMasked, mask as maskOp, transferWrite } from '@sconv/dialects/vector';
import type { DraftOperation, TensorType } from '@sconv/ir';
import { constantValueOf, integerOf, isStaticShape } from '@sconv/ir';
import type { ModelContext, OpModel, Operand } from '../op-model.ts';
import { isTensor, readsOnly } from '../op-model.ts';
import { destinationStyle } from './destination-style.ts';
import { bodyEnd, positionOf } from './scf-parts.ts';

/** Whether a write leaves part of the tensor unchanged. */
const keepsContent = ({ operation }: Operand, { rewriter }: ModelContext): boolean => {
  const { vector, source, indices, mask } = transferWrite.operands(operation);
  const [from, to] = [vector.type, source.type as TensorType];
  const isZero = (index: (typeof indices)[number]): boolean => {
    const definition = rewriter.definingOperation(index);
    return definition !== undefined && integerOf(constantValueOf(rewriter.registry, definition)) === 0;
  };
  return (
    !isStaticShape(to) ||
    mask !== undefined ||
    isMasked(operation) ||
    !indices.every(isZero) ||
    from.shape.length !== to.shape.length ||
    to.shape.some((size, i) => size > from.shape[i]!)
  );
};

/** A read of a tensor into a vector works on a buffer unchanged. */
const reading: OpModel = {
  ...readsOnly,
  bufferize: (operation, b) => {
    b.rewriter.setOperands(
      operation,
      operation.operands.map((value) => b.buffer(value)),
    );
  },
};

/** Whether the op under a mask writes to its destination, which is from outside of the mask. */
const isWriteMasked = ({ regions }: DraftOperation): boolean => {
  const [masked] = regions[0]?.blocks[0]?.operations ?? [];
  return masked !== undefined && transferWrite.is(masked);
};

/** What is under a mask writes to a buffer, which the mask then need not give. */
const maskModel: OpModel = {
  holdsTensors: true,
  runsOneRegion: true,
  unsupported: (operation) =>
    isWriteMasked(operation) ? undefined : 'gives a tensor without a masked write to it',
  bufferType: (value, operation, types) =>
    types.ofBuffer(bodyEnd(operation).operands[positionOf(operation.results, value)]!),
  bufferize: (operation, b) => {
    // Upstream leaves other ops to patterns that lower them.
    if (!isWriteMasked(operation)) return;
    b.bufferizeRegions(operation);
    const end = bodyEnd(operation);
    const kept = operation.results.map((result) => !isTensor(result));
    const buffers = end.operands.map((value, i) => (kept[i] === true ? undefined : b.buffer(value)));
    b.rewriter.setOperands(
      end,
      end.operands.filter((_, i) => kept[i]),
    );
    const types = operation.results.flatMap(({ type }, i) => (kept[i] === true ? [type] : []));
    const created = b.createWithRegions(operation, operation.operands, types);
    const results = created.results.values();
    b.replace(
      operation,
      buffers.map((buffer) => buffer ?? results.next().value!),
      [created],
    );
  },
};

/** The end of a mask's region; the mask decides what is handed on. */
const yieldModel: OpModel = {
  reads: () => true,
  isAlwaysInPlace: true,
  unsupported: ({ parent }) =>
    parent !== undefined && maskOp.is(parent) ? undefined : 'gives a tensor to what is no mask',
  aliases: ({ operation: { parent }, index }) =>
    parent === undefined || !maskOp.is(parent) ? [] : [{ value: parent.results[index]!, relation: 'same' }],
  bufferize: () => undefined,
};

export const vectorModels: Readonly<Record<string, OpModel>> = {
  'vector.transfer_read': reading,
  'vector.gather': reading,
  'vector.mask': maskModel,
  'vector.yield': yieldModel,
  'vector.transfer_write': {
    ...destinationStyle,
    reads: keepsContent,
    bufferize: (operation, b) => {
      const operands = operation.operands.map((value) => b.buffer(value));
      b.rewriter.setInsertionPointBefore(operation);
      const created = b.createLike(operation, { operands });
      b.replace(operation, [operands[1]!], [created]);
    },
  },
};
