module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<7x10xf32>, %b: tensor<10x?xf32>, %c: tensor<7x?xf32>) -> tensor<7x?xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<7x10xf32>, tensor<10x?xf32>) outs(%c : tensor<7x?xf32>) -> tensor<7x?xf32>
    return %0 : tensor<7x?xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %sizes, %chunks = transform.structured.continuous_tile_sizes %0 {dimension = 1, target_size = 5} : (!transform.any_op) -> !transform.any_op
    %parts, %none = transform.structured.split %0 after %chunks {dimension = 1, multiway} : !transform.any_op, !transform.any_op
    transform.yield
  }
}
