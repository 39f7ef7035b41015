/** Structured ops: outputs are written in place; results disappear. */
import type { AffineMap } from '@sconv/affine';
import { isIdentity, isProjectedPermutation } from '@sconv/affine';
import type { StructuredView } from '@sconv/dialects/linalg';
import { DYNAMIC } from '@sconv/ir';
import type { OpModel, Use } from './op-model.ts';

/**
 * Whether every element of an output is written: its map is surjective, and no loop can have a trip count of zero
 * unless the output is then empty too.
 *
 * @deviation Upstream treats an output that the body does not use as written, even if a reduction has no points.
 */
export const isWrittenAsWhole = (map: AffineMap, loopRanges: readonly number[]): boolean =>
  isProjectedPermutation(map) &&
  loopRanges.every((size, dimension) => (size !== 0 && size !== DYNAMIC) || usesDim(map, dimension));

const usesDim = ({ results }: AffineMap, dimension: number): boolean =>
  results.some((result) => result.kind === 'dim' && result.position === dimension);

/** The model of structured ops with this view. */
export const structuredModel = (view: StructuredView): OpModel => {
  const outputNumber = ({ operation, index }: Use): number => index - view(operation).inputs.length;

  /** Whether the body uses an operand's elements; an output that may keep some of its elements counts as read too. */
  const reads: OpModel['reads'] = (use, { rewriter }) => {
    const { body, indexingMaps, loopRanges } = view(use.operation);
    const isOutput = outputNumber(use) >= 0;
    if (isOutput && !isWrittenAsWhole(indexingMaps[use.index]!, loopRanges)) return true;
    const argument = body?.arguments[use.index];
    if (argument !== undefined) return rewriter.hasUses(argument);
    return !isOutput || body === undefined;
  };

  return {
    holdsTensors: true,
    unsupported: (operation) =>
      operation.operands.some((operand) => operand.type.kind === 'memref')
        ? 'works on tensors and buffers at once'
        : undefined,
    reads,
    writes: (use) => outputNumber(use) >= 0,
    aliases: (use) => {
      const result = use.operation.results[outputNumber(use)];
      return result === undefined ? [] : [{ value: result, relation: 'same' }];
    },
    isElementwise: (operation, uses) => {
      const { iteratorTypes, indexingMaps } = view(operation);
      return (
        iteratorTypes.every((type) => type === 'parallel') &&
        uses.every(({ index }) => isIdentity(indexingMaps[index]!))
      );
    },
    bufferize: (operation, context) => {
      const { rewriter } = context;
      context.bufferizeRegions(operation);
      rewriter.setInsertionPointBefore(operation);
      const { inputs } = view(operation);
      const operands = operation.operands.map((operand, i) =>
        i < inputs.length ? operand : context.bufferFor(operation, i),
      );
      const onBuffers = rewriter.create({
        name: operation.name,
        operands,
        resultTypes: [],
        attributes: operation.attributes,
        bodies: operation.regions.map(() => undefined),
        successors: [],
        location: operation.location,
      });
      operation.regions.forEach((region, i) => {
        rewriter.moveRegion(region, onBuffers.regions[i]!);
      });
      rewriter.replaceOperation(operation, operands.slice(inputs.length), [onBuffers]);
    },
  };
};
