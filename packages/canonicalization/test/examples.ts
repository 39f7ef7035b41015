/** Examples of this package's transforms: text and code that give the same IR. */
import { match } from '@sconv/transform';
import type { TransformExample } from '@sconv/transform/testing';
import {
  applyCse,
  applyDce,
  applyLicm,
  applyPatterns,
  eraseDeadAllocAndStores,
  hoistLoopInvariantSubsets,
  hoistRedundantVectorBroadcasts,
  hoistRedundantVectorTransfers,
  simplifyBoundedAffineOps,
} from '../src/transforms.ts';

const function_ = `%f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op`;

const spread = `func.func @spread(%v: vector<2x4xf32>, %x: vector<4xf32>) -> vector<2x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %0 = scf.for %i = %c0 to %c8 step %c1 iter_args(%rows = %v) -> (vector<2x4xf32>) {
    %1 = vector.extract %rows[1] : vector<4xf32> from vector<2x4xf32>
    %2 = arith.addf %1, %x : vector<4xf32>
    %3 = vector.broadcast %2 : vector<4xf32> to vector<2x4xf32>
    scf.yield %3 : vector<2x4xf32>
  }
  return %0 : vector<2x4xf32>
}
`;

const rowOfTensor = `func.func @row(%t: tensor<4x8xf32>, %x: tensor<8xf32>, %i: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %0 = scf.for %j = %c0 to %c5 step %c1 iter_args(%sum = %t) -> (tensor<4x8xf32>) {
    %1 = tensor.extract_slice %sum[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
    %2 = linalg.add ins(%1, %x : tensor<8xf32>, tensor<8xf32>) outs(%1 : tensor<8xf32>) -> tensor<8xf32>
    %3 = tensor.insert_slice %2 into %sum[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
    scf.yield %3 : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}
`;

const sums = `func.func @sums(%x: i32, %y: i32) -> i32 {
  %0 = arith.addi %x, %y : i32
  %1 = arith.addi %x, %y : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
`;

const unused = `func.func @unused(%x: i32) -> i32 {
  %0 = arith.muli %x, %x : i32
  %1 = arith.addi %0, %x : i32
  return %x : i32
}
`;

const loop = `func.func @loop(%x: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %x) -> (i32) {
    %1 = arith.muli %x, %x : i32
    %2 = arith.addi %sum, %1 : i32
    scf.yield %2 : i32
  }
  return %0 : i32
}
`;

const foldable = `func.func @foldable(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.addi %x, %c0 : i32
  %1 = arith.muli %0, %x : i32
  %2 = arith.muli %0, %x : i32
  %3 = arith.subi %1, %2 : i32
  return %3 : i32
}
`;

const sizes = `func.func @sizes(%n: index) -> (index, index) {
  %c16 = arith.constant 16 : index
  %0 = arith.remui %n, %c16 : index
  %1 = affine.min affine_map<()[s0] -> (30, 50 - s0)>()[%0]
  %2 = affine.max affine_map<()[s0] -> (s0 * 2, 40)>()[%0]
  return %1, %2 : index, index
}
`;

const accumulated = `func.func @accumulated(%m: memref<4xf32>, %x: vector<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %0 = vector.transfer_read %m[%c0], %pad {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
    %1 = arith.addf %0, %x : vector<4xf32>
    vector.transfer_write %1, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  }
  return
}
`;

const passed = `func.func @passed(%x: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<4xf32>
  vector.transfer_write %x, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  %0 = vector.transfer_read %m[%c0], %pad {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %0 : vector<4xf32>
}
`;

const shown = (title: string, payload: string, line: string, record: TransformExample['record']) => [
  { title, payload, script: `${function_}\n${line}`, record },
];

/** By the op that they show. */
export const examples: Readonly<Record<string, readonly TransformExample[]>> = {
  [applyPatterns.definition.name]: shown(
    'Canonical forms, in turn with the elimination of common subexpressions',
    foldable,
    `transform.apply_patterns to %f {
  transform.apply_patterns.canonicalization
} {apply_cse} : !transform.any_op`,
    (recorder) => {
      applyPatterns(
        { target: match({ target: recorder.root }, { ops: ['func.func'] }).results },
        ['canonicalization'],
        { applyCse: true },
      );
    },
  ),
  [applyCse.definition.name]: shown(
    'A sum that is computed twice',
    sums,
    'transform.apply_cse to %f : !transform.any_op',
    (recorder) => {
      applyCse({ target: match({ target: recorder.root }, { ops: ['func.func'] }).results });
    },
  ),
  [applyDce.definition.name]: shown(
    'What is not used goes, and what only that used',
    unused,
    'transform.apply_dce to %f : !transform.any_op',
    (recorder) => {
      applyDce({ target: match({ target: recorder.root }, { ops: ['func.func'] }).results });
    },
  ),
  [simplifyBoundedAffineOps.definition.name]: [
    {
      title: 'A remainder is smaller than what is divided by',
      payload: sizes,
      script: `%sizes = transform.structured.match ops{["affine.min", "affine.max"]} in %root : (!transform.any_op) -> !transform.any_op
%rest = transform.structured.match ops{["arith.remui"]} in %root : (!transform.any_op) -> !transform.any_op
transform.affine.simplify_bounded_affine_ops %sizes with [%rest : !transform.any_op] within [0] and [16] : !transform.any_op`,
      record: ({ root }) => {
        const { results: target } = match({ target: root }, { ops: ['affine.min', 'affine.max'] });
        const { results: rest } = match({ target: root }, { ops: ['arith.remui'] });
        simplifyBoundedAffineOps({ target, boundedValues: [rest] }, { lowerBounds: [0], upperBounds: [16] });
      },
    },
  ],
  [applyLicm.definition.name]: [
    {
      title: 'A product that is the same in each iteration',
      payload: loop,
      script: `%loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
transform.apply_licm to %loop : !transform.any_op`,
      record: (recorder) => {
        applyLicm({ target: match({ target: recorder.root }, { ops: ['scf.for'] }).results });
      },
    },
  ],
  [eraseDeadAllocAndStores.definition.name]: shown(
    'A buffer that only passes a vector on',
    passed,
    'transform.memref.erase_dead_alloc_and_stores %f : (!transform.any_op) -> ()',
    (recorder) => {
      eraseDeadAllocAndStores({ target: match({ target: recorder.root }, { ops: ['func.func'] }).results });
    },
  ),
  [hoistRedundantVectorTransfers.definition.name]: shown(
    'A loop carries the vector that it added to in memory',
    accumulated,
    '%0 = transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op',
    (recorder) => {
      hoistRedundantVectorTransfers({
        target: match({ target: recorder.root }, { ops: ['func.func'] }).results,
      });
    },
  ),
  [hoistRedundantVectorBroadcasts.definition.name]: shown(
    'A loop that carries a broadcast carries the row',
    spread,
    '%0 = transform.structured.hoist_redundant_vector_broadcasts %f : (!transform.any_op) -> !transform.any_op',
    (recorder) => {
      hoistRedundantVectorBroadcasts({
        target: match({ target: recorder.root }, { ops: ['func.func'] }).results,
      });
    },
  ),
  [hoistLoopInvariantSubsets.definition.name]: [
    {
      title: 'A loop carries the row that it takes out of a tensor and puts back',
      payload: rowOfTensor,
      script: `%loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
transform.loop.hoist_loop_invariant_subsets %loop : !transform.any_op`,
      record: (recorder) => {
        hoistLoopInvariantSubsets({ target: match({ target: recorder.root }, { ops: ['scf.for'] }).results });
      },
    },
  ],
};
