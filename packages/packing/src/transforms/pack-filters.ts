/** `packFiltersOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { documented, i64Attribute, optionalAttribute } from '@sconv/ir';
import { consumes, defineTransformOp, produces } from '@sconv/transform';
import { packFiltersOp } from '../pack-filters-op.ts';
import { panelAttribute, panelErrors } from './panel-attribute.ts';

/** `transform.structured.pack_filters`. */
export const packFilters = defineTransformOp({
  name: 'transform.structured.pack_filters',
  summary: 'Packs the filters of a tile in the order of the microkernel.',
  paper: ['ST §4.1, Eqs. 1-3', 'ST §5.4, task 4a'],
  operands: { target: consumes('tiles with an input, packed or in place', 'linalg.generic') },
  attributes: {
    panel: optionalAttribute(panelAttribute),
    padded: documented(
      optionalAttribute(i64Attribute),
      'how many filters the packed tile has room for; as many as there are, if omitted',
    ),
  },
  results: {
    packing: produces('the ops that pack', 'linalg.generic'),
    packed: produces('the tiles, reading the packed filters', 'linalg.generic'),
  },
  failures: {
    'pack-filters/no-filters': {
      mode: 'silenceable',
      when: 'a target is not a tile with an input and filters in FCHW, CHWF, HWCF or FHWC that are not packed',
    },
    'pack-filters/panel': {
      mode: 'silenceable',
      when: 'the panel width does not divide the filters of a tile, or the lanes of the microkernel are filters',
    },
    'pack-filters/padded': {
      mode: 'silenceable',
      when: 'a tile has more filters than `padded`, or is divided into panels',
    },
  },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  verify: ({ attributes: { panel } }) => panelErrors(panel),
  apply: ({ rewriter }, { target }, { panel, padded }) =>
    mapSuccess(
      collect(target, (operation) => packFiltersOp(rewriter, operation, { panel, padded })),
      (results) => ({
        packing: results.map(({ packing }) => packing),
        packed: results.map(({ operation }) => operation),
      }),
    ),
});
