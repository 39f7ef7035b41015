/**
 * Destination-passing-style ops: upstream's `DestinationStyleOpInterface`. Outputs are written in place; results
 * disappear.
 */
import type { AffineMap } from '@sconv/affine';
import { isIdentity, isProjectedPermutation } from '@sconv/affine';
import type { StructuredView } from '@sconv/dialects/linalg';
import type { DraftOperation, Value } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import type { Alias, OpModel, Operand } from '../op-model.ts';
import type { Bufferizer } from '../rewriting/bufferizer.ts';

/**
 * Whether every element of an output is written: its map is surjective, and no loop can have a trip count of zero
 * unless the output is then empty too.
 *
 * @deviation Upstream treats an output that the body does not use as written, even if a reduction has no points.
 */
const isWrittenAsWhole = (map: AffineMap, loopRanges: readonly number[]): boolean =>
  isProjectedPermutation(map) &&
  loopRanges.every((size, dimension) => (size !== 0 && size !== DYNAMIC) || usesDim(map, dimension));

const usesDim = ({ results }: AffineMap, dimension: number): boolean =>
  results.some((result) => result.kind === 'dim' && result.position === dimension);

/** For operations whose second operand is the destination. */
export const destinationStyle = {
  reads: () => true,
  writes: ({ index }: Operand) => index === 1,
  aliases: ({ operation, index }: Operand): readonly Alias[] =>
    index === 1 ? operation.results.map((value) => ({ value, relation: 'same' })) : [],
} as const;

/** Bufferizes an operation whose last operands are the destinations of its results. */
const bufferizeOnto = (operation: DraftOperation, b: Bufferizer): void => {
  const operands = operation.operands.map((value) => b.buffer(value));
  const created = b.createWithRegions(operation, operands, []);
  b.replace(operation, operands.slice(operands.length - operation.results.length), [created]);
};

const tied = ({ operation, index }: Operand): Value | undefined =>
  operation.results[index - (operation.operands.length - operation.results.length)];

/** A generic model for ops whose last operands are destinations. */
const onto = {
  reads: () => true,
  writes: (operand: Operand) => tied(operand) !== undefined,
  aliases: (operand: Operand): readonly Alias[] => {
    const value = tied(operand);
    return value === undefined ? [] : [{ value, relation: 'same' }];
  },
  unsupported: (operation: DraftOperation) =>
    operation.operands.some((operand) => operand.type.kind === 'memref')
      ? 'has both tensors and buffers as operands'
      : undefined,
  bufferize: bufferizeOnto,
} as const;

/**
 * The bufferization model of a structured op, from its view: `attach(bufferizable, 'my.op', structuredModel(view))`.
 */
export const structuredModel = (view: StructuredView): OpModel => ({
  ...onto,
  holdsTensors: true,
  /** Whether the body uses an operand's elements; an output that may keep some of its elements counts as read too. */
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
export const softmaxModel: OpModel = { ...onto, reads: ({ index }) => index === 0 };
