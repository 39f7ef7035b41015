func.func @constants() -> (tensor<2x3xf32>, tensor<4x5xi32>, tensor<3x4xf32>, tensor<2x2xf32>, tensor<4x4xf32>) {
  %f = arith.constant 5.0 : f32
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %g = arith.constant 0.5 : f32
  %0 = tensor.generate {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<2x3xf32>
  %1 = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %2 = tensor.pad %1 low[1, %c1] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : i32
  } : tensor<2x2xi32> to tensor<4x?xi32>
  %cast = tensor.cast %2 : tensor<4x?xi32> to tensor<4x5xi32>
  %3 = arith.constant dense<2.0> : tensor<2x3xf32>
  %4 = tensor.pad %3 low[0, 1] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %g : f32
  } : tensor<2x3xf32> to tensor<3x4xf32>
  %5 = arith.constant dense<3.0> : tensor<2x2xf32>
  %6 = tensor.pad %5 low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %g : f32
  } : tensor<2x2xf32> to tensor<4x4xf32>
  return %0, %cast, %4, %5, %6 : tensor<2x3xf32>, tensor<4x5xi32>, tensor<3x4xf32>, tensor<2x2xf32>, tensor<4x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.rewrite_as_constant
    } : !transform.any_op
    transform.yield
  }
}
