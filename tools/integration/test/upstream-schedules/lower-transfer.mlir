func.func @rows(%m: memref<3x4xf32>, %x: f32, %k: vector<4xi1>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = vector.transfer_read %m[%c1, %c0], %x {in_bounds = [true]} : memref<3x4xf32>, vector<4xf32>
  %b = vector.transfer_read %m[%c1, %c0], %x, %k {in_bounds = [true]} : memref<3x4xf32>, vector<4xf32>
  %c = vector.transfer_read %m[%c1, %c0], %x {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (0)>} : memref<3x4xf32>, vector<4xf32>
  %d = vector.transfer_read %m[%c1, %c1], %x {in_bounds = [true]} : memref<3x4xf32>, vector<1xf32>
  vector.transfer_write %a, %m[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, memref<3x4xf32>
  vector.transfer_write %b, %m[%c1, %c0], %k {in_bounds = [true]} : vector<4xf32>, memref<3x4xf32>
  vector.transfer_write %d, %m[%c0, %c1] {in_bounds = [true]} : vector<1xf32>, memref<3x4xf32>
  return %a, %b, %c, %d : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<1xf32>
}

func.func @others(%m: memref<3x4xf32>, %w: memref<4x6xf32>, %x: f32, %i: index) -> (vector<2x4xf32>, vector<4xf32>, vector<3xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.subview %w[0, 0] [4, 3] [1, 2] : memref<4x6xf32> to memref<4x3xf32, strided<[6, 2]>>
  %a = vector.transfer_read %m[%c0, %c0], %x {in_bounds = [true, true]} : memref<3x4xf32>, vector<2x4xf32>
  %b = vector.transfer_read %m[%i, %i], %x : memref<3x4xf32>, vector<4xf32>
  %c = vector.transfer_read %n[%c0, %c0], %x {in_bounds = [true]} : memref<4x3xf32, strided<[6, 2]>>, vector<3xf32>
  return %a, %b, %c : vector<2x4xf32>, vector<4xf32>, vector<3xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %functions {
      transform.apply_patterns.vector.lower_transfer
    } : !transform.any_op
    transform.yield
  }
}
