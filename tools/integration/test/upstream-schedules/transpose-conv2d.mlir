module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<1x5x6x3xf32>, %f: tensor<4x2x2x3xf32>, %o: tensor<1x2x5x4xf32>) -> tensor<1x2x5x4xf32> {
    %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %f : tensor<1x5x6x3xf32>, tensor<4x2x2x3xf32>) outs(%o : tensor<1x2x5x4xf32>) -> tensor<1x2x5x4xf32>
    return %0 : tensor<1x2x5x4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.conv_2d_nhwc_fhwc"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.transpose_conv2d %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
