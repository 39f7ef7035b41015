/** `packWindowsOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { optionalAttribute } from '@sconv/ir';
import { consumes, defineTransformOp, produces } from '@sconv/transform';
import { packWindowsOp } from '../pack-windows-op.ts';
import { panelAttribute, panelErrors } from './panel-attribute.ts';

/** `transform.structured.pack_windows`. */
export const packWindows = defineTransformOp({
  name: 'transform.structured.pack_windows',
  summary: 'Packs the input windows of a tile in the order of the microkernel.',
  paper: ['ST §4.2, Eqs. 4-12', 'ST §5.4, task 4a'],
  operands: {
    target: consumes('tiles of linearised convolutions that gather their input', 'linalg.generic'),
  },
  attributes: { panel: optionalAttribute(panelAttribute) },
  results: {
    packing: produces('the ops that pack', 'linalg.generic'),
    packed: produces('the tiles, reading the packed input', 'linalg.generic'),
  },
  failures: {
    'pack-windows/no-gather': {
      mode: 'silenceable',
      when: 'a target is not a tile of a linearised convolution that reads its input by one `tensor.extract`',
    },
    'pack-windows/depends-on-filter': {
      mode: 'silenceable',
      when: 'the index of the input depends on the filter',
    },
    'pack-windows/dependent': {
      mode: 'silenceable',
      when: 'the index of the input is computed in the body from more than linalg.index',
    },
    'pack-windows/panel': {
      mode: 'silenceable',
      when: 'the panel width does not divide the windows of a tile, or the lanes of the microkernel are filters',
    },
  },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  verify: ({ attributes: { panel } }) => panelErrors(panel),
  apply: ({ rewriter }, { target }, { panel }) =>
    mapSuccess(
      collect(target, (operation) => packWindowsOp(rewriter, operation, { panel })),
      (results) => ({
        packing: results.map(({ packing }) => packing),
        packed: results.map(({ operation }) => operation),
      }),
    ),
});
