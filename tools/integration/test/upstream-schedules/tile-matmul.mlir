module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<6x10xf32>, %b: tensor<10x8xf32>, %c: tensor<6x8xf32>) -> tensor<6x8xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<6x10xf32>, tensor<10x8xf32>) outs(%c : tensor<6x8xf32>) -> tensor<6x8xf32>
    return %0 : tensor<6x8xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.generalize %0 : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:3 = transform.structured.tile_using_for %1 tile_sizes [2, 4, 5]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
