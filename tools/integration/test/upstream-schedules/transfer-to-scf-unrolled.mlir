// differs: rows below 0 are out of bounds, too
func.func @padded(%m: memref<?x4xf32>, %x: f32, %i: index) -> vector<3x4xf32> {
  %c1 = arith.constant 1 : index
  %0 = vector.transfer_read %m[%c1, %c1], %x : memref<?x4xf32>, vector<3x4xf32>
  return %0 : vector<3x4xf32>
}

func.func @cube(%m: memref<2x3x4xi32>, %n: memref<?x?x?xi32>, %x: i32, %v: vector<2x3x4xi32>) -> vector<2x3x4xi32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %m[%c0, %c0, %c0], %x {in_bounds = [true, true, true]} : memref<2x3x4xi32>, vector<2x3x4xi32>
  vector.transfer_write %v, %n[%c0, %c0, %c0] : vector<2x3x4xi32>, memref<?x?x?xi32>
  return %0 : vector<2x3x4xi32>
}

func.func @masked(%m: memref<4x4xf32>, %k: vector<2x3xi1>, %x: f32, %v: vector<2x3xf32>, %i: index) -> vector<2x3xf32> {
  %c1 = arith.constant 1 : index
  %0 = vector.transfer_read %m[%i, %c1], %x, %k : memref<4x4xf32>, vector<2x3xf32>
  vector.transfer_write %v, %m[%c1, %c1], %k {in_bounds = [true, true]} : vector<2x3xf32>, memref<4x4xf32>
  return %0 : vector<2x3xf32>
}

func.func @repeated(%m: memref<4x4xf32>, %k: vector<3xi1>, %x: f32) -> (vector<2x3xf32>, vector<3x2xf32>) {
  %c1 = arith.constant 1 : index
  %0 = vector.transfer_read %m[%c1, %c1], %x {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (0, d1)>} : memref<4x4xf32>, vector<2x3xf32>
  %1 = vector.transfer_read %m[%c1, %c1], %x, %k {in_bounds = [false, true], permutation_map = affine_map<(d0, d1) -> (d0, 0)>} : memref<4x4xf32>, vector<3x2xf32>
  return %0, %1 : vector<2x3xf32>, vector<3x2xf32>
}

func.func @turned(%m: memref<4x5xf32>, %x: f32, %v: vector<2x3xf32>) -> vector<2x3xf32> {
  %c1 = arith.constant 1 : index
  %0 = vector.transfer_read %m[%c1, %c1], %x {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<4x5xf32>, vector<2x3xf32>
  vector.transfer_write %v, %m[%c1, %c1] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<2x3xf32>, memref<4x5xf32>
  return %0 : vector<2x3xf32>
}

func.func @column(%m: memref<5x4xf32>, %k: vector<3xi1>, %x: f32, %i: index) -> vector<3xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %m[%i, %c0], %x, %k {permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<5x4xf32>, vector<3xf32>
  vector.transfer_write %0, %m[%i, %i], %k {permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<3xf32>, memref<5x4xf32>
  return %0 : vector<3xf32>
}

func.func @part(%m: memref<4x4xf32>, %v: vector<2x2x3xf32>, %x: f32) -> vector<2x2x3xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.extract %v[1] : vector<2x3xf32> from vector<2x2x3xf32>
  vector.transfer_write %0, %m[%c0, %c0] {in_bounds = [true, true]} : vector<2x3xf32>, memref<4x4xf32>
  %1 = vector.transfer_read %m[%c0, %c0], %x {in_bounds = [true, true]} : memref<4x4xf32>, vector<2x3xf32>
  %2 = vector.insert %1, %v [0] : vector<2x3xf32> into vector<2x2x3xf32>
  return %2 : vector<2x2x3xf32>
}

func.func @tensors(%m: tensor<4x4xf32>, %x: f32) -> vector<2x3xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %m[%c0, %c0], %x {in_bounds = [true, true]} : tensor<4x4xf32>, vector<2x3xf32>
  return %0 : vector<2x3xf32>
}

func.func @scalable(%m: memref<?x?xf32>, %x: f32) -> vector<2x[4]xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %m[%c0, %c0], %x {in_bounds = [true, true]} : memref<?x?xf32>, vector<2x[4]xf32>
  return %0 : vector<2x[4]xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %functions {
      transform.apply_patterns.vector.transfer_to_scf max_transfer_rank = 1 full_unroll = true
    } : !transform.any_op
    transform.yield
  }
}
