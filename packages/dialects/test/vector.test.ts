import { describe, expect, it } from 'vitest';
import { errorsOf, inFunction } from './support.ts';

const values =
  '%arg0: vector<4x8xf32>, %arg1: vector<8xf32>, %arg2: index, %arg3: f32, %arg4: memref<?x8xf32>, %arg5: tensor<?x8xf32>, %arg6: vector<8xi1>, %arg7: vector<8xindex>, %arg8: vector<4xf32>, %arg9: vector<[4]xf32>, %arg10: vector<16xf32>, %arg11: vector<f32>, %arg12: memref<8xf32>, %arg13: vector<4x8xi1>';

describe('verifier', () => {
  it.each([
    [
      'vector.broadcast %arg8 : vector<4xf32> to vector<4x8xf32>',
      "'vector.broadcast' op dimension mismatch (4 vs. 8)",
    ],
    [
      'vector.broadcast %arg0 : vector<4x8xf32> to vector<8xf32>',
      "'vector.broadcast' op source rank higher than destination rank",
    ],
    [
      'vector.extract %arg0[4] : vector<8xf32> from vector<4x8xf32>',
      "'vector.extract' op expected position attribute #1 to be a non-negative integer smaller than the corresponding vector dimension",
    ],
    [
      'vector.extract %arg0[1] : vector<4xf32> from vector<4x8xf32>',
      "'vector.extract' op inferred type(s) 'vector<8xf32>' are incompatible with return type(s) of operation 'vector<4xf32>'",
    ],
    [
      'vector.insert %arg1, %arg0 [0, 0] : vector<8xf32> into vector<4x8xf32>',
      "'vector.insert' op expected position attribute rank + source rank to match dest vector rank",
    ],
    [
      'vector.shuffle %arg1, %arg8 [0, 12] : vector<8xf32>, vector<4xf32>',
      "'vector.shuffle' op mask index #2 out of range",
    ],
    [
      'vector.shape_cast %arg0 : vector<4x8xf32> to vector<31xf32>',
      "'vector.shape_cast' op source/result number of elements must match",
    ],
    [
      'vector.transpose %arg0, [0, 0] : vector<4x8xf32> to vector<4x4xf32>',
      "'vector.transpose' op duplicate position index: 0",
    ],
    [
      'vector.transfer_read %arg4[%arg2], %arg3 : memref<?x8xf32>, vector<8xf32>',
      "'vector.transfer_read' op requires 2 indices",
    ],
    [
      'vector.transfer_read %arg4[%arg2, %arg2], %arg3 {permutation_map = affine_map<(d0, d1) -> (0)>} : memref<?x8xf32>, vector<8xf32>',
      "'vector.transfer_read' op requires broadcast dimensions to be in-bounds",
    ],
    [
      'vector.transfer_write %arg1, %arg4[%arg2, %arg2] {permutation_map = affine_map<(d0, d1) -> (0)>, in_bounds = [true]} : vector<8xf32>, memref<?x8xf32>',
      "'vector.transfer_write' op should not have broadcast dimensions",
    ],
    ['vector.load %arg4[%arg2] : memref<?x8xf32>, vector<8xf32>', "'vector.load' op requires 2 indices"],
    [
      'vector.reduction <and>, %arg1 : vector<8xf32> into f32',
      "'vector.reduction' op unsupported reduction type 'f32' for kind 'and'",
    ],
    [
      'vector.multi_reduction <add>, %arg0, %arg1 [1] : vector<4x8xf32> to vector<8xf32>',
      "'vector.multi_reduction' op destination type 'vector<8xf32>' is incompatible with source type 'vector<4x8xf32>'",
    ],
    [
      'vector.constant_mask [2, 0] : vector<4x8xi1>',
      "'vector.constant_mask' op expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim",
    ],
    [
      'vector.mask %arg6 { vector.multi_reduction <add>, %arg0, %arg3 [0, 1] : vector<4x8xf32> to f32 } : vector<8xi1> -> f32',
      "'vector.mask' op expects a 'vector<4x8xi1>' mask for the maskable operation",
    ],
    [
      'vector.extract_strided_slice %arg0 {offsets = [3], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>',
      "'vector.extract_strided_slice' op expected sum(offsets, sizes) dimension 0 to be confined to [1, 5)",
    ],
    [
      'vector.outerproduct %arg0, %arg1 : vector<4x8xf32>, vector<8xf32>',
      "'vector.outerproduct' op expected 1-d vector for operand #1",
    ],
  ])('%s', (line, message) => {
    expect(errorsOf(inFunction(values, line)).join('\n')).toContain(message);
  });
});
