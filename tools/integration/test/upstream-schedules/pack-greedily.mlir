func.func @product(%a: tensor<7x5xf32>, %b: tensor<5x6xf32>, %c: tensor<7x6xf32>) -> tensor<7x6xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<7x5xf32>, tensor<5x6xf32>) outs(%c : tensor<7x6xf32>) -> tensor<7x6xf32>
  return %0 : tensor<7x6xf32>
}

func.func @batches(%a: tensor<2x4x6xf32>, %b: tensor<2x6x4xf32>, %c: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<2x4x6xf32>, tensor<2x6x4xf32>) outs(%c : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %0 : tensor<2x4x4xf32>
}

func.func @none(%a: tensor<4x6xf32>, %b: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.exp ins(%a : tensor<4x6xf32>) outs(%b : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %t = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.pack_greedily %t matmul_packed_sizes = [3, 2, 4] matmul_inner_dims_order = [1, 2, 0] : (!transform.any_op) -> !transform.any_op
    transform.annotate %0 "packed" : !transform.any_op
    transform.yield
  }
}
