/**
 * Filter packing (ST §4.1): the filters of a tile in the order N_c, F_h, F_w, N_f (Eq. 2), a reordering of Eq. 1's
 * N_f × N_c × F_h × F_w.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, error, mapSuccess, silenceable, success } from '@sconv/diagnostics';
import { eraseUnused, throughSlice } from '@sconv/dialects';
import type { ElementSource } from '@sconv/dialects';
import { structured } from '@sconv/dialects/linalg';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { affineMapAttribute, arrayAttribute } from '@sconv/ir';
import { consumes, defineTransformOp, produces } from '@sconv/transform';
import { packOperand } from './pack-operand.ts';
import type { PackResult } from './pack-windows.ts';
import { packFiltersExamples } from './examples.ts';
import {
  filtersMap,
  isTile,
  outputMap,
  packedFiltersMap,
  packedFiltersOrder,
  packedWindowsMap,
} from './tile-maps.ts';

/** Replaces the filters of a tile whose windows are packed by packed filters. */
export const packFilters = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<PackResult> => {
  if (!isTile(operation, [packedWindowsMap, filtersMap, outputMap])) {
    return silenceable(
      error(
        'pack-filters/no-filters',
        'expected a tile with packed windows and filters in FCHW',
        operation.location,
      ),
    );
  }
  const { inputs, iteratorTypes } = structured(operation);
  const filters = inputs[1]!;
  // Filters are read at (iN_f, iN_c, iF_h, iF_w), plus the offsets of the tile's slice: iT_f instead of iN_f (Eq. 3).
  const local: ElementSource = { tensor: filters, indices: filtersMap.results, outer: [] };
  const source = throughSlice(rewriter, iteratorTypes.length, local) ?? local;
  const packing = packOperand(rewriter, operation, source, packedFiltersOrder);
  rewriter.setOperand(operation, 1, packing.results[0]!);
  const maps = [packedWindowsMap, packedFiltersMap, outputMap];
  rewriter.setAttribute(operation, 'indexing_maps', arrayAttribute(maps.map(affineMapAttribute)));
  eraseUnused(rewriter, filters);
  return success({ packing, operation });
};

/** `transform.structured.pack_filters`. */
export const packFiltersOp = defineTransformOp({
  name: 'transform.structured.pack_filters',
  summary: 'Packs the filters of a tile in the order of the microkernel.',
  paper: ['ST §4.1, Eqs. 1-3', 'ST §5.4, task 4a'],
  operands: { target: consumes('tiles with packed windows', 'linalg.generic') },
  results: {
    packing: produces('the ops that pack', 'linalg.generic'),
    packed: produces('the tiles, reading the packed filters', 'linalg.generic'),
  },
  failures: {
    'pack-filters/no-filters': {
      mode: 'silenceable',
      when: 'a target is not a tile with packed windows and filters in FCHW',
    },
  },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  examples: () => packFiltersExamples,
  apply: ({ rewriter }, { target }) =>
    mapSuccess(
      collect(target, (operation) => packFilters(rewriter, operation)),
      (results) => ({
        packing: results.map(({ packing }) => packing),
        packed: results.map(({ operation }) => operation),
      }),
    ),
});
