module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<7x10xf32>, %b: tensor<10x9xf32>, %c: tensor<7x9xf32>) -> tensor<7x9xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<7x10xf32>, tensor<10x9xf32>) outs(%c : tensor<7x9xf32>) -> tensor<7x9xf32>
    return %0 : tensor<7x9xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %0 num_threads [3, 4] (mapping = [#gpu.thread<y>, #gpu.thread<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
