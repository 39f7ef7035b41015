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
