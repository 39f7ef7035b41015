/** Transfers between vectors and tensors. */
import { transferWrite } from '@sconv/dialects/vector';
import type { DraftOperation, TensorType } from '@sconv/ir';
import { constantValueOf, integerOf, isStaticShape } from '@sconv/ir';
import type { AnalysisState } from '../analysis-state.ts';
import type { Bufferizer } from '../bufferizer.ts';
import type { OneShotModel, Operand } from '../model.ts';
import { readsOperands } from '../model.ts';
import { destinationStyle } from './destination-style.ts';

/** Whether a write leaves part of the tensor unchanged. */
const keepsContent = ({ operation }: Operand, { rewriter }: AnalysisState): boolean => {
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

const bufferizeRead = (operation: DraftOperation, b: Bufferizer): void => {
  const operands = operation.operands.map((value) => b.bufferOr(value));
  b.rewriter.setInsertionPointBefore(operation);
  const created = b.createLike(operation, {
    operands,
    resultTypes: operation.results.map(({ type }) => type),
  });
  b.replace(operation, created.results, [created]);
};

const reading: OneShotModel = { ...readsOperands, bufferize: bufferizeRead };

export const vectorModels: Readonly<Record<string, OneShotModel>> = {
  'vector.transfer_read': reading,
  'vector.gather': reading,
  'vector.transfer_write': {
    ...destinationStyle,
    reads: keepsContent,
    bufferize: (operation, b) => {
      const operands = operation.operands.map((value) => b.bufferOr(value));
      b.rewriter.setInsertionPointBefore(operation);
      const created = b.createLike(operation, { operands });
      b.replace(operation, [operands[1]!], [created]);
    },
  },
};
