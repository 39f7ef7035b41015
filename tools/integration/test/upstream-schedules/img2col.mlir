module attributes {transform.with_named_sequence} {
  func.func @hwcf(%a: tensor<2x9x10x4xf32>, %f: tensor<3x2x4x5xf32>, %o: tensor<2x4x9x5xf32>) -> tensor<2x4x9x5xf32> {
    %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %f : tensor<2x9x10x4xf32>, tensor<3x2x4x5xf32>) outs(%o : tensor<2x4x9x5xf32>) -> tensor<2x4x9x5xf32>
    return %0 : tensor<2x4x9x5xf32>
  }
  func.func @fhwc(%a: tensor<2x9x10x4xf32>, %f: tensor<5x3x2x4xf32>, %o: tensor<2x4x9x5xf32>) -> tensor<2x4x9x5xf32> {
    %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %f : tensor<2x9x10x4xf32>, tensor<5x3x2x4xf32>) outs(%o : tensor<2x4x9x5xf32>) -> tensor<2x4x9x5xf32>
    return %0 : tensor<2x4x9x5xf32>
  }
  func.func @nchw(%a: tensor<2x4x9x10xi8>, %f: tensor<5x4x3x2xi8>, %o: tensor<2x5x4x9xi32>) -> tensor<2x5x4x9xi32> {
    %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %f : tensor<2x4x9x10xi8>, tensor<5x4x3x2xi8>) outs(%o : tensor<2x5x4x9xi32>) -> tensor<2x5x4x9xi32>
    return %0 : tensor<2x5x4x9xi32>
  }
  func.func @dw(%a: tensor<1x9x10x4xf32>, %f: tensor<3x2x4xf32>, %o: tensor<1x4x9x4xf32>) -> tensor<1x4x9x4xf32> {
    %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %f : tensor<1x9x10x4xf32>, tensor<3x2x4xf32>) outs(%o : tensor<1x4x9x4xf32>) -> tensor<1x4x9x4xf32>
    return %0 : tensor<1x4x9x4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf", "linalg.conv_2d_nhwc_fhwc", "linalg.conv_2d_nchw_fchw", "linalg.depthwise_conv_2d_nhwc_hwc"]} in %root : (!transform.any_op) -> !transform.any_op
    %1:2 = transform.structured.convert_conv2d_to_img2col %0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
