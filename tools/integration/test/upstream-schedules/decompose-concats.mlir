func.func @static(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>, %c: tensor<2x1xf32>) -> tensor<2x8xf32> {
  %0 = tensor.concat dim(1) %a, %b, %c : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
func.func @dynamic(%a: tensor<3x4xf32>, %b: tensor<2x4xf32>, %n: index, %m: index) -> tensor<?x4xf32> {
  %c2 = arith.constant 2 : index
  %i = arith.remui %n, %c2 : index
  %j = arith.remui %m, %c2 : index
  %x = tensor.extract_slice %a[0, 0] [%i, 4] [1, 1] : tensor<3x4xf32> to tensor<?x4xf32>
  %y = tensor.extract_slice %b[0, 0] [%j, 4] [1, 1] : tensor<2x4xf32> to tensor<?x4xf32>
  %0 = tensor.concat dim(0) %x, %b, %y : (tensor<?x4xf32>, tensor<2x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.decompose_concat
    } : !transform.any_op
    transform.yield
  }
}
