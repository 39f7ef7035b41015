func.func @created(%n: index) -> vector<3xi1> {
  %0 = vector.create_mask %n : vector<3xi1>
  return %0 : vector<3xi1>
}

func.func @read(%m: memref<?xf32>, %t: tensor<5xf32>, %x: f32) -> (vector<3xf32>, vector<4xf32>) {
  %c2 = arith.constant 2 : index
  %v = vector.transfer_read %m[%c2], %x : memref<?xf32>, vector<3xf32>
  %w = vector.transfer_read %t[%c2], %x : tensor<5xf32>, vector<4xf32>
  return %v, %w : vector<3xf32>, vector<4xf32>
}

func.func @written(%m: memref<5xf32>, %v: vector<4xf32>, %k: vector<4xi1>) {
  %c2 = arith.constant 2 : index
  vector.transfer_write %v, %m[%c2], %k : vector<4xf32>, memref<5xf32>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %functions {
      transform.apply_patterns.vector.materialize_masks
    } : !transform.any_op
    transform.yield
  }
}
