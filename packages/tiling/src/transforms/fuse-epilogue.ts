/** `fuseEpilogueOp` as a transform. */
import { collect, mapSuccess, success } from '@sconv/diagnostics';
import { consumes, defineTransformOp, functional, produces } from '@sconv/transform';
import { asWarning, fuseEpilogueOp } from '../fuse-epilogue-op.ts';

/** `transform.structured.fuse_epilogue`. */
export const fuseEpilogue = defineTransformOp({
  name: 'transform.structured.fuse_epilogue',
  summary:
    'Fuses elementwise ops into the loops that compute their operand, where each part is complete. ' +
    'Warns about ops that cannot be fused, and leaves them in place.',
  operands: { target: consumes('elementwise ops that read the result of loops') },
  results: { fused: produces('the fused ops', 'linalg.generic') },
  warnings: {
    'fuse-epilogue/not-elementwise': 'a target is not elementwise, of static sizes, with one result',
    'fuse-epilogue/no-operand': 'no operand of a target has the type of its result',
    'fuse-epilogue/users': 'the operand has other users',
    'fuse-epilogue/loops': 'loops do not provably compute the operand, each part once',
    'fuse-epilogue/order': 'another operand is computed after the loops, or depends on effects after them',
    'fuse-epilogue/reshape': 'loops count collapsed dimensions of which an operand has fewer',
    'fuse-epilogue/no-loops': 'a named op computes all of the operand at once',
  },
  assembly: functional(),
  apply: ({ rewriter }, { target }) =>
    mapSuccess(
      collect(new Set(target), (operation) => {
        const fused = fuseEpilogueOp(rewriter, operation);
        return fused.status === 'success' ? fused : success([], fused.diagnostics.map(asWarning));
      }),
      (fused) => ({ fused: fused.flat() }),
    ),
});
