/** `lowerToBlasOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { optionalAttribute, stringAttributeKind } from '@sconv/ir';
import { consumes, defineTransformOp, pairAttribute, produces } from '@sconv/transform';
import { lowerToBlasOp } from '../lower-to-blas-op.ts';

/** `transform.lower.to_blas`. */
export const lowerToBlas = defineTransformOp({
  name: 'transform.lower.to_blas',
  summary: "Replaces microkernels on buffers by calls to a BLAS library's microkernel, such as OpenBLAS's.",
  paper: ['ST §5.6, step 5b', 'ST Listing 10'],
  operands: { target: consumes('microkernels on buffers', 'linalg.generic') },
  attributes: {
    symbol: stringAttributeKind,
    panels: optionalAttribute(pairAttribute('array of two integers [windows, filters]')),
  },
  results: { lowered: produces('the calls', 'func.call') },
  warnings: {
    'lower-to-blas/unknown-panels':
      'it is not known in which panels the kernel takes its operands: those of the tile are passed',
  },
  failures: {
    'lower-to-blas/no-microkernel': {
      mode: 'silenceable',
      when: 'a target is not a microkernel of static size on buffers in the default memory space',
    },
    'lower-to-blas/element-type': {
      mode: 'silenceable',
      when: 'the elements are neither f32 nor f64, or differ from those of the kernel',
    },
    'lower-to-blas/window-stride': {
      mode: 'silenceable',
      when: 'the layout of the output does not guarantee that windows are contiguous',
    },
    'lower-to-blas/filter-stride': { mode: 'silenceable', when: 'the filters of the output overlap' },
    'lower-to-blas/panel-layout': {
      mode: 'silenceable',
      when: 'the layout of an operand does not guarantee that panels are contiguous',
    },
    'lower-to-blas/shared-memory': {
      mode: 'silenceable',
      when: 'the output may share memory with a panel',
    },
    'lower-to-blas/arithmetic': {
      mode: 'silenceable',
      when: 'an offset of an address is beyond 2^53',
    },
    'lower-to-blas/panels': {
      mode: 'silenceable',
      when: 'the panels have other widths than those that the kernel takes',
    },
    'lower-to-blas/symbol': {
      mode: 'silenceable',
      when: "another symbol has the function's name, or there is no module to declare it in",
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
