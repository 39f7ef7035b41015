/**
 * The microkernel (ST §5.4): with both operands packed, N_c, F_h and F_w are contiguous in both and become one
 * reduction dimension K, so that a tile is `out[n, f, w] += in[n, k, w] * filters[k, f]` (ST Listing 8, line 43).
 *
 *     linalg.generic                               %in = tensor.collapse_shape %windows [[0], [1, 2, 3], [4]]
 *       ins(%windows : tensor<1x2x3x3x8xf32>,      %by = tensor.collapse_shape %filters [[0, 1, 2], [3]]
 *           %filters : tensor<2x3x3x2xf32>)   →    linalg.generic
 *       outs(%out) { … }                             ins(%in : tensor<1x18x8xf32>, %by : tensor<18x2xf32>)
 *                                                    outs(%out) attrs = {microkernel} { … }
 */
import type { AffineMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { createGenericLike, inferCollapsedType } from '@sconv/dialects';
import { addi, extsi, muli } from '@sconv/dialects/arith';
import {
  genericView,
  isMultiplyAdd,
  pairedMicrokernelMaps,
  panelledMaps,
  panelWidthOf,
  yieldOp,
} from '@sconv/dialects/linalg';
import { collapseShape, expandShape } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { bodyOf, builder, tensorType, unitAttribute } from '@sconv/ir';
import { packPairs, pairedOperands, replacePacking } from './pair-steps.ts';
import type { TileLayout } from './tile-maps.ts';
import { tileLayout } from './tile-maps.ts';

/** The attribute that marks a microkernel for lowerings. */
export const microkernelAttribute = 'microkernel';

/** How a microkernel is formed. */
export interface MicrokernelOptions {
  /** Whether to compute in pairs of i16 steps if possible; false by default. */
  readonly pairs?: boolean | undefined;
}

/**
 * Collapses the reduction dimensions of a tile with packed operands and marks it as a microkernel. With `pairs`, i32
 * sums of operands that fit in 16 bits are computed two channels per step, where possible.
 */
export const formMicrokernelOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { pairs = false }: MicrokernelOptions = {},
): Diagnosed<DraftOperation> => {
  const layout = tileLayout(operation, ({ packedWindowsMap, packedFiltersMap, outputMap }) => [
    packedWindowsMap,
    packedFiltersMap,
    outputMap,
  ]);
  if (layout === undefined) {
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
  const paired = pairs ? pairedOperands(rewriter, operation, layout) : undefined;
  if (paired !== undefined) return success(ofPairs(rewriter, operation, paired, layout.lanes));
  return success(
    layout.lanes === 'windows' ? ofWindows(rewriter, operation) : ofFilters(rewriter, operation),
  );
};

/** The microkernel of a tile with two channels per step; its packings store pairs. */
const ofPairs = (
  rewriter: Rewriter,
  operation: DraftOperation,
  paired: NonNullable<ReturnType<typeof pairedOperands>>,
  lanes: TileLayout['lanes'],
): DraftOperation => {
  const packings = paired.map((operand) => packPairs(rewriter, operand));
  const [windows, filters] = packings.map(({ results }) => results[0]!);
  const isOfWindows = lanes === 'windows';
  const left = collapse(
    rewriter,
    operation,
    windows!,
    isOfWindows ? [[0], [1, 2, 3], [4], [5]] : [[0, 1, 2, 3], [4], [5]],
  );
  const right = collapse(rewriter, operation, filters!, [[0, 1, 2], [3], [4]]);
  const inputs = isOfWindows ? [left, right] : [withImage(rewriter, right), left];
  rewriter.setInsertionPointBefore(operation);
  const { outputs } = genericView(operation);
  const microkernel = createGenericLike(rewriter, operation, {
    inputs,
    outputs,
    indexingMaps: pairedMicrokernelMaps,
    iteratorTypes: ['parallel', 'parallel', 'parallel', 'reduction', 'reduction'],
  });
  const elements = [...inputs, ...outputs].map(({ type }) => (type as TensorType).elementType);
  const block = rewriter.createBlock(microkernel.regions[0]!, elements);
  rewriter.setInsertionPointToEnd(block);
  const b = builder(rewriter);
  const [lhs, rhs] = block.arguments
    .slice(0, 2)
    .map((argument): Value => b(extsi, { in: argument }, { resultTypes: [elements[2]!] }));
  const product: Value = b(muli, { lhs: lhs!, rhs: rhs! });
  const sum: Value = b(addi, { lhs: block.arguments[2]!, rhs: product });
  b(yieldOp, { values: [sum] });
  rewriter.setAttribute(microkernel, microkernelAttribute, unitAttribute);
  rewriter.replaceOperation(operation, microkernel.results, [microkernel]);
  paired.forEach((operand, i) => {
    replacePacking(rewriter, operand, packings[i]!);
  });
  return microkernel;
};

/** The microkernel of a tile whose output has contiguous windows, possibly in panels. */
const ofWindows = (rewriter: Rewriter, operation: DraftOperation): DraftOperation => {
  const { inputs, indexingMaps } = genericView(operation);
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
  return createMicrokernel(rewriter, operation, [windows, filters], panelledMaps(panels));
};

/**
 * The microkernel of a tile whose output has contiguous filters: windows and filters swap roles, so that `out[n, w,
 * f] += filters[n, k, f] * in[k, w]`, for a single image.
 */
const ofFilters = (rewriter: Rewriter, operation: DraftOperation): DraftOperation => {
  const { inputs } = genericView(operation);
  const windows = collapse(rewriter, operation, inputs[0]!, [[0, 1, 2, 3], [4]]);
  const flat = collapse(rewriter, operation, inputs[1]!, [[0, 1, 2], [3]]);
  const filters = withImage(rewriter, flat);
  return createMicrokernel(rewriter, operation, [filters, windows], panelledMaps({}));
};

/** Adds a leading image dimension to the packed filters of a single image. */
const withImage = (rewriter: Rewriter, flat: Value<TensorType>): Value => {
  const definition = rewriter.definingOperation(flat)!;
  const { shape, elementType } = flat.type;
  rewriter.setInsertionPointAfter(definition);
  return rewriter.createValue(
    expandShape.state({
      operands: { src: flat, outputShape: [] },
      attributes: {
        reassociation: [[0, 1], ...shape.slice(1).map((_, i) => [i + 2])],
        staticOutputShape: [1, ...shape],
      },
      resultTypes: [tensorType([1, ...shape], elementType)],
      location: definition.location,
    }),
  );
};

const createMicrokernel = (
  rewriter: Rewriter,
  operation: DraftOperation,
  inputs: readonly Value[],
  indexingMaps: readonly AffineMap[],
): DraftOperation => {
  rewriter.setInsertionPointBefore(operation);
  const microkernel = createGenericLike(rewriter, operation, {
    inputs,
    outputs: genericView(operation).outputs,
    indexingMaps,
    iteratorTypes: ['parallel', 'parallel', 'parallel', 'reduction'],
  });
  rewriter.setAttribute(microkernel, microkernelAttribute, unitAttribute);
  // Multiplication commutes, so the body needs no change.
  rewriter.moveRegion(operation.regions[0]!, microkernel.regions[0]!);
  rewriter.replaceOperation(operation, microkernel.results, [microkernel]);
  return microkernel;
};

/**
 * `tensor.collapse_shape` of an operand, placed right after its packing if that is an op, so that it is hoisted with
 * it.
 */
const collapse = (
  rewriter: Rewriter,
  operation: DraftOperation,
  value: Value,
  reassociation: readonly (readonly number[])[],
): Value<TensorType> => {
  const definition = rewriter.definingOperation(value);
  if (definition === undefined) rewriter.setInsertionPointBefore(operation);
  else rewriter.setInsertionPointAfter(definition);
  const collapsed = rewriter.createValue(
    collapseShape.state({
      operands: { src: value },
      attributes: { reassociation },
      resultTypes: [inferCollapsedType(value.type as TensorType, reassociation)],
      location: (definition ?? operation).location,
    }),
  );
  return collapsed as Value<TensorType>;
};
