func.func @empty(%v: f32, %n: index) -> (tensor<12xf32>, tensor<2x6xf32>, tensor<3x4xf32>, index) {
  %c1 = arith.constant 1 : index
  %0 = tensor.empty() : tensor<2x6xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x6xf32> into tensor<12xf32>
  %2 = linalg.fill ins(%v : f32) outs(%1 : tensor<12xf32>) -> tensor<12xf32>
  %3 = linalg.fill ins(%v : f32) outs(%0 : tensor<2x6xf32>) -> tensor<2x6xf32>
  %4 = tensor.empty() : tensor<12xf32>
  %5 = tensor.expand_shape %4 [[0, 1]] output_shape [3, 4] : tensor<12xf32> into tensor<3x4xf32>
  %6 = linalg.fill ins(%v : f32) outs(%5 : tensor<3x4xf32>) -> tensor<3x4xf32>
  %c6 = arith.constant 6 : index
  %m = arith.muli %n, %c6 : index
  %7 = tensor.empty(%m) : tensor<?xf32>
  %8 = tensor.expand_shape %7 [[0, 1]] output_shape [6, %n] : tensor<?xf32> into tensor<6x?xf32>
  %9 = tensor.dim %8, %c1 : tensor<6x?xf32>
  return %2, %3, %6, %9 : tensor<12xf32>, tensor<2x6xf32>, tensor<3x4xf32>, index
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.fold_tensor_empty {fold_single_use_only = true}
    } : !transform.any_op
    transform.yield
  }
}
