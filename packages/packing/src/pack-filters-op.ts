/**
 * Filter packing (ST §4.1): the filters of a tile, reordered from Eq. 1's N_f × N_c × F_h × F_w to N_c, F_h, F_w, N_f
 * (Eq. 2).
 *
 *     %tile = tensor.extract_slice %filters           %panel = linalg.generic outs(%empty : tensor<2x3x3x2xf32>) {
 *       [%f, 0, 0, 0] [2, 2, 3, 3]                      %filter = tensor.extract %filters[%f + iN_f, iN_c, iF_h, iF_w]
 *     linalg.generic ins(%windows, %tile) { … }   →     linalg.yield %filter
 *                                                     }
 *                                                     linalg.generic ins(%windows, %panel) { … }
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { conversionOf, eraseUnused, throughSlice } from '@sconv/dialects';
import type { ElementConversion, ElementSource } from '@sconv/dialects';
import { genericView } from '@sconv/dialects/linalg';
import type { DraftBlock, DraftOperation, Rewriter } from '@sconv/ir';
import { affineMapAttribute, arrayAttribute, bodyOf } from '@sconv/ir';
import { dimensions } from '@sconv/packing-equations';
import { packingSource, packOperand } from './pack-operand.ts';
import type { PackResult } from './pack-windows-op.ts';
import { panelsOfFilters } from './pack-windows-op.ts';
import type { PanelOptions } from './panel-options.ts';
import { panelsOf } from './panel-options.ts';
import { anyLayouts, filtersPanelAt, tileLayout } from './tile-maps.ts';

/** How filters are packed. */
export interface FilterPacking extends PanelOptions {
  /** How many filters the packed tile has room for, so that vectors along them are whole; default: no more. */
  readonly padded?: number | undefined;
}

/**
 * Packs the filters of a tile, converting them as the body does. With panels the order is panel, N_c, F_h, F_w, lane.
 * Windows that are gathered are packed before.
 */
export const packFiltersOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  options: FilterPacking = {},
): Diagnosed<PackResult> => {
  const layout = tileLayout(
    operation,
    ({ outputMap }, filtersMap) => ['any', filtersMap, outputMap],
    anyLayouts,
  );
  if (layout === undefined || isPacked(rewriter, operation)) {
    return silenceableError(
      'pack-filters/no-filters',
      'expected a tile with an input, packed or not, and filters in FCHW, CHWF, HWCF or FHWC',
      operation,
    );
  }
  const { inputs, indexingMaps, iteratorTypes, loopRanges } = genericView(operation);
  const filters = inputs[1]!;
  // Filters in FCHW are read at (iN_f, iN_c, iF_h, iF_w), plus the offsets of the tile's slice: iT_f instead of iN_f
  // (Eq. 3).
  const local: ElementSource = { tensor: filters, indices: indexingMaps[1]!.results, outer: [] };
  const source = throughSlice(rewriter, iteratorTypes.length, local) ?? local;
  const panels = panelsOf(options, loopRanges[dimensions.filter]!, filtersPanelAt);
  if (panels === 'uneven') {
    return silenceableError(
      'pack-filters/panel',
      `panels of ${options.panel} do not divide the tile's ${loopRanges[dimensions.filter]} filters`,
      operation,
    );
  }
  if (panels !== undefined && !layout.hasPanels) {
    return silenceableError('pack-filters/panel', panelsOfFilters, operation);
  }
  const ofFilters = loopRanges[dimensions.filter]!;
  const { padded = ofFilters } = options;
  if (padded < ofFilters || (padded > ofFilters && panels !== undefined)) {
    return silenceableError(
      'pack-filters/padded',
      panels === undefined
        ? `a tile for ${padded} filters has no room for the tile's ${ofFilters}`
        : 'a tile that is divided into panels is not padded',
      operation,
    );
  }
  const body = bodyOf(operation);
  const conversion = conversionOf(body, body.arguments[1]!);
  const packing = packOperand(rewriter, operation, source, layout.filtersOrder, {
    panels,
    conversion,
    margin: padded - ofFilters,
  });
  rewriter.setOperand(operation, 1, packing.results[0]!);
  readConverted(rewriter, body, conversion);
  const maps = [indexingMaps[0]!, layout.packedFiltersMap(panels?.width), indexingMaps[2]!];
  rewriter.setAttribute(operation, 'indexing_maps', arrayAttribute(maps.map(affineMapAttribute)));
  eraseUnused(rewriter, filters);
  return success({ packing, operation });
};

/** Whether the filters are packed already: then they lie as those in CHWF do. */
const isPacked = (rewriter: Rewriter, operation: DraftOperation): boolean => {
  const packing = rewriter.definingOperation(genericView(operation).inputs[1]!);
  return packing !== undefined && packingSource(rewriter, packing) !== undefined;
};

/** Makes a body use already converted elements. */
const readConverted = (rewriter: Rewriter, body: DraftBlock, { steps, result }: ElementConversion): void => {
  if (steps.length === 0) return;
  const argument = rewriter.changeArgumentType(body, 1, result.type);
  rewriter.replaceAllUsesWith(result, argument);
  eraseUnused(rewriter, result);
};
