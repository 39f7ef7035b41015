module attributes {transform.with_named_sequence} {
  func.func @row(%a: tensor<2x1x9x3xf32>, %f: tensor<1x3x3x4xf32>, %o: tensor<2x1x4x4xf32>) -> tensor<2x1x4x4xf32> {
    %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %f : tensor<2x1x9x3xf32>, tensor<1x3x3x4xf32>) outs(%o : tensor<2x1x4x4xf32>) -> tensor<2x1x4x4xf32>
    return %0 : tensor<2x1x4x4xf32>
  }
  func.func @column(%a: tensor<2x3x7x1xf32>, %f: tensor<4x3x3x1xf32>, %o: tensor<2x4x3x1xf32>) -> tensor<2x4x3x1xf32> {
    %0 = linalg.conv_2d_nchw_fchw {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %f : tensor<2x3x7x1xf32>, tensor<4x3x3x1xf32>) outs(%o : tensor<2x4x3x1xf32>) -> tensor<2x4x3x1xf32>
    return %0 : tensor<2x4x3x1xf32>
  }
  func.func @pooled(%a: tensor<?x1x7x3xf32>, %f: tensor<1x3xf32>, %o: tensor<?x1x5x3xf32>) -> tensor<?x1x5x3xf32> {
    %0 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %f : tensor<?x1x7x3xf32>, tensor<1x3xf32>) outs(%o : tensor<?x1x5x3xf32>) -> tensor<?x1x5x3xf32>
    return %0 : tensor<?x1x5x3xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf", "linalg.conv_2d_nchw_fchw", "linalg.pooling_nhwc_max"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.decompose %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
