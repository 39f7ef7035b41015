func.func @f(%m: memref<?x3x4xi32>, %x: i32, %v: vector<2x3x4xi32>) -> (vector<2x3x4xi32>, vector<3x4xi32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %m[%c0, %c0, %c0], %x : memref<?x3x4xi32>, vector<2x3x4xi32>
  %1 = vector.transfer_read %m[%c0, %c0, %c0], %x : memref<?x3x4xi32>, vector<3x4xi32>
  vector.transfer_write %v, %m[%c0, %c0, %c0] : vector<2x3x4xi32>, memref<?x3x4xi32>
  return %0, %1 : vector<2x3x4xi32>, vector<3x4xi32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %functions {
      transform.apply_patterns.vector.transfer_to_scf max_transfer_rank = 2 full_unroll = true
    } : !transform.any_op
    transform.yield
  }
}
