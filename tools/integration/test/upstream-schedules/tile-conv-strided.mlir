module attributes {transform.with_named_sequence} {
  func.func @f(%x: tensor<1x9x11x2xf32>, %k: tensor<3x3x2x4xf32>, %o: tensor<1x4x5x4xf32>) -> tensor<1x4x5x4xf32> {
    %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%x, %k : tensor<1x9x11x2xf32>, tensor<3x3x2x4xf32>) outs(%o : tensor<1x4x5x4xf32>) -> tensor<1x4x5x4xf32>
    return %0 : tensor<1x4x5x4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %0 tile_sizes [0, 3, 2, 0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
