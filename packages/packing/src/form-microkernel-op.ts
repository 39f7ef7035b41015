/**
 * The microkernel (ST §5.4): with both operands packed, N_c, F_h and F_w are contiguous in both and become one reduction
 * dimension K, so that a tile is `out[n, f, w] += in[n, k, w] * filters[k, f]` (ST Listing 8, line 43).
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { createGenericLike, inferCollapsedType } from '@sconv/dialects';
import { genericView, isMultiplyAdd, panelledMaps, panelWidthOf } from '@sconv/dialects/linalg';
import { collapseShape } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { bodyOf, unitAttribute } from '@sconv/ir';
import { isTile, outputMap, packedFiltersMap, packedWindowsMap } from './tile-maps.ts';

/** The attribute that marks a microkernel for the lowerings. */
export const microkernelAttribute = 'microkernel';

/** Collapses the reduction dimensions of a tile with packed operands and marks it as a microkernel. */
export const formMicrokernelOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
): Diagnosed<DraftOperation> => {
  if (!isTile(operation, [packedWindowsMap, packedFiltersMap, outputMap])) {
    return silenceableError(
      'form-microkernel/not-packed',
      'expected a tile with packed windows and filters',
      operation,
    );
  }
  if (!isMultiplyAdd(bodyOf(operation))) {
    return silenceableError(
      'form-microkernel/body',
      'the body is not out + windows * filters, which is all that a microkernel computes',
      operation,
    );
  }
  const { inputs, outputs, indexingMaps } = genericView(operation);
  const panels = { windows: panelWidthOf(indexingMaps[0]), filters: panelWidthOf(indexingMaps[1]) };
  const windows = collapse(
    rewriter,
    operation,
    inputs[0]!,
    panels.windows === undefined ? [[0], [1, 2, 3], [4]] : [[0], [1], [2, 3, 4], [5]],
  );
  const filters = collapse(
    rewriter,
    operation,
    inputs[1]!,
    panels.filters === undefined ? [[0, 1, 2], [3]] : [[0], [1, 2, 3], [4]],
  );
  rewriter.setInsertionPointBefore(operation);
  const microkernel = createGenericLike(rewriter, operation, {
    inputs: [windows, filters],
    outputs,
    indexingMaps: panelledMaps(panels),
    iteratorTypes: ['parallel', 'parallel', 'parallel', 'reduction'],
  });
  rewriter.setAttribute(microkernel, microkernelAttribute, unitAttribute);
  rewriter.moveRegion(operation.regions[0]!, microkernel.regions[0]!);
  rewriter.replaceOperation(operation, microkernel.results, [microkernel]);
  return success(microkernel);
};

/**
 * `tensor.collapse_shape` of an operand; where its packing is an op, right after that, so that it stands outside of the same
 * loops.
 */
const collapse = (
  rewriter: Rewriter,
  operation: DraftOperation,
  value: Value,
  reassociation: readonly (readonly number[])[],
): Value => {
  const definition = rewriter.definingOperation(value);
  if (definition === undefined) rewriter.setInsertionPointBefore(operation);
  else rewriter.setInsertionPointAfter(definition);
  return rewriter.createValue(
    collapseShape.state({
      operands: { src: value },
      attributes: { reassociation },
      resultTypes: [inferCollapsedType(value.type as TensorType, reassociation)],
      location: (definition ?? operation).location,
    }),
  );
};
