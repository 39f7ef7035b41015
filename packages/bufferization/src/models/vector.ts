/** Transfers between vectors and tensors. */
import { transferWrite } from '@sconv/dialects/vector';
import type { TensorType } from '@sconv/ir';
import { constantValueOf, integerOf, isStaticShape } from '@sconv/ir';
import type { ModelContext, OpModel, Operand } from '../op-model.ts';
import { readsOnly } from '../op-model.ts';
import { destinationStyle } from './destination-style.ts';

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

export const vectorModels: Readonly<Record<string, OpModel>> = {
  'vector.transfer_read': reading,
  'vector.gather': reading,
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
