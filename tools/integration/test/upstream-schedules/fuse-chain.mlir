module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<7x6xf32>, %b: tensor<6x9xf32>, %c: tensor<7x9xf32>, %o: tensor<7x9xf32>) -> tensor<7x9xf32> {
    %z = arith.constant 1.0 : f32
    %f = linalg.fill ins(%z : f32) outs(%c : tensor<7x9xf32>) -> tensor<7x9xf32>
    %0 = linalg.matmul ins(%a, %b : tensor<7x6xf32>, tensor<6x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
    %1 = linalg.negf ins(%0 : tensor<7x9xf32>) outs(%o : tensor<7x9xf32>) -> tensor<7x9xf32>
    return %1 : tensor<7x9xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.negf"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse %0 {tile_sizes = [3, 4], tile_interchange = [1, 0]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
