/** Canonicalization of structured operations. */
import { canonicalize } from '../src/index.ts';
import type { Row } from './support/table.ts';
import { testRows } from './support/table.ts';

const rows: readonly Row[] = [
  {
    name: 'an op that gives its operand',
    arguments: '%t: tensor<4xf32>, %o: tensor<4xf32>',
    results: 'tensor<4xf32>',
    before: `
      %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%t : tensor<4xf32>) outs(%o : tensor<4xf32>) {
      ^bb0(%a: f32, %b: f32):
        linalg.yield %a : f32
      } -> tensor<4xf32>
      return %0 : tensor<4xf32>`,
    after: `
      return %arg0 : tensor<4xf32>`,
  },
  {
    name: 'an element of a fill',
    arguments: '%x: f32, %o: tensor<4xf32>, %n: index',
    results: 'f32',
    before: `
      %c1 = arith.constant 1 : index
      %0 = linalg.fill ins(%x : f32) outs(%o : tensor<4xf32>) -> tensor<4xf32>
      %1 = tensor.extract %0[%c1] : tensor<4xf32>
      return %1 : f32`,
    after: `
      return %arg0 : f32`,
  },
  {
    name: 'a fill in another shape',
    arguments: '%x: f32, %o: tensor<2x2xf32>',
    results: 'tensor<4xf32>',
    before: `
      %0 = linalg.fill ins(%x : f32) outs(%o : tensor<2x2xf32>) -> tensor<2x2xf32>
      %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
      return %1 : tensor<4xf32>`,
    after: `
      %collapsed = tensor.collapse_shape %arg1 [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
      %0 = linalg.fill ins(%arg0 : f32) outs(%collapsed : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>`,
  },
  {
    name: 'a margin of what is filled in',
    arguments: '%x: f32, %o: tensor<2xf32>',
    results: 'tensor<4xf32>',
    before: `
      %0 = linalg.fill ins(%x : f32) outs(%o : tensor<2xf32>) -> tensor<2xf32>
      %1 = tensor.pad %0 low[1] high[1] {
      ^bb0(%i: index):
        tensor.yield %x : f32
      } : tensor<2xf32> to tensor<4xf32>
      return %1 : tensor<4xf32>`,
    after: `
      %0 = tensor.empty() : tensor<4xf32>
      %1 = linalg.fill ins(%arg0 : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>`,
  },
  {
    name: 'a padded tensor that is put into a fill',
    arguments: '%t: tensor<2xf32>',
    results: 'tensor<8xf32>',
    before: `
      %x = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<8xf32>
      %0 = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      %1 = tensor.pad %t low[1] high[1] {
      ^bb0(%i: index):
        tensor.yield %x : f32
      } : tensor<2xf32> to tensor<4xf32>
      %2 = tensor.insert_slice %1 into %0[3] [4] [1] : tensor<4xf32> into tensor<8xf32>
      return %2 : tensor<8xf32>`,
    after: `
      %cst = arith.constant 0.000000e+00 : f32
      %0 = tensor.empty() : tensor<8xf32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
      %inserted_slice = tensor.insert_slice %arg0 into %1[4] [2] [1] : tensor<2xf32> into tensor<8xf32>
      return %inserted_slice : tensor<8xf32>`,
  },
  {
    name: 'transposed twice',
    arguments: '%t: tensor<2x3x4xf32>, %a: tensor<3x4x2xf32>, %b: tensor<2x3x4xf32>',
    results: 'tensor<2x3x4xf32>',
    before: `
      %0 = linalg.transpose ins(%t : tensor<2x3x4xf32>) outs(%a : tensor<3x4x2xf32>) permutation = [1, 2, 0]
      %1 = linalg.transpose ins(%0 : tensor<3x4x2xf32>) outs(%b : tensor<2x3x4xf32>) permutation = [2, 0, 1]
      return %1 : tensor<2x3x4xf32>`,
    after: `
      return %arg0 : tensor<2x3x4xf32>`,
  },
  {
    name: 'a broadcast that is transposed',
    arguments: '%t: tensor<2x3xf32>, %a: tensor<2x4x3xf32>, %b: tensor<3x2x4xf32>',
    results: 'tensor<3x2x4xf32>',
    before: `
      %0 = linalg.broadcast ins(%t : tensor<2x3xf32>) outs(%a : tensor<2x4x3xf32>) dimensions = [1]
      %1 = linalg.transpose ins(%0 : tensor<2x4x3xf32>) outs(%b : tensor<3x2x4xf32>) permutation = [2, 0, 1]
      return %1 : tensor<3x2x4xf32>`,
    after: `
      %0 = tensor.empty() : tensor<3x2xf32>
      %transposed = linalg.transpose ins(%arg0 : tensor<2x3xf32>) outs(%0 : tensor<3x2xf32>) permutation = [1, 0] 
      %broadcasted = linalg.broadcast ins(%transposed : tensor<3x2xf32>) outs(%arg2 : tensor<3x2x4xf32>) dimensions = [2] 
      return %broadcasted : tensor<3x2x4xf32>`,
  },
  {
    name: 'sizes that one operand knows',
    arguments: '%a: tensor<4x?xf32>, %b: tensor<?x4xf32>, %c: tensor<?x?xf32>',
    results: 'tensor<?x?xf32>',
    before: `
      %0 = linalg.matmul ins(%a, %b : tensor<4x?xf32>, tensor<?x4xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
      return %0 : tensor<?x?xf32>`,
    after: `
      %cast = tensor.cast %arg2 : tensor<?x?xf32> to tensor<4x4xf32>
      %0 = linalg.matmul ins(%arg0, %arg1 : tensor<4x?xf32>, tensor<?x4xf32>) outs(%cast : tensor<4x4xf32>) -> tensor<4x4xf32>
      %cast_0 = tensor.cast %0 : tensor<4x4xf32> to tensor<?x?xf32>
      return %cast_0 : tensor<?x?xf32>`,
  },
  {
    name: 'a cast for a transposition whose result has the same unknown size',
    arguments: '%a: memref<5x4xf32>, %b: memref<?x5xf32>',
    before: `
      %0 = memref.cast %a : memref<5x4xf32> to memref<5x?xf32>
      linalg.transpose ins(%0 : memref<5x?xf32>) outs(%b : memref<?x5xf32>) permutation = [1, 0]
      return`,
    after: `
      %cast = memref.cast %arg0 : memref<5x4xf32> to memref<5x?xf32>
      linalg.transpose ins(%cast : memref<5x?xf32>) outs(%arg1 : memref<?x5xf32>) permutation = [1, 0] 
      return`,
  },
];

testRows('linalg', canonicalize(), rows);
