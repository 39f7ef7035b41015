func.func @f(%m: memref<?x4xf32>, %t: tensor<4x5xf32>, %x: f32) -> (vector<2x4xf32>, vector<2xf32>, tensor<4x5xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %m[%c0, %c0], %x : memref<?x4xf32>, vector<2x4xf32>
  %1 = vector.transfer_read %t[%c0, %c0], %x {permutation_map = affine_map<(d0, d1) -> (d0)>} : tensor<4x5xf32>, vector<2xf32>
  %2 = vector.transfer_write %0, %t[%c0, %c0] : vector<2x4xf32>, tensor<4x5xf32>
  return %0, %1, %2 : vector<2x4xf32>, vector<2xf32>, tensor<4x5xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %functions {
      transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "force-in-bounds"
    } : !transform.any_op
    transform.yield
  }
}
