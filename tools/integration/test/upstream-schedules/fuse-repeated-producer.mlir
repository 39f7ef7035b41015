func.func @chain(%x: tensor<8x6xf32>, %a: tensor<8x6xf32>, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = linalg.exp ins(%x : tensor<8x6xf32>) outs(%a : tensor<8x6xf32>) -> tensor<8x6xf32>
  %1 = linalg.abs ins(%0 : tensor<8x6xf32>) outs(%b : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %abs = transform.structured.match ops{["linalg.abs"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %abs tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %twice = transform.merge_handles %exp, %exp : !transform.any_op
    %fused, %outer = transform.structured.fuse_into_containing_op %twice into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
