/** Examples of this package's transforms: text and code that give the same IR. */
import { getParentOp, match } from '@sconv/transform';
import type { TransformExample } from '@sconv/transform/testing';
import { vectorize, vectorizeChildren } from '../src/transforms.ts';

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

const window = `func.func @window(%t: tensor<16x16xf32>, %w: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %part = tensor.extract_slice %t[2, 3] [4, 8] [1, 1] : tensor<16x16xf32> to tensor<4x8xf32>
  %0 = linalg.exp ins(%part : tensor<4x8xf32>) outs(%w : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
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
  [vectorizeChildren.definition.name]: [
    {
      title: 'A product of matrices as a contraction of vectors',
      payload: tile,
      script: `%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%f = transform.get_parent_op %op {isolated_from_above} : (!transform.any_op) -> !transform.any_op
%g = transform.structured.vectorize_children_and_apply_patterns %f : (!transform.any_op) -> !transform.any_op`,
      record: (recorder) => {
        const op = match({ target: recorder.root }, { ops: ['linalg.matmul'] }).results;
        const target = getParentOp({ target: op }, { isolatedFromAbove: true }).parent;
        vectorizeChildren({ target }, {});
      },
    },
    {
      title: 'A slice is read where it is in the whole tensor',
      payload: window,
      script: `%op = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
%f = transform.get_parent_op %op {isolated_from_above} : (!transform.any_op) -> !transform.any_op
%g = transform.structured.vectorize_children_and_apply_patterns %f : (!transform.any_op) -> !transform.any_op`,
      record: (recorder) => {
        const op = match({ target: recorder.root }, { ops: ['linalg.exp'] }).results;
        const target = getParentOp({ target: op }, { isolatedFromAbove: true }).parent;
        vectorizeChildren({ target }, {});
      },
    },
  ],
};
