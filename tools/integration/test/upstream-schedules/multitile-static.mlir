module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<7x10xf32>, %b: tensor<10x9xf32>, %c: tensor<7x9xf32>) -> tensor<7x9xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<7x10xf32>, tensor<10x9xf32>) outs(%c : tensor<7x9xf32>) -> tensor<7x9xf32>
    return %0 : tensor<7x9xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %l, %h, %p = transform.structured.multitile_sizes %0 {dimension = 1, target_size = 4} : (!transform.any_op) -> !transform.any_op
    %a, %b, %c = transform.structured.multitile_sizes %0 {dimension = 0, target_size = 3} : (!transform.any_op) -> !transform.param<i64>
    %t, %k:2 = transform.structured.tile_using_for %0 tile_sizes [%a, %h] : (!transform.any_op, !transform.param<i64>, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
