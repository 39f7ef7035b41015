func.func @tiles(%x: tensor<12x10xf32>, %y: tensor<10x9xf32>, %d: tensor<12x9xf32>) -> tensor<12x9xf32> {
  %0 = linalg.matmul ins(%x, %y : tensor<12x10xf32>, tensor<10x9xf32>) outs(%d : tensor<12x9xf32>) -> tensor<12x9xf32>
  return %0 : tensor<12x9xf32>
}
func.func @dynamic(%x: tensor<?xf32>, %d: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %e = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.tile_using_for %m tile_sizes [4, [2], 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.structured.tile_using_for %e tile_sizes [[3]] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
