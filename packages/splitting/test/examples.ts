/** Examples of this package's transforms: text and code that give the same IR. */
import type { TransformExample } from '@sconv/transform/testing';
import { match } from '@sconv/transform';
import { split, splitReduction } from '../src/transforms.ts';

/** Six windows of a linearised image with rows of 8, three windows per row. */
const windows = `func.func @windows(%in: tensor<2x56xf32>, %out: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, (d1 floordiv 3) * 8 + d1 mod 3)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<2x56xf32>) outs(%out : tensor<2x6xf32>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  } -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}
`;

const rows = `func.func @rows(%in: tensor<?x6xf32>, %out: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %0 = linalg.exp ins(%in : tensor<?x6xf32>) outs(%out : tensor<?x6xf32>) -> tensor<?x6xf32>
  return %0 : tensor<?x6xf32>
}
`;

const splitExamples: readonly TransformExample[] = [
  {
    title: 'Sizes may be unknown, and operands are sliced in all dimensions',
    payload: rows,
    script: `%op = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
%low, %high = transform.structured.split %op after 4 {dimension = 1 : i64} : !transform.any_op`,
    record: (recorder) => {
      const op = match({ target: recorder.root }, { ops: ['linalg.exp'] }).results;
      split({ target: op }, { dimension: 1, staticChunkSizes: 4 });
    },
  },
  {
    title: '`exact`, a cut off a row start: the map of the second part is re-based',
    payload: windows,
    script: `%op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
%low, %high = transform.structured.split %op after 4 {dimension = 1 : i64, exact} : !transform.any_op`,
    record: (recorder) => {
      const op = match({ target: recorder.root }, { ops: ['linalg.generic'] }).results;
      split({ target: op }, { dimension: 1, staticChunkSizes: 4, exact: true });
    },
  },
];

const sums = `func.func @sum(%in: tensor<32xf32>, %out: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%in : tensor<32xf32>) outs(%out : tensor<f32>) {
  ^bb0(%x: f32, %sum: f32):
    %s = arith.addf %sum, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
`;

const splitReductionExamples: readonly TransformExample[] = [
  {
    title: 'Four sums of eight elements each, and their sum',
    payload: sums,
    script: `%op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
%init, %fill, %split, %combining = transform.structured.split_reduction %op {split_factor = 4} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)`,
    record: (recorder) => {
      const op = match({ target: recorder.root }, { ops: ['linalg.generic'] }).results;
      splitReduction({ target: op }, { splitFactor: 4 });
    },
  },
];

/** By op. */
export const examples: Readonly<Record<string, readonly TransformExample[]>> = {
  [split.definition.name]: splitExamples,
  [splitReduction.definition.name]: splitReductionExamples,
};
