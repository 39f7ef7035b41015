/**
 * Input packing (ST §4.2): the windows of a tile, expanded, in the order N, N_c, F_h, F_w, N_win (Eq. 5).
 *
 *     linalg.generic ins(%filters) {                    %panel = linalg.generic outs(%empty : tensor<1x2x3x3x8xf32>) {
 *     ^bb0(%filter, %out):                                %in = tensor.extract %input[…]
 *       %in = tensor.extract %input[…]           →        linalg.yield %in
 *       … %in …                                         }
 *     }                                                 linalg.generic ins(%panel, %filters) {
 *                                                       ^bb0(%in, %filter, %out): … %in … }
 *
 * The tile gathers its input: iteration (iN, iF, iN_win, iN_c, iF_h, iF_w) reads the linearised input at the index
 * that linearization created and tiling offset. Packing is that gather with its dimensions in Eq. 5's order, so Eqs.
 * 6-12 follow by substitution; `tools/integration/test/packing-equations.test.ts` proves that the maps in the IR are
 * theirs.
 *
 * @deviation ST reads the tile's slice, at rows and columns relative to its start (Eqs. 9-12); here the packing reads
 * the unsliced input at absolute ones, iT_h = iO_hw / O_w and iT_w = iO_hw mod O_w. `@sconv/packing-equations` proves
 * both equal.
 */
import { isFunctionOfDim } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { behindSlices, conversionOf, createGenericLike, elementSource, eraseUnused } from '@sconv/dialects';
import { genericView } from '@sconv/dialects/linalg';
import { extract } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { bodyOf } from '@sconv/ir';
import { dimensions } from '@sconv/packing-equations';
import { outerValuesOf, packOperand } from './pack-operand.ts';
import type { PanelOptions } from './panel-options.ts';
import { panelsOf } from './panel-options.ts';
import { anyLayouts, tileLayout, windowsPanelAt } from './tile-maps.ts';

/** Why a tile with filter lanes has no panels. */
export const panelsOfFilters = 'panels are of microkernels whose lanes are windows, as those of NCHW are';

/** The packing, and the tile that reads the packed operand. */
export interface PackResult {
  readonly packing: DraftOperation;
  /** The op, reading the packed operand. */
  readonly operation: DraftOperation;
}

/**
 * Packs the gathered input of a tiled, linearised convolution, converting elements as the body does before it
 * multiplies. With panels the order is N, panel, N_c, F_h, F_w, lane.
 */
export const packWindowsOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  options: PanelOptions = {},
): Diagnosed<PackResult> => {
  const gathers = rewriter.walk(operation).filter((inner) => extract.is(inner));
  const [gather] = gathers;
  // In a nested region the gather may not execute; a packing always reads.
  const isOnly = gathers.length === 1 && gather?.parent === operation;
  const layout = tileLayout(operation, ({ outputMap }, filtersMap) => [filtersMap, outputMap], anyLayouts);
  if (layout === undefined || gather === undefined || !isOnly) {
    return silenceableError(
      'pack-windows/no-gather',
      'expected a tile of a linearised convolution of static sizes (tiled with `exact`) that reads its input ' +
        'through one tensor.extract in its body',
      operation,
    );
  }
  const { iteratorTypes: loops } = genericView(operation);
  const source = behindSlices(rewriter, loops.length, elementSource(rewriter, operation, gather));
  if (source.indices.some((expr) => isFunctionOfDim(expr, dimensions.filter))) {
    return silenceableError(
      'pack-windows/depends-on-filter',
      'the input is read at an index that depends on the filter',
      operation,
    );
  }
  const conversion = conversionOf(bodyOf(operation), gather.results[0]!);
  const used = [source.tensor, ...source.outer, ...outerValuesOf(conversion)];
  if (!used.every((value) => rewriter.isDefinedOutside(value, operation))) {
    return silenceableError(
      'pack-windows/dependent',
      'the input is read at an index that the body computes from more than linalg.index',
      operation,
    );
  }
  const { inputs, outputs, indexingMaps, iteratorTypes, loopRanges } = genericView(operation);
  const panels = panelsOf(options, loopRanges[dimensions.window]!, windowsPanelAt);
  if (panels === 'uneven') {
    return silenceableError(
      'pack-windows/panel',
      `panels of ${options.panel} do not divide the tile's ${loopRanges[dimensions.window]} windows`,
      operation,
    );
  }
  if (panels !== undefined && !layout.hasPanels) {
    return silenceableError('pack-windows/panel', panelsOfFilters, operation);
  }
  const packing = packOperand(rewriter, operation, source, layout.windowsOrder, { panels, conversion });
  rewriter.setInsertionPointBefore(operation);
  const packed = createGenericLike(rewriter, operation, {
    inputs: [packing.results[0]!, ...inputs],
    outputs,
    indexingMaps: [layout.packedWindowsMap(panels?.width), ...indexingMaps],
    iteratorTypes,
  });
  readThroughArgument(rewriter, operation, packed, conversion.result);
  rewriter.replaceOperation(operation, packed.results, [packed]);
  return success({ packing, operation: packed });
};

/** Moves the body of `from` to `to`, with a first block argument in place of `element`. */
const readThroughArgument = (
  rewriter: Rewriter,
  from: DraftOperation,
  to: DraftOperation,
  element: Value,
): void => {
  const old = bodyOf(from);
  const block = rewriter.createBlock(to.regions[0]!, [
    element.type,
    ...old.arguments.map((argument) => argument.type),
  ]);
  rewriter.setInsertionPointToEnd(block);
  rewriter.inlineBlock(old, block.arguments.slice(1));
  rewriter.replaceAllUsesWith(element, block.arguments[0]!);
  eraseUnused(rewriter, element);
};
