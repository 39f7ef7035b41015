func.func @reshapes(%x: tensor<5x6x7xf32>, %d: tensor<4x5x6xf32>, %r: tensor<1x1x6xf32>, %w: tensor<3x6xf32>)
    -> (tensor<1x3x7xf32>, tensor<3x7xf32>, tensor<4x5x6xf32>, tensor<4x5x6xf32>, tensor<21xf32>) {
  %0 = tensor.extract_slice %x[1, 2, 0] [1, 3, 7] [1, 1, 1] : tensor<5x6x7xf32> to tensor<3x7xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [1, 3, 7] : tensor<3x7xf32> into tensor<1x3x7xf32>
  %2 = tensor.extract_slice %x[3, 1, 0] [1, 3, 7] [1, 2, 1] : tensor<5x6x7xf32> to tensor<1x3x7xf32>
  %3 = tensor.collapse_shape %2 [[0, 1], [2]] : tensor<1x3x7xf32> into tensor<3x7xf32>
  %4 = tensor.collapse_shape %r [[0, 1, 2]] : tensor<1x1x6xf32> into tensor<6xf32>
  %5 = tensor.insert_slice %4 into %d[2, 1, 0] [1, 1, 6] [1, 1, 1] : tensor<6xf32> into tensor<4x5x6xf32>
  %6 = tensor.expand_shape %w [[0, 1], [2]] output_shape [1, 3, 6] : tensor<3x6xf32> into tensor<1x3x6xf32>
  %7 = tensor.insert_slice %6 into %d[0, 2, 0] [1, 3, 6] [1, 1, 1] : tensor<1x3x6xf32> into tensor<4x5x6xf32>
  %8 = tensor.extract_slice %x[2, 1, 0] [1, 3, 7] [1, 1, 1] : tensor<5x6x7xf32> to tensor<3x7xf32>
  %9 = tensor.collapse_shape %8 [[0, 1]] : tensor<3x7xf32> into tensor<21xf32>
  return %1, %3, %5, %7, %9 : tensor<1x3x7xf32>, tensor<3x7xf32>, tensor<4x5x6xf32>, tensor<4x5x6xf32>, tensor<21xf32>
}
func.func @parallel(%d: tensor<4x6xf32>, %x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%o = %d) -> (tensor<4x6xf32>) {
    %1 = tensor.extract_slice %x[%i, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<6xf32>
    %2 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 6] : tensor<6xf32> into tensor<1x6xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%i, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<4x6xf32>
    }
  }
  return %0 : tensor<4x6xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.reassociative_reshape_folding
    } : !transform.any_op
    transform.yield
  }
}
