func.func @columns(%a: tensor<10xf32>, %b: tensor<3xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.conv_1d ins(%a, %b : tensor<10xf32>, tensor<3xf32>) outs(%c : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func @channels_last(%a: tensor<2x8x3xf32>, %b: tensor<2x3x5xf32>, %c: tensor<2x6x5xf32>) -> tensor<2x6x5xf32> {
  %0 = linalg.conv_1d_nwc_wcf {dilations = dense<2> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a, %b : tensor<2x8x3xf32>, tensor<2x3x5xf32>) outs(%c : tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
  return %0 : tensor<2x6x5xf32>
}

func.func @strided(%a: memref<2x9x3xi8>, %b: memref<2x3x5xi8>, %c: memref<2x3x5xi32>) {
  linalg.conv_1d_nwc_wcf {dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>} ins(%a, %b : memref<2x9x3xi8>, memref<2x3x5xi8>) outs(%c : memref<2x3x5xi32>)
  return
}

func.func @channels_first(%a: tensor<2x3x8xf32>, %b: tensor<5x3x2xf32>, %c: tensor<2x5x4xf32>) -> tensor<2x5x4xf32> {
  %0 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>} ins(%a, %b : tensor<2x3x8xf32>, tensor<5x3x2xf32>) outs(%c : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return %0 : tensor<2x5x4xf32>
}

func.func @depthwise(%a: tensor<2x8x3xf32>, %b: tensor<2x3xf32>, %c: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {
  %0 = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<2> : vector<1xi64>, strides = dense<2> : vector<1xi64>} ins(%a, %b : tensor<2x8x3xf32>, tensor<2x3xf32>) outs(%c : tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  return %0 : tensor<2x3x3xf32>
}

func.func @pooling(%a: tensor<2x8x3xf32>, %b: tensor<3xf32>, %c: tensor<2x6x3xf32>) -> tensor<2x6x3xf32> {
  %0 = linalg.pooling_nwc_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a, %b : tensor<2x8x3xf32>, tensor<3xf32>) outs(%c : tensor<2x6x3xf32>) -> tensor<2x6x3xf32>
  return %0 : tensor<2x6x3xf32>
}

func.func @pooling_first(%a: tensor<2x3x8xf32>, %b: tensor<3xf32>, %c: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {
  %0 = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>} ins(%a, %b : tensor<2x3x8xf32>, tensor<3xf32>) outs(%c : tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  return %0 : tensor<2x3x3xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %vectors = transform.structured.vectorize_children_and_apply_patterns %functions : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
