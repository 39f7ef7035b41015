/** Examples of the transforms of this package: text and code that give the same IR. */
import { match } from '@sconv/transform';
import type { TransformExample } from '@sconv/transform/testing';
import { vectorize } from '../src/transforms.ts';

const tile = `func.func @tile(%filters: tensor<4x8xf32>, %windows: tensor<8x16xf32>, %sums: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.matmul ins(%filters, %windows : tensor<4x8xf32>, tensor<8x16xf32>) outs(%sums : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}
`;

const copy = `func.func @copy(%from: memref<?xf32>, %to: memref<?xf32>) {
  linalg.copy ins(%from : memref<?xf32>) outs(%to : memref<?xf32>)
  return
}
`;

/** By the op that they show. */
export const examples: Readonly<Record<string, readonly TransformExample[]>> = {
  [vectorize.definition.name]: [
    {
      title: 'A product of matrices: products over the whole iteration domain, summed along k',
      payload: tile,
      script: `%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
transform.structured.vectorize %op : !transform.any_op`,
      record: (recorder) => {
        const op = match({ target: recorder.root }, { ops: ['linalg.matmul'] }).results;
        vectorize({ target: op, vectorSizes: [] }, {});
      },
    },
    {
      title: 'Sizes that are not known, and at most 8: a mask selects what there is',
      payload: copy,
      script: `%op = transform.structured.match ops{["linalg.copy"]} in %root : (!transform.any_op) -> !transform.any_op
transform.structured.vectorize %op vector_sizes [8] : !transform.any_op`,
      record: (recorder) => {
        const op = match({ target: recorder.root }, { ops: ['linalg.copy'] }).results;
        vectorize({ target: op, vectorSizes: [] }, { staticVectorSizes: [8] });
      },
    },
  ],
};
