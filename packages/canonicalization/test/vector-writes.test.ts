/** Canonicalization of transfers after writes. */
import { stays, testPatterns } from './support/rows.ts';

testPatterns('canonicalization', [
  [
    'a read of what was written',
    '(%t: tensor<8xf32>, %v: vector<4xf32>) -> vector<4xf32>',
    `%0 = vector.transfer_write %v, %t[%c1] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
    %r = vector.transfer_read %0[%c1], %f7 {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>`,
    '',
    'return %arg1',
  ],
  [
    'a read of what was written elsewhere',
    '(%t: tensor<8xf32>, %v: vector<4xf32>) -> vector<4xf32>',
    `%0 = vector.transfer_write %v, %t[%c1] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
    %r = vector.transfer_read %0[%c2], %f7 {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>`,
    stays,
  ],
  [
    'a read of more than was written',
    '(%t: tensor<8xf32>, %v: vector<4xf32>) -> vector<5xf32>',
    `%0 = vector.transfer_write %v, %t[%c1] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
    %r = vector.transfer_read %0[%c1], %f7 {in_bounds = [true]} : tensor<8xf32>, vector<5xf32>`,
    stays,
  ],
  [
    'a repeated read of what was written',
    '(%t: tensor<8xf32>, %v: vector<4xf32>) -> vector<3x4xf32>',
    `%0 = vector.transfer_write %v, %t[%c1] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
    %r = vector.transfer_read %0[%c1], %f7 {in_bounds = [true, true], permutation_map = affine_map<(i) -> (0, i)>} : tensor<8xf32>, vector<3x4xf32>`,
    'broadcast',
  ],
  [
    'a read of what was written under a mask',
    '(%t: tensor<8xf32>, %v: vector<4xf32>, %m: vector<4xi1>) -> vector<4xf32>',
    `%0 = vector.transfer_write %v, %t[%c1], %m {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
    %r = vector.transfer_read %0[%c1], %f7 {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>`,
    stays,
  ],
  [
    'a read, under a mask, of what was written',
    '(%t: tensor<4xf32>, %v: vector<4xf32>, %m: vector<4xi1>) -> vector<4xf32>',
    `%0 = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
    %r = vector.mask %m { vector.transfer_read %0[%c0], %f7 {in_bounds = [true]} : tensor<4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>`,
    stays,
  ],
  [
    'a permuted read, under a mask, of what was written',
    '(%t: tensor<4x8xf32>, %v: vector<2x4xf32>, %m: vector<2x4xi1>) -> vector<4x2xf32>',
    `%0 = vector.transfer_write %v, %t[%c1, %c1] {in_bounds = [true, true]} : vector<2x4xf32>, tensor<4x8xf32>
    %r = vector.mask %m { vector.transfer_read %0[%c1, %c1], %f7 {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>} : tensor<4x8xf32>, vector<4x2xf32> } : vector<2x4xi1> -> vector<4x2xf32>`,
    stays,
  ],
  [
    'a write of what was read to another tensor, under a mask',
    '(%s: tensor<4xf32>, %t: tensor<4xf32>, %m: vector<4xi1>) -> tensor<4xf32>',
    `%0 = vector.transfer_read %s[%c0], %f7 {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
    %r = vector.mask %m { vector.transfer_write %0, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32> } : vector<4xi1> -> tensor<4xf32>`,
    stays,
  ],
  [
    'a write that is overwritten under a mask',
    '(%t: tensor<8xf32>, %v: vector<4xf32>, %w: vector<4xf32>, %m: vector<4xi1>) -> tensor<8xf32>',
    `%0 = vector.transfer_write %v, %t[%c1] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
    %r = vector.mask %m { vector.transfer_write %w, %0[%c1] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32> } : vector<4xi1> -> tensor<8xf32>`,
    stays,
  ],
  [
    'a write that is overwritten',
    '(%t: tensor<8xf32>, %v: vector<4xf32>, %w: vector<4xf32>) -> tensor<8xf32>',
    `%0 = vector.transfer_write %v, %t[%c1] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
    %r = vector.transfer_write %w, %0[%c1] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>`,
    'transfer_write',
  ],
  [
    'a write that is overwritten behind another',
    '(%t: tensor<8xf32>, %v: vector<2xf32>, %w: vector<2xf32>) -> tensor<8xf32>',
    `%0 = vector.transfer_write %v, %t[%c1] {in_bounds = [true]} : vector<2xf32>, tensor<8xf32>
    %1 = vector.transfer_write %w, %0[%c3] {in_bounds = [true]} : vector<2xf32>, tensor<8xf32>
    %r = vector.transfer_write %w, %1[%c1] {in_bounds = [true]} : vector<2xf32>, tensor<8xf32>`,
    '2 transfer_write',
  ],
  [
    'a write that is overwritten behind another that overlaps',
    '(%t: tensor<8xf32>, %v: vector<2xf32>, %w: vector<2xf32>) -> tensor<8xf32>',
    `%0 = vector.transfer_write %v, %t[%c1] {in_bounds = [true]} : vector<2xf32>, tensor<8xf32>
    %1 = vector.transfer_write %w, %0[%c2] {in_bounds = [true]} : vector<2xf32>, tensor<8xf32>
    %r = vector.transfer_write %w, %1[%c1] {in_bounds = [true]} : vector<2xf32>, tensor<8xf32>`,
    stays,
  ],
  [
    'a write that is overwritten behind another that is used',
    '(%t: tensor<8xf32>, %v: vector<2xf32>, %w: vector<2xf32>) -> (tensor<8xf32>, tensor<8xf32>)',
    `%0 = vector.transfer_write %v, %t[%c1] {in_bounds = [true]} : vector<2xf32>, tensor<8xf32>
    %1 = vector.transfer_write %w, %0[%c3] {in_bounds = [true]} : vector<2xf32>, tensor<8xf32>
    %2 = vector.transfer_write %w, %1[%c1] {in_bounds = [true]} : vector<2xf32>, tensor<8xf32>
    return %1, %2 : tensor<8xf32>, tensor<8xf32>`,
    stays,
  ],
  [
    'a part of what was written whole, inserted',
    '(%e: tensor<4x6xf32>, %v: vector<4x6xf32>, %t: tensor<8x9xf32>) -> tensor<8x9xf32>',
    `%0 = vector.transfer_write %v, %e[%c0, %c0] {in_bounds = [true, true]} : vector<4x6xf32>, tensor<4x6xf32>
    %s = tensor.extract_slice %0[0, 0] [3, 2] [1, 1] : tensor<4x6xf32> to tensor<3x2xf32>
    %r = tensor.insert_slice %s into %t[1, 2] [3, 2] [1, 1] : tensor<3x2xf32> into tensor<8x9xf32>`,
    'tensor.extract_slice, transfer_write, tensor.insert_slice',
    '%extracted_slice[%c0, %c0] : vector',
  ],
  [
    'a part of what was written whole, inserted, and used',
    '(%e: tensor<4x6xf32>, %v: vector<4x6xf32>, %t: tensor<8x9xf32>) -> (tensor<8x9xf32>, tensor<3x2xf32>)',
    `%0 = vector.transfer_write %v, %e[%c0, %c0] {in_bounds = [true, true]} : vector<4x6xf32>, tensor<4x6xf32>
    %s = tensor.extract_slice %0[0, 0] [3, 2] [1, 1] : tensor<4x6xf32> to tensor<3x2xf32>
    %r = tensor.insert_slice %s into %t[1, 2] [3, 2] [1, 1] : tensor<3x2xf32> into tensor<8x9xf32>
    return %r, %s : tensor<8x9xf32>, tensor<3x2xf32>`,
    stays,
  ],
  [
    'another part of what was written whole, inserted',
    '(%e: tensor<4x6xf32>, %v: vector<4x6xf32>, %t: tensor<8x9xf32>) -> tensor<8x9xf32>',
    `%0 = vector.transfer_write %v, %e[%c0, %c0] {in_bounds = [true, true]} : vector<4x6xf32>, tensor<4x6xf32>
    %s = tensor.extract_slice %0[1, 0] [3, 2] [1, 1] : tensor<4x6xf32> to tensor<3x2xf32>
    %r = tensor.insert_slice %s into %t[1, 2] [3, 2] [1, 1] : tensor<3x2xf32> into tensor<8x9xf32>`,
    stays,
  ],
  [
    'a part of what was written in part, inserted',
    '(%e: tensor<4x6xf32>, %v: vector<3x6xf32>, %t: tensor<8x9xf32>) -> tensor<8x9xf32>',
    `%0 = vector.transfer_write %v, %e[%c0, %c0] {in_bounds = [true, true]} : vector<3x6xf32>, tensor<4x6xf32>
    %s = tensor.extract_slice %0[0, 0] [3, 2] [1, 1] : tensor<4x6xf32> to tensor<3x2xf32>
    %r = tensor.insert_slice %s into %t[1, 2] [3, 2] [1, 1] : tensor<3x2xf32> into tensor<8x9xf32>`,
    stays,
  ],
  [
    'a part of what was written whole, inserted in every other row',
    '(%e: tensor<4x6xf32>, %v: vector<4x6xf32>, %t: tensor<8x9xf32>) -> tensor<8x9xf32>',
    `%0 = vector.transfer_write %v, %e[%c0, %c0] {in_bounds = [true, true]} : vector<4x6xf32>, tensor<4x6xf32>
    %s = tensor.extract_slice %0[0, 0] [3, 2] [1, 1] : tensor<4x6xf32> to tensor<3x2xf32>
    %r = tensor.insert_slice %s into %t[1, 2] [3, 2] [2, 1] : tensor<3x2xf32> into tensor<8x9xf32>`,
    stays,
  ],
  [
    'a part of what was written whole under a mask, inserted',
    '(%e: tensor<4x6xf32>, %v: vector<4x6xf32>, %t: tensor<8x9xf32>, %m: vector<4x6xi1>) -> tensor<8x9xf32>',
    `%0 = vector.transfer_write %v, %e[%c0, %c0], %m {in_bounds = [true, true]} : vector<4x6xf32>, tensor<4x6xf32>
    %s = tensor.extract_slice %0[0, 0] [3, 2] [1, 1] : tensor<4x6xf32> to tensor<3x2xf32>
    %r = tensor.insert_slice %s into %t[1, 2] [3, 2] [1, 1] : tensor<3x2xf32> into tensor<8x9xf32>`,
    stays,
  ],
]);
