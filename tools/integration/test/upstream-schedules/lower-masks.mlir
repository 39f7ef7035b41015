func.func @created(%n: index) -> vector<2x3xi1> {
  %c1 = arith.constant 1 : index
  %0 = vector.create_mask %c1, %n : vector<2x3xi1>
  return %0 : vector<2x3xi1>
}

func.func @constant() -> (vector<2x3xi1>, vector<4xi1>) {
  %0 = vector.constant_mask [1, 2] : vector<2x3xi1>
  %1 = vector.constant_mask [4] : vector<4xi1>
  return %0, %1 : vector<2x3xi1>, vector<4xi1>
}

func.func @transfers(%m: memref<4xf32>, %t: tensor<4xf32>, %x: f32, %k: vector<4xi1>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %v = vector.mask %k { vector.transfer_read %m[%c0], %x {in_bounds = [true]} : memref<4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  vector.mask %k { vector.transfer_write %v, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32> } : vector<4xi1>
  %0 = vector.mask %k { vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32> } : vector<4xi1> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %functions {
      transform.apply_patterns.vector.lower_masks
      transform.apply_patterns.vector.lower_masked_transfers
    } : !transform.any_op
    transform.yield
  }
}
