module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<?x6xf32>, %b: tensor<6x?xf32>, %c: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %z = arith.constant 1.0 : f32
    %f = linalg.fill ins(%z : f32) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
    %0 = linalg.matmul ins(%a, %b : tensor<?x6xf32>, tensor<6x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
    %1 = linalg.negf ins(%0 : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
    return %1 : tensor<?x?xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.negf"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.fuse %0 {tile_sizes = [3]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
