func.func @constants() -> (tensor<2x2xf32>, tensor<4x4xf32>, tensor<2x4xf32>) {
  %g = arith.constant 0.5 : f32
  %5 = arith.constant dense<3.0> : tensor<2x2xf32>
  %6 = tensor.pad %5 low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %g : f32
  } : tensor<2x2xf32> to tensor<4x4xf32>
  %7 = tensor.pad %5 nofold low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %g : f32
  } : tensor<2x2xf32> to tensor<2x4xf32>
  return %5, %6, %7 : tensor<2x2xf32>, tensor<4x4xf32>, tensor<2x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.rewrite_as_constant aggressive
    } : !transform.any_op
    transform.yield
  }
}
