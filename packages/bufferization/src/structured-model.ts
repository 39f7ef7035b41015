/** Structured operations: outputs are written in place, results are gone. */
import type { AffineMap } from '@sconv/affine';
import { isIdentity, isProjectedPermutation } from '@sconv/affine';
import type { StructuredView } from '@sconv/dialects/linalg';
import { DYNAMIC } from '@sconv/ir';
import type { OpModel, Use } from './op-model.ts';

/**
 * Whether every element of an output is written: its map leaves none out, and no loop may run not at all that would not
 * make the output empty too.
 *
 * @deviation Upstream takes an output that the body does not use for written, even if a reduction has no points.
 */
export const isWrittenAsWhole = (map: AffineMap, loopRanges: readonly number[]): boolean =>
  isProjectedPermutation(map) &&
  loopRanges.every((size, dimension) => (size !== 0 && size !== DYNAMIC) || usesDim(map, dimension));

const usesDim = ({ results }: AffineMap, dimension: number): boolean =>
  results.some((result) => result.kind === 'dim' && result.position === dimension);

/** How structured operations of this view work on buffers. */
export const structuredModel = (view: StructuredView): OpModel => {
  const outputNumber = ({ operation, index }: Use): number => index - view(operation).inputs.length;

  /** Whether the body uses the elements of an operand; an output of which elements may keep their value is read too. */
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
