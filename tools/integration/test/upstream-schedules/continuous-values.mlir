module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<7x10xf32>, %b: tensor<10x22xf32>, %c: tensor<7x22xf32>) -> tensor<7x22xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<7x10xf32>, tensor<10x22xf32>) outs(%c : tensor<7x22xf32>) -> tensor<7x22xf32>
    return %0 : tensor<7x22xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %sizes, %chunks = transform.structured.continuous_tile_sizes %0 {dimension = 1, target_size = 8} : (!transform.any_op) -> !transform.any_op
    %parts, %none = transform.structured.split %0 after %chunks {dimension = 1, multiway} : !transform.any_op, !transform.any_op
    transform.foreach %parts, %sizes : !transform.any_op, !transform.any_op {
    ^bb0(%part: !transform.any_op, %size: !transform.any_op):
      %t, %l = transform.structured.tile_using_for %part tile_sizes [0, %size] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
    transform.yield
  }
}
