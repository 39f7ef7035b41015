/**
 * Filter packing (ST §4.1): the filters of a tile in the order N_c, F_h, F_w, N_f (Eq. 2), a reordering of Eq. 1's
 * N_f × N_c × F_h × F_w.
 */
import { dim, makeMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, error, mapSuccess, silenceable, success } from '@sconv/diagnostics';
import { mixedOffsets } from '@sconv/dialects';
import type { ElementSource } from '@sconv/dialects';
import { generic, structured } from '@sconv/dialects/linalg';
import { extractSlice } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { affineMapAttribute, arrayAttribute } from '@sconv/ir';
import { consumes, defineTransformOp, produces } from '@sconv/transform';
import { packOperand } from './pack-operand.ts';
import { dimensions } from './pack-windows.ts';
import type { PackResult } from './pack-windows.ts';
import { packFiltersExamples } from './examples.ts';

/** Eq. 2. */
const packedOrder = [dimensions.channel, dimensions.filterRow, dimensions.filterColumn, dimensions.filter];

/** The filters' input position once the windows are packed. */
const filterOperand = 1;

/** Replaces the filters of a tile whose windows are packed by packed filters. */
export const packFilters = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<PackResult> => {
  const inputs = generic.is(operation) ? structured(operation).inputs : [];
  const filters = inputs[filterOperand];
  if (filters?.type.kind !== 'tensor' || filters.type.shape.length !== 4) {
    return silenceable(
      error(
        'pack-filters/no-filters',
        'expected a tile with packed windows and filters in FCHW',
        operation.location,
      ),
    );
  }
  const { packing, order } = packOperand(
    rewriter,
    operation,
    filterSource(rewriter, operation, filters),
    packedOrder,
  );
  const { indexingMaps } = structured(operation);
  const packedMap = makeMap(
    indexingMaps[0]!.numDims,
    0,
    order.map((position) => dim(position)),
  );
  rewriter.setOperand(operation, filterOperand, packing.results[0]!);
  const maps = indexingMaps.with(filterOperand, packedMap);
  rewriter.setAttribute(operation, 'indexing_maps', arrayAttribute(maps.map(affineMapAttribute)));
  const slice = rewriter.definingOperation(filters);
  if (slice !== undefined && extractSlice.is(slice) && !rewriter.hasUses(filters))
    rewriter.eraseOperation(slice);
  return success({ packing, operation });
};

/** Filters are read at (iN_f, iN_c, iF_h, iF_w), plus the offsets of the tile's slice: iT_f instead of iN_f (Eq. 3). */
const filterSource = (rewriter: Rewriter, operation: DraftOperation, filters: Value): ElementSource => {
  const { indexingMaps, iteratorTypes } = structured(operation);
  const results = indexingMaps[filterOperand]!.results;
  const slice = rewriter.definingOperation(filters);
  if (slice === undefined || !extractSlice.is(slice)) return { tensor: filters, indices: results, outer: [] };
  const outer: Value[] = [];
  const indices = mixedOffsets(slice).map((offset, i) => {
    const local = results[i]!;
    if (typeof offset === 'number') return local.add(offset);
    outer.push(offset);
    return local.add(dim(iteratorTypes.length + outer.length - 1));
  });
  return { tensor: extractSlice.operands(slice).source, indices, outer };
};

/** `transform.structured.pack_filters`. */
export const packFiltersOp = defineTransformOp({
  name: 'transform.structured.pack_filters',
  summary: 'Packs the filters of a tile in the order of the microkernel.',
  paper: ['ST §4.1, Eqs. 1-3', 'ST §5.4, task 4a'],
  operands: { target: consumes('tiles with packed windows') },
  results: {
    packing: produces('the ops that pack', 'linalg.generic'),
    packed: produces('the tiles, reading the packed filters', 'linalg.generic'),
  },
  failures: {
    'pack-filters/no-filters': { mode: 'silenceable', when: 'a target has no input of filters in FCHW' },
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
