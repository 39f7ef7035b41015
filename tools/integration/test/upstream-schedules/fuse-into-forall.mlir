module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<7x6xf32>, %b: tensor<6x?xf32>, %c: tensor<7x?xf32>, %o: tensor<7x?xf32>) -> tensor<7x?xf32> {
    %z = arith.constant 1.0 : f32
    %f = linalg.fill ins(%z : f32) outs(%c : tensor<7x?xf32>) -> tensor<7x?xf32>
    %0 = linalg.matmul ins(%a, %b : tensor<7x6xf32>, tensor<6x?xf32>) outs(%f : tensor<7x?xf32>) -> tensor<7x?xf32>
    %1 = linalg.negf ins(%0 : tensor<7x?xf32>) outs(%o : tensor<7x?xf32>) -> tensor<7x?xf32>
    return %1 : tensor<7x?xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.negf"]} in %root : (!transform.any_op) -> !transform.any_op
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %0 tile_sizes [3, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x, %k = transform.structured.fuse_into_containing_op %m into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %y, %j = transform.structured.fuse_into_containing_op %f into %k : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
