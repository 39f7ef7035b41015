/** Examples of the transforms of this package: text and code that give the same IR. */
import type { TransformExample } from '@sconv/transform/testing';
import { exampleConvolution, matchConvolution } from '@sconv/transform/testing';
import { assertExtents, sconvOp } from '../src/transforms.ts';

const sconvExamples: readonly TransformExample[] = [
  {
    title: 'A convolution of 30 windows and 4 filters in tiles of 8 windows and 2 filters',
    payload: exampleConvolution,
    script: `${matchConvolution}
%kernels, %loops = transform.structured.sconv %conv {mk_info = [8, 2]} : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.any_op)`,
    record: (recorder) => {
      sconvOp({ target: recorder.match('linalg.conv_2d_nchw_fchw') }, { mkInfo: [8, 2] });
    },
  },
];

const assertExtentsExamples: readonly TransformExample[] = [
  {
    title: 'A convolution that is sliced if it has 30 windows and 4 filters, as the sizes are chosen for',
    payload: exampleConvolution,
    script: `${matchConvolution}
transform.structured.assert_extents %conv {batch = 1, channels = 2, filters = 4, windows = 30} : !transform.any_op
%kernels, %loops = transform.structured.sconv %conv {mk_info = [8, 2]} : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.any_op)`,
    record: (recorder) => {
      const target = recorder.match('linalg.conv_2d_nchw_fchw');
      assertExtents({ target }, { batch: 1, channels: 2, windows: 30, filters: 4 });
      sconvOp({ target }, { mkInfo: [8, 2] });
    },
  },
];

/** By the op that they show. */
export const examples: Readonly<Record<string, readonly TransformExample[]>> = {
  [assertExtents.definition.name]: assertExtentsExamples,
  [sconvOp.definition.name]: sconvExamples,
};
