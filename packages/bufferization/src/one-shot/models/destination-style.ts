/** Destination-passing-style ops: upstream's `DestinationStyleOpInterface`. */
import { isIdentity } from '@sconv/affine';
import type { StructuredView } from '@sconv/dialects/linalg';
import type { DraftOperation } from '@sconv/ir';
import { isWrittenAsWhole } from '../../structured-model.ts';
import type { Bufferizer } from '../bufferizer.ts';
import type { OneShotModel, Operand } from '../model.ts';
import { equivalent } from '../model.ts';

/** For operations whose second operand is the destination. */
export const destinationStyle = {
  reads: () => true,
  writes: ({ index }: Operand) => index === 1,
  aliasingValues: ({ operation, index }: Operand) => (index === 1 ? [equivalent(operation.results[0]!)] : []),
} as const;

/** Bufferizes an operation whose last operands are the destinations of its results. */
const bufferizeOnto = (operation: DraftOperation, b: Bufferizer): void => {
  const operands = operation.operands.map((value) => b.bufferOr(value));
  b.rewriter.setInsertionPointBefore(operation);
  const created = b.createWithRegions(operation, operands, []);
  b.replace(operation, operands.slice(operands.length - operation.results.length), [created]);
};

const tied = ({ operation, index }: Operand) =>
  operation.results[index - (operation.operands.length - operation.results.length)];

/** A generic model for ops whose last operands are destinations. */
const onto = {
  reads: () => true,
  writes: (operand: Operand) => tied(operand) !== undefined,
  aliasingValues: (operand: Operand) => {
    const result = tied(operand);
    return result === undefined ? [] : [equivalent(result)];
  },
  bufferize: bufferizeOnto,
} as const;

/** The model of structured ops with this view. */
export const structuredOneShotModel = (view: StructuredView): OneShotModel => ({
  ...onto,
  reads: (operand, { rewriter }) => {
    const { body, indexingMaps, loopRanges } = view(operand.operation);
    const isOutput = tied(operand) !== undefined;
    if (isOutput && !isWrittenAsWhole(indexingMaps[operand.index]!, loopRanges)) return true;
    const argument = body?.arguments[operand.index];
    if (argument !== undefined) return rewriter.hasUses(argument);
    return !isOutput || body === undefined;
  },
  isElementwise: (operation, operands) => {
    const { iteratorTypes, indexingMaps } = view(operation);
    return (
      iteratorTypes.every((type) => type === 'parallel') &&
      operands.every(({ index }) => isIdentity(indexingMaps[index]!))
    );
  },
});

/** `linalg.softmax`: the contents of its destination do not matter. */
export const softmaxModel: OneShotModel = { ...onto, reads: ({ index }) => index === 0 };
