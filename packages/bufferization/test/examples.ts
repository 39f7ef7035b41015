/** Examples of the transform of this package: text and code that give the same IR. */
import type { TransformExample } from '@sconv/transform/testing';
import { oneShotBufferizeOp } from '../src/transforms.ts';

const rows = `func.func @clear_row(%t: tensor<4x8xf32>, %i: index, %x: f32) -> tensor<4x8xf32> {
  %row = tensor.extract_slice %t[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
  %cleared = linalg.fill ins(%x : f32) outs(%row : tensor<1x8xf32>) -> tensor<1x8xf32>
  %0 = tensor.insert_slice %cleared into %t[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
`;

const oneShotBufferizeExamples: readonly TransformExample[] = [
  {
    title: 'A slice that is changed and put back where it was is changed in place',
    payload: rows,
    script: `%buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op`,
    record: (recorder) => {
      oneShotBufferizeOp(
        { target: recorder.root },
        {
          functionBoundaryTypeConversion: 'identity-layout-map',
          bufferizeFunctionBoundaries: true,
        },
      );
      return undefined;
    },
  },
];

/** By the op that they show. */
export const examples: Readonly<Record<string, readonly TransformExample[]>> = {
  [oneShotBufferizeOp.definition.name]: oneShotBufferizeExamples,
};
