module attributes {transform.with_named_sequence} {
  func.func @f(%x: tensor<1x2x6x7xf32>, %w: tensor<3x2x3x3xf32>, %init: tensor<1x3x2x5xf32>) -> tensor<1x3x2x5xf32> {
    %0 = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>}
      ins(%x, %w : tensor<1x2x6x7xf32>, tensor<3x2x3x3xf32>) outs(%init : tensor<1x3x2x5xf32>) -> tensor<1x3x2x5xf32>
    return %0 : tensor<1x3x2x5xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.generalize %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
