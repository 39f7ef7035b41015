/** `fuseEpilogueOp` as a transform. */
import { collect, mapSuccess, success } from '@sconv/diagnostics';
import { consumes, defineTransformOp, functional, produces } from '@sconv/transform';
import { asWarning, fuseEpilogueOp } from '../fuse-epilogue-op.ts';

/** `transform.structured.fuse_epilogue`. */
export const fuseEpilogue = defineTransformOp({
  name: 'transform.structured.fuse_epilogue',
  summary:
    'Applies elementwise ops to what loops make part by part, to each part as soon as it is complete; what cannot be fused stays, with a warning.',
  operands: { target: consumes('elementwise ops on the result of loops') },
  results: { fused: produces('the ops on the parts', 'linalg.generic') },
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
