func.func @depthwise(%a: tensor<2x8x3xf32>, %b: tensor<2x3xf32>, %c: tensor<2x7x3xf32>) -> tensor<2x7x3xf32> {
  %0 = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a, %b : tensor<2x8x3xf32>, tensor<2x3xf32>) outs(%c : tensor<2x7x3xf32>) -> tensor<2x7x3xf32>
  return %0 : tensor<2x7x3xf32>
}

func.func @numbers(%a: memref<2x9x3xi8>, %b: memref<2x3xi8>, %c: memref<2x3x3xi32>) {
  linalg.depthwise_conv_1d_nwc_wc {dilations = dense<2> : vector<1xi64>, strides = dense<3> : vector<1xi64>} ins(%a, %b : memref<2x9x3xi8>, memref<2x3xi8>) outs(%c : memref<2x3x3xi32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %vectors = transform.structured.vectorize_children_and_apply_patterns %functions {flatten_1d_depthwise_conv} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
