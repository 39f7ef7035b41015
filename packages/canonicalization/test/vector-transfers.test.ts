/** Canonicalization of transfers between vectors and tensors. */
import { canonicalize } from '../src/index.ts';
import { testRows } from './support/table.ts';

testRows('transfers', canonicalize(), [
  {
    name: 'a read of what was written, permuted',
    arguments: '%t: tensor<4x8xf32>, %v: vector<2x4xf32>',
    results: 'vector<4x2xf32>',
    before: `
      %c0 = arith.constant 0 : index
      %pad = arith.constant 1.0 : f32
      %0 = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true, true]} : vector<2x4xf32>, tensor<4x8xf32>
      %1 = vector.transfer_read %0[%c0, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>} : tensor<4x8xf32>, vector<4x2xf32>
      return %1 : vector<4x2xf32>`,
    after: `
      %0 = vector.transpose %arg1, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
      return %0 : vector<4x2xf32>`,
  },
  {
    name: 'a masked read of what was written under the same mask: it reads the padding, too',
    arguments: '%t: tensor<8xf32>, %v: vector<4xf32>, %n: index',
    results: 'vector<4xf32>',
    before: `
      %c1 = arith.constant 1 : index
      %pad = arith.constant 7.0 : f32
      %m = vector.create_mask %n : vector<4xi1>
      %0 = vector.transfer_write %v, %t[%c1], %m {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
      %1 = vector.transfer_read %0[%c1], %pad, %m {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
      return %1 : vector<4xf32>`,
    after: `
      %c1 = arith.constant 1 : index
      %cst = arith.constant 7.000000e+00 : f32
      %0 = vector.create_mask %arg2 : vector<4xi1>
      %1 = vector.transfer_write %arg1, %arg0[%c1], %0 {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
      %2 = vector.transfer_read %1[%c1], %cst, %0 {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
      return %2 : vector<4xf32>`,
  },
]);
