/** `lowerToBlasOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { optionalAttribute, stringAttributeKind } from '@sconv/ir';
import { consumes, defineTransformOp, pairAttribute, produces } from '@sconv/transform';
import { lowerToBlasOp } from '../lower-to-blas-op.ts';

/** `transform.lower.to_blas`. */
export const lowerToBlas = defineTransformOp({
  name: 'transform.lower.to_blas',
  summary: "Replaces microkernels on buffers by calls of a BLAS library's microkernel, such as OpenBLAS's.",
  paper: ['ST §5.6, step 5b', 'ST Listing 10'],
  operands: { target: consumes('microkernels on buffers', 'linalg.generic') },
  attributes: {
    symbol: stringAttributeKind,
    panels: optionalAttribute(pairAttribute('array of two integers [windows, filters]')),
  },
  results: { lowered: produces('the calls', 'func.call') },
  failures: {
    'lower-to-blas/no-microkernel': {
      mode: 'silenceable',
      when: 'a target is no microkernel, its sizes are not known, or it is not on buffers in the default memory',
    },
    'lower-to-blas/element-type': {
      mode: 'silenceable',
      when: 'its elements are neither f32 nor f64, or others than those of the kernel',
    },
    'lower-to-blas/window-stride': {
      mode: 'silenceable',
      when: 'its type does not say that the windows of the output lie side by side',
    },
    'lower-to-blas/filter-stride': { mode: 'silenceable', when: 'filters of the output overlap' },
    'lower-to-blas/panel-layout': {
      mode: 'silenceable',
      when: 'its type does not say that the panels of an operand lie one behind the other',
    },
    'lower-to-blas/shared-memory': {
      mode: 'silenceable',
      when: 'the output may share memory with a panel',
    },
    'lower-to-blas/arithmetic': {
      mode: 'silenceable',
      when: 'an address has an offset that no number holds exactly',
    },
    'lower-to-blas/panels': { mode: 'silenceable', when: 'the kernel takes panels of other widths' },
    'lower-to-blas/symbol': {
      mode: 'silenceable',
      when: "something else has the function's name, or there is no module to declare it in",
    },
  },
  assembly: { format: '$symbol `,` $target attr-dict `:` functional-type(operands, results)' },
  *verify({ attributes: { symbol, panels } }) {
    if (symbol === '') yield 'expected the name of a function';
    if (panels?.some((width) => width < 1) === true) yield 'expected panels of at least one element';
  },
  apply: ({ rewriter }, { target }, { symbol, panels }) =>
    mapSuccess(
      collect(target, (operation) =>
        lowerToBlasOp(rewriter, operation, {
          symbol,
          panels: panels && { windows: panels[0], filters: panels[1] },
        }),
      ),
      (lowered) => ({ lowered }),
    ),
});
