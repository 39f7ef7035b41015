/** `packFiltersOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { consumes, defineTransformOp, produces } from '@sconv/transform';
import { packFiltersOp } from '../pack-filters-op.ts';

/** `transform.structured.pack_filters`. */
export const packFilters = defineTransformOp({
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
  apply: ({ rewriter }, { target }) =>
    mapSuccess(
      collect(target, (operation) => packFiltersOp(rewriter, operation)),
      (results) => ({
        packing: results.map(({ packing }) => packing),
        packed: results.map(({ operation }) => operation),
      }),
    ),
});
